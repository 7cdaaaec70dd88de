// Adds pages to the tables and removes them, one batch at a time. A writer locks the row of `search_position`
// until the end, so two processes that both believe they are the writer do no harm.
import type { SearchedPage } from '../../core/page.ts'
import { hostOf } from '../../core/url.ts'
import type { Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import { wholeText } from '../../lib/column-text.ts'
import { primaryLanguage } from '../../text/text.ts'
import { Clusters } from '../clusters.ts'
import { type GivenText, linkKey } from '../link-texts.ts'
import { initialOf, type ListedWord, WordCounts } from '../near-words.ts'
import { columnsOf, headsOf, type PageColumns } from '../page-columns.ts'
import type { Batch } from '../search-index.ts'
import { bandsOf, sketchOf } from '../sketch.ts'
import type { StemWords } from '../stem-words.ts'
import { titleWords } from '../title-words.ts'
import { urlKey } from '../words.ts'
import { PostgresClusterBook } from './cluster-book.ts'
import { takeLinks } from './link-book.ts'
import { pageParts } from './page-vectors.ts'
import { dropTitleWords, insertTitleWords, titleColumn } from './title-list.ts'

/** A page ready to be written. */
type Prepared = {
  readonly page: SearchedPage
  readonly changed: number
  readonly text: string
  readonly title: string
  readonly titleWords: readonly string[]
  readonly length: number
  readonly parts: ReturnType<typeof pageParts>
}

type PreparedBatch = {
  readonly pages: readonly Prepared[]
  readonly words: readonly ListedWord[]
  readonly given: ReadonlyMap<number, readonly GivenText[]>
}

/** Does all the work that needs no server. */
export function preparedBatch(
  { pages, given = new Map(), changed, position }: Omit<Batch, 'gone'>,
  stems: StemWords,
): PreparedBatch {
  const counts = new WordCounts()
  const prepared = pages.map((page) => {
    const columns = columnsOf(page, stems)
    counts.take(headsOf(columns))
    const [text, title] = [columns.text.join(' '), columns.title.join(' ')]
    return {
      changed: changed?.get(page.id) ?? position.cursor,
      ...{ page, text, title, titleWords: titleWords(columns.title) },
      ...{ length: lengthOf(columns), parts: pageParts(columns) },
    }
  })
  return { pages: prepared, words: [...counts.taken()], given }
}

function lengthOf(columns: PageColumns): number {
  return Object.values(columns).reduce((sum, { length }) => sum + length, 0)
}

/** Keeps other writers out until the end of the transaction. */
export async function holdIndex(sql: Transaction): Promise<void> {
  await sql`SELECT 1 FROM search.search_position FOR UPDATE`
}

export async function takeIn(
  sql: Transaction,
  { pages, words, given }: PreparedBatch,
  { gone, stems }: { readonly gone: readonly number[]; readonly stems: StemWords },
): Promise<void> {
  const ids = [...pages.map(({ page }) => page.id), ...gone]
  const sketched = pages.flatMap(({ text, title }) => sketchOf(text, title) ?? [])
  const bands = [...new Set(sketched.flatMap(bandsOf))]
  const book = await PostgresClusterBook.open(sql, { ids, bands })
  const clusters = new Clusters(book)
  for (const { page, text, title } of pages) clusters.put(page.id, text, title)
  for (const id of gone) clusters.drop(id)
  // If a page occurs twice, the last version counts.
  const last = new Map(pages.map((each) => [each.page.id, each]))
  for (const id of gone) last.delete(id)
  const before = await takeOut(sql, ids, [...last.keys()])
  const kept = [...last.values()]
  await insertPages(sql, kept)
  await insertWords(sql, kept)
  await takeLinks(sql, { pages: kept.map(({ page }) => page), gone, given, stems })
  await insertTitleWords(
    sql,
    kept.map(({ page }) => page.id),
  )
  await book.write()
  await addWords(sql, words)
  const length = kept.reduce((sum, each) => sum + each.length, 0)
  await sql`
    UPDATE search.search_position SET pages = pages + ${kept.length - before.pages},
      length = length + ${length - before.length}, last_cluster = ${book.lastCluster}`
}

/** Deletes the words of pages, and the pages except `staying`. Returns their former totals. */
async function takeOut(sql: Transaction, ids: readonly number[], staying: readonly number[]) {
  const all = numberArray(ids)
  const [row] = await sql.unsafe(SQL.known, [all])
  await sql.unsafe(SQL.dropWords, [all])
  await sql.unsafe(SQL.dropLongWords, [all])
  await dropTitleWords(sql, ids)
  await sql.unsafe(SQL.dropPages, [all, numberArray(staying)])
  return { pages: Number(row?.pages ?? 0), length: Number(row?.length ?? 0) }
}

async function insertPages(sql: Transaction, pages: readonly Prepared[]): Promise<void> {
  const numbers = (of: (each: Prepared) => number | null) => numberArray(pages.map(of))
  const texts = (of: (page: SearchedPage) => string) =>
    textArray(pages.map(({ page }) => wholeText(of(page))))
  await sql.unsafe(SQL.pages, [
    numbers(({ page }) => page.id),
    numbers(({ page }) => page.crawlId),
    texts(({ url }) => hostOf(url)),
    texts(({ language }) => primaryLanguage(language)),
    texts(({ kind }) => kind),
    numbers(({ page }) => Number(page.hot)),
    numbers(({ page }) => page.fetchedAt),
    numbers(({ page }) => urlKey(page.url)),
    numbers(({ page }) => linkKey(page)),
    numbers(({ length }) => length),
    titleColumn(pages.map((each) => each.titleWords)),
    numbers(({ page }) => page.publishedAt),
    numbers(({ changed }) => changed),
  ])
  const crawls = [...new Set(pages.map(({ page }) => page.crawlId))]
  await sql.unsafe(SQL.crawls, [numberArray(crawls)])
  const languages = new Set(pages.map(({ page }) => wholeText(primaryLanguage(page.language))))
  await sql.unsafe(SQL.languages, [textArray([...languages])])
}

async function insertWords(sql: Transaction, pages: readonly Prepared[]): Promise<void> {
  const [lone, long]: [WordsRow[], WordsRow[]] = [[], []]
  for (const { page, parts } of pages) {
    const rows = parts.length > 1 ? long : lone
    for (const [part, vectors] of parts.entries()) rows.push({ id: page.id, part, ...vectors })
  }
  if (lone.length > 0) await sql.unsafe(SQL.words, listsOf(lone))
  if (long.length > 0) {
    const parts = numberArray(long.map(({ part }) => part))
    await sql.unsafe(SQL.longWords, [...listsOf(long), parts])
  }
}

type WordsRow = {
  readonly id: number
  readonly part: number
  readonly words: string
  readonly stems: string
}

function listsOf(rows: readonly WordsRow[]): string[] {
  return [
    numberArray(rows.map(({ id }) => id)),
    textArray(rows.map(({ words }) => words)),
    textArray(rows.map(({ stems }) => stems)),
  ]
}

async function addWords(sql: Transaction, words: readonly ListedWord[]): Promise<void> {
  if (words.length === 0) return
  await sql.unsafe(SQL.knownWords, [
    textArray(words.map(({ word }) => initialOf(word))),
    numberArray(words.map(({ word }) => word.length)),
    textArray(words.map(({ word }) => word)),
    numberArray(words.map(({ pages }) => pages)),
  ])
}

/** Some pages of a crawl, by id. */
export async function someOf(sql: Transaction, crawlId: number, limit: number): Promise<number[]> {
  const rows: readonly Row[] = await sql`
    SELECT id FROM search.searched_pages WHERE crawl_id = ${crawlId} ORDER BY id LIMIT ${limit}`
  return rows.map(({ id }) => Number(id))
}

const SQL = {
  known: `SELECT count(*) AS pages, coalesce(sum(length), 0)::bigint AS length
    FROM search.searched_pages WHERE id = ANY ($1::bigint[])`,
  dropWords: 'DELETE FROM search.page_words WHERE page_id = ANY ($1::bigint[])',
  dropLongWords: 'DELETE FROM search.long_page_words WHERE page_id = ANY ($1::bigint[])',
  dropPages: `DELETE FROM search.searched_pages
    WHERE id = ANY ($1::bigint[]) AND id <> ALL ($2::bigint[])`,
  // A replaced page keeps its other columns.
  pages: `INSERT INTO search.searched_pages
      (id, crawl_id, host, language, kind, hot, fetched_at, url_key, link_key, length, title_words,
       published_at, changed)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[],
      $6::smallint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::integer[],
      $11::text[], $12::bigint[], $13::bigint[])
    ON CONFLICT (id) DO UPDATE SET crawl_id = excluded.crawl_id, host = excluded.host,
      language = excluded.language, kind = excluded.kind, hot = excluded.hot,
      fetched_at = excluded.fetched_at, url_key = excluded.url_key, link_key = excluded.link_key, length = excluded.length,
      title_words = excluded.title_words, published_at = excluded.published_at,
      changed = excluded.changed`,
  crawls: `INSERT INTO search.searched_crawls (id)
    SELECT * FROM unnest($1::bigint[]) ON CONFLICT DO NOTHING`,
  languages: `INSERT INTO search.searched_languages (language)
    SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING`,
  words: `INSERT INTO search.page_words (page_id, words, stems)
    SELECT id, words::tsvector, stems::tsvector
    FROM unnest($1::bigint[], $2::text[], $3::text[]) AS taken (id, words, stems)`,
  longWords: `INSERT INTO search.long_page_words (page_id, part, words, stems)
    SELECT id, part, words::tsvector, stems::tsvector
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::integer[]) AS taken (id, words, stems, part)`,
  knownWords: `INSERT INTO search.known_words AS known (initial, length, word, pages)
    SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::integer[])
    ON CONFLICT (initial, length, word) DO UPDATE SET pages = known.pages + excluded.pages`,
} as const

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
import { dropTitleWords, insertTitleWords, titleColumn } from './title-list.ts'
import type { WriteBatch } from './write-batch.ts'

/** A page ready to be written. */
type Prepared = {
  readonly page: SearchedPage
  readonly changed: number
  readonly host: string
  readonly language: string
  readonly kind: string
  readonly columns: PageColumns
  readonly text: string
  readonly title: string
}

type PreparedBatch = {
  readonly pages: readonly Prepared[]
  readonly words: readonly ListedWord[]
  readonly given: ReadonlyMap<number, readonly GivenText[]>
}

/** Does the work that needs no server. */
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
      host: wholeText(hostOf(page.url)),
      language: wholeText(primaryLanguage(page.language)),
      kind: wholeText(page.kind),
      ...{ page, columns, text, title },
    }
  })
  return { pages: prepared, words: [...counts.taken()], given }
}

export async function takeIn(
  batch: WriteBatch,
  { pages, words, given }: PreparedBatch,
  { gone, stems }: { readonly gone: readonly number[]; readonly stems: StemWords },
): Promise<void> {
  const { sql, totals } = batch
  const ids = [...pages.map(({ page }) => page.id), ...gone]
  const sketched = pages.flatMap(({ text, title }) => sketchOf(text, title) ?? [])
  const bands = [...new Set(sketched.flatMap(bandsOf))]
  const book = await PostgresClusterBook.open(sql, { ids, bands, lastCluster: totals.lastCluster })
  const clusters = new Clusters(book)
  for (const { page, text, title } of pages) clusters.put(page.id, text, title)
  for (const id of gone) clusters.drop(id)
  // If a page occurs twice, the last version counts.
  const last = new Map(pages.map((each) => [each.page.id, each]))
  for (const id of gone) last.delete(id)
  const kept = [...last.values()]
  const before = await takeOut(batch, ids, [...last.keys()])
  await insertPages(batch, kept, before)
  await takeLinks(batch, { pages: kept.map(({ page }) => page), gone, given, stems })
  await insertTitleWords(
    sql,
    kept.map(({ page }) => page.id),
  )
  for (const { doc, cluster } of await book.write()) batch.set('cluster', doc, cluster)
  totals.lastCluster = book.lastCluster
  await addWords(sql, words)
}

/** What a page keeps that comes again. */
type Former = { readonly standing: number; readonly cluster: number }

/** Pages leave with their words; they are deleted except `staying`. Returns them by id. */
async function takeOut(
  batch: WriteBatch,
  ids: readonly number[],
  staying: readonly number[],
): Promise<ReadonlyMap<number, Former>> {
  const { sql } = batch
  const all = numberArray(ids)
  const known = await sql.unsafe<Row[]>(SQL.known, [all])
  for (const { doc, length } of known) batch.leave(Number(doc), Number(length))
  await dropTitleWords(sql, ids)
  await sql.unsafe(SQL.dropPages, [all, numberArray(staying)])
  return new Map(
    known.map(({ id, standing, cluster }) => [
      Number(id),
      { standing: Number(standing), cluster: Number(cluster ?? 0) },
    ]),
  )
}

async function insertPages(
  batch: WriteBatch,
  pages: readonly Prepared[],
  before: ReadonlyMap<number, Former>,
): Promise<void> {
  if (pages.length === 0) return
  const { sql } = batch
  const numbers = await batch.numbersOf(
    pages.flatMap(({ host, language, kind }) => [host, language, kind]),
  )
  const rows = pages.map((each) => {
    const { page, columns } = each
    const { doc, length } = batch.addPage(columns)
    const row = { ...each, doc, length, key: urlKey(page.url), hot: Number(page.hot) }
    setColumns(batch, row, { numbers, former: before.get(page.id) })
    return row
  })
  const listOf = (of: (row: (typeof rows)[number]) => number) => numberArray(rows.map(of))
  await sql.unsafe(SQL.pages, [
    listOf(({ page }) => page.id),
    listOf(({ doc }) => doc),
    listOf(({ page }) => page.crawlId),
    textArray(rows.map(({ host }) => host)),
    textArray(rows.map(({ language }) => language)),
    listOf(({ length }) => length),
    listOf(({ hot }) => hot),
    listOf(({ key }) => key),
    listOf(({ page }) => linkKey(page)),
    titleColumn(rows.map(({ columns }) => titleWords(columns.title))),
  ])
  const crawls = [...new Set(pages.map(({ page }) => page.crawlId))]
  await sql.unsafe(SQL.crawls, [numberArray(crawls)])
  const languages = new Set(pages.map(({ language }) => language))
  await sql.unsafe(SQL.languages, [textArray([...languages])])
}

type WrittenPage = Prepared & {
  readonly doc: number
  readonly length: number
  readonly key: number
  readonly hot: number
}

function setColumns(
  batch: WriteBatch,
  { page, doc, length, key, hot, changed, ...texts }: WrittenPage,
  { numbers, former }: { numbers: ReadonlyMap<string, number>; former: Former | undefined },
): void {
  batch.set('id', doc, page.id)
  batch.set('length', doc, length)
  batch.set('standing', doc, former?.standing ?? 1)
  batch.set('crawl', doc, page.crawlId)
  batch.set('host', doc, numbers.get(texts.host) ?? 0)
  batch.set('language', doc, numbers.get(texts.language) ?? 0)
  batch.set('kind', doc, numbers.get(texts.kind) ?? 0)
  batch.set('hot', doc, hot)
  batch.set('changed', doc, changed)
  batch.set('fetched', doc, page.fetchedAt)
  batch.set('published', doc, page.publishedAt ?? Number.NaN)
  batch.set('urlKey', doc, key)
  batch.set('cluster', doc, former?.cluster ?? 0)
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
  known: `SELECT id, doc, length, standing, cluster FROM search.searched_pages
    WHERE id = ANY ($1::bigint[])`,
  dropPages: `DELETE FROM search.searched_pages
    WHERE id = ANY ($1::bigint[]) AND id <> ALL ($2::bigint[])`,
  // A replaced page keeps its other columns.
  pages: `INSERT INTO search.searched_pages
      (id, doc, crawl_id, host, language, length, hot, url_key, link_key, title_words)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[],
      $6::integer[], $7::smallint[], $8::bigint[], $9::bigint[], $10::text[])
    ON CONFLICT (id) DO UPDATE SET doc = excluded.doc, crawl_id = excluded.crawl_id,
      host = excluded.host, language = excluded.language, length = excluded.length,
      hot = excluded.hot, url_key = excluded.url_key, link_key = excluded.link_key,
      title_words = excluded.title_words`,
  crawls: `INSERT INTO search.searched_crawls (id)
    SELECT * FROM unnest($1::bigint[]) ON CONFLICT DO NOTHING`,
  languages: `INSERT INTO search.searched_languages (language)
    SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING`,
  knownWords: `INSERT INTO search.known_words AS known (initial, length, word, pages)
    SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::integer[])
    ON CONFLICT (initial, length, word) DO UPDATE SET pages = known.pages + excluded.pages`,
} as const

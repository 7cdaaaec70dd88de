// What links say about pages, in the tables of the index: which page says what about which other page, and the words
// of it by page. Words are written again only for pages about which something else is said than before.
import type { SearchedPage } from '../../core/page.ts'
import { hostOf } from '../../core/url.ts'
import type { Queries, Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import {
  distinctTexts,
  type GivenText,
  hostKey,
  type LinkText,
  linkKey,
  linkWords,
  MAX_HOSTS,
  TEXTS_PER_HOST,
} from '../link-texts.ts'
import type { StemWords } from '../stem-words.ts'
import type { WriteBatch } from './write-batch.ts'

type TakenLinks = {
  /** Pages that came, or came again. */
  readonly pages: readonly Pick<SearchedPage, 'id' | 'crawlId' | 'url'>[]
  readonly gone: readonly number[]
  readonly given: ReadonlyMap<number, readonly GivenText[]>
  readonly stems: StemWords
}

/** Pages themselves must have been written before. */
export async function takeLinks(batch: WriteBatch, taken: TakenLinks): Promise<void> {
  const { sql } = batch
  const { pages, gone, given, stems } = taken
  const ids = numberArray([...pages.map(({ id }) => id), ...gone])
  const more = new Map<number, number>()
  for (const { id, pages } of await sql.unsafe<Row[]>(SQL.taken, [ids])) {
    count(more, Number(id), -Number(pages))
  }
  const says = pages.map(({ id, url }) => {
    return { id, from: hostKey(hostOf(url)), texts: given.get(id) ?? [] }
  })
  const rows = await rowsOf(sql, says)
  const gives = says.flatMap(({ id, from, texts }) => {
    const all = texts.flatMap((text) => rows.get(keyOf(text, from)) ?? [])
    for (const row of all) count(more, row, 1)
    return all.length === 0 ? [] : [{ id, texts: JSON.stringify(all) }]
  })
  if (gives.length > 0) {
    const lists = [numberArray(gives.map(({ id }) => id)), textArray(gives.map((g) => g.texts))]
    await sql.unsafe(SQL.give, lists)
  }
  const targets = await counted(sql, more)
  for (const page of pages) targets.add(linkKey(page))
  await writeWords(batch, [...targets], stems)
}

type Says = { readonly from: number; readonly texts: readonly GivenText[] }

function keyOf({ target, text }: GivenText, from: number): string {
  return `${target} ${from} ${text}`
}

function count(more: Map<number, number>, id: number, by: number): void {
  more.set(id, (more.get(id) ?? 0) + by)
}

/** The numbers of texts, by `keyOf`; those that are new get one. */
async function rowsOf(
  sql: Transaction,
  says: readonly Says[],
): Promise<ReadonlyMap<string, number>> {
  const once = new Map<string, GivenText & { readonly from: number }>()
  for (const { from, texts } of says) {
    for (const given of texts) once.set(keyOf(given, from), { ...given, from })
  }
  if (once.size === 0) return new Map()
  const all = [...once.values()]
  const lists = [
    numberArray(all.map(({ target }) => target)),
    numberArray(all.map(({ from }) => from)),
    textArray(all.map(({ text }) => text)),
  ]
  await sql.unsafe(SQL.add, lists)
  const found = await sql.unsafe<Row[]>(SQL.find, lists)
  return new Map(found.map((row) => [`${row.target} ${row.from_host} ${row.text}`, Number(row.id)]))
}

/** Writes the counts. Returns the targets about which something else is said than before. */
async function counted(sql: Transaction, more: ReadonlyMap<number, number>): Promise<Set<number>> {
  if (more.size === 0) return new Set()
  const lists = [numberArray([...more.keys()]), numberArray([...more.values()])]
  const rows = await sql.unsafe<Row[]>(SQL.count, lists)
  await sql.unsafe(SQL.remove, [lists[0] ?? ''])
  return new Set(rows.map(({ target }) => Number(target)))
}

async function writeWords(
  batch: WriteBatch,
  keys: readonly number[],
  stems: StemWords,
): Promise<void> {
  const { sql } = batch
  const pages = await sql.unsafe<Row[]>(SQL.about, [numberArray(keys)])
  if (pages.length === 0) return
  const asked = new Map<string, readonly [key: number, own: number]>()
  for (const { link_key: key, host } of pages) {
    asked.set(`${key} ${host}`, [Number(key), hostKey(String(host))])
  }
  const texts = await textsAbout(sql, [...asked.values()])
  for (const row of pages) {
    const [host, language] = [String(row.host), String(row.language)]
    const said = texts.get(`${row.link_key} ${hostKey(host)}`) ?? []
    const words = said.length === 0 ? null : linkWords(said, { host, language }, stems)
    batch.addLinks(Number(row.doc), words)
  }
}

/** What links say about pages, by id. */
export async function linkTextsOfPages(
  sql: Queries,
  pages: readonly SearchedPage[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (pages.length === 0) return new Map()
  const keyed = pages.map((page) => {
    return { page, asked: [linkKey(page), hostKey(hostOf(page.url))] as const }
  })
  const texts = await textsAbout(
    sql,
    keyed.map(({ asked }) => asked),
  )
  return new Map(
    keyed.map(({ page, asked }) => {
      return [page.id, distinctTexts(texts.get(asked.join(' ')) ?? [], page.url)]
    }),
  )
}

/** By key and own host. */
async function textsAbout(
  sql: Queries,
  asked: readonly (readonly [key: number, own: number])[],
): Promise<ReadonlyMap<string, LinkText[]>> {
  const rows = await sql.unsafe<Row[]>(SQL.texts, [
    numberArray(asked.map(([key]) => key)),
    numberArray(asked.map(([, own]) => own)),
  ])
  const texts = new Map<string, LinkText[]>()
  for (const row of rows) {
    const key = `${row.key} ${row.own}`
    const known = texts.get(key) ?? []
    known.push({ from: Number(row.from_host), text: String(row.text) })
    texts.set(key, known)
  }
  return texts
}

/** The first texts of a host about a page. */
const OF_HOST = `SELECT from_host, text FROM search.link_texts
  WHERE target = asked.key AND from_host = host.from_host ORDER BY text LIMIT ${TEXTS_PER_HOST}`

const SQL = {
  taken: `WITH taken AS (DELETE FROM search.given_link_texts
      WHERE page_id = ANY ($1::bigint[]) RETURNING texts)
    SELECT id, count(*) AS pages FROM taken, unnest(texts) AS each (id) GROUP BY id`,
  add: `INSERT INTO search.link_texts (target, from_host, text, pages)
    SELECT target, from_host, text, 0
    FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS given (target, from_host, text)
    ON CONFLICT DO NOTHING`,
  find: `SELECT known.id, known.target, known.from_host, known.text
    FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS given (target, from_host, text)
      JOIN search.link_texts AS known USING (target, from_host, text)`,
  give: `INSERT INTO search.given_link_texts (page_id, texts)
    SELECT id, ARRAY(SELECT value::bigint FROM json_array_elements_text(texts::json))
    FROM unnest($1::bigint[], $2::text[]) AS given (id, texts)`,
  // Those that nobody said before, or nobody says now.
  count: `WITH counted AS (
      UPDATE search.link_texts AS known SET pages = pages + given.more
      FROM unnest($1::bigint[], $2::integer[]) AS given (id, more)
      WHERE known.id = given.id RETURNING known.target, known.pages, given.more)
    SELECT DISTINCT target FROM counted WHERE pages = 0 OR pages = more`,
  remove: 'DELETE FROM search.link_texts WHERE id = ANY ($1::bigint[]) AND pages = 0',
  about: `SELECT doc, host, language, link_key FROM search.searched_pages
    WHERE link_key = ANY ($1::bigint[]) ORDER BY doc`,
  // The own host first, then others, by their number.
  texts: `SELECT asked.key, asked.own, said.from_host, said.text
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (key, own)
    CROSS JOIN LATERAL (
      SELECT 0 AS place, asked.own AS from_host
      UNION ALL
      SELECT 1, next.from_host FROM (
        WITH RECURSIVE hosts (from_host) AS (
          (SELECT from_host FROM search.link_texts
            WHERE target = asked.key AND from_host <> asked.own ORDER BY from_host LIMIT 1)
          UNION ALL
          SELECT (SELECT later.from_host FROM search.link_texts AS later
            WHERE later.target = asked.key AND later.from_host > hosts.from_host
              AND later.from_host <> asked.own ORDER BY later.from_host LIMIT 1)
          FROM hosts WHERE hosts.from_host IS NOT NULL)
        SELECT from_host FROM hosts WHERE from_host IS NOT NULL LIMIT ${MAX_HOSTS}) AS next
    ) AS host
    CROSS JOIN LATERAL (${OF_HOST}) AS said
    ORDER BY asked.key, asked.own, host.place, said.from_host, said.text`,
} as const

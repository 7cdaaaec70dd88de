// Which pages a query means, as SQL, and the best of them.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Query } from '../query.ts'
import type { Search } from '../search-index.ts'
import type { StemWords } from '../words.ts'
import { blended } from './columns.ts'
import { type Condition, conditionsOf, sqlOf, valuesOf } from './conditions.ts'
import { formsInUse } from './forms-in-use.ts'
import { matchExpression, unwantedExpression } from './match-expression.ts'

export type MatchesOptions = {
  readonly stems: StemWords
  /** What crawls are about, by number. */
  readonly topics: ReadonlyMap<number, string>
}

/** Where matches come from, best first. */
export type Matching = {
  readonly from: string
  /** Smaller is better. */
  readonly rank: string
  readonly order: string
  readonly conditions: readonly Condition[]
}

export type Match = ReturnType<typeof matchFrom>

/** Null when there is nothing to look for. */
export function matchingOf(
  db: DatabaseSync,
  query: Query,
  { filter = {}, scoring = {} }: Pick<Search, 'filter' | 'scoring'>,
  { stems, topics }: MatchesOptions,
): Matching | null {
  const filters = conditionsOf(filter, topics)
  const formsOf = (word: string) => stems.forms(word, filter.language)
  const match = matchExpression(query, formsInUse(db, formsOf))
  if (match !== null) {
    const conditions: Condition[] = [['page_words MATCH ?', match], ...filters]
    return { from: BY_WORDS, rank: blended(scoring), order: 'rank, page.id', conditions }
  }
  const unwanted = unwantedExpression(query)
  if (unwanted === null) return null
  const conditions: Condition[] = [[WITHOUT_WORDS, unwanted], ...filters]
  // None is better than another: the newest first.
  return { from: ALL_PAGES, rank: '0', order: 'page.fetched_at DESC, page.id', conditions }
}

/** The join begins with the words, whatever the filters look like: few pages have them. */
const BY_WORDS = 'page_words CROSS JOIN searched_pages AS page ON page.id = page_words.rowid'
const ALL_PAGES = 'searched_pages AS page'
const WITHOUT_WORDS = 'page.id NOT IN (SELECT rowid FROM page_words WHERE page_words MATCH ?)'

export function bestOf(db: DatabaseSync, matching: Matching, limit: number): Match[] {
  const { from, rank, order, conditions } = matching
  const rows = db
    .prepare(`
      SELECT page.id, page.crawl_id, page.host, page.language, page.kind, page.hot, page.cluster,
        page.url_key, page.fetched_at, ${rank} AS rank
      FROM ${from} WHERE ${sqlOf(conditions)} ORDER BY ${order} LIMIT ?`)
    .all(...valuesOf(conditions), limit)
  return rows.map(matchFrom)
}

export function countOf(db: DatabaseSync, { from, conditions }: Matching): number {
  const row = db
    .prepare(`SELECT count(*) AS count FROM ${from} WHERE ${sqlOf(conditions)}`)
    .get(...valuesOf(conditions))
  return Number(row?.count ?? 0)
}

/** By id. */
export function idsOf(db: DatabaseSync, { from, conditions }: Matching): number[] {
  return db
    .prepare(`SELECT page.id FROM ${from} WHERE ${sqlOf(conditions)} ORDER BY page.id`)
    .all(...valuesOf(conditions))
    .map(({ id }) => Number(id))
}

/** Whether there are more than so many. */
export function hasMore(db: DatabaseSync, { from, conditions }: Matching, pages: number): boolean {
  const sql = `SELECT 1 FROM ${from} WHERE ${sqlOf(conditions)} LIMIT ?`
  return db.prepare(sql).all(...valuesOf(conditions), pages + 1).length > pages
}

function matchFrom(row: Readonly<Record<string, SQLOutputValue>>) {
  return {
    id: Number(row.id),
    crawlId: Number(row.crawl_id),
    host: String(row.host),
    language: String(row.language),
    kind: String(row.kind),
    hot: row.hot === 1,
    cluster: row.cluster === null ? null : Number(row.cluster),
    urlKey: Number(row.url_key),
    fetchedAt: Number(row.fetched_at),
    score: -Number(row.rank),
  }
}

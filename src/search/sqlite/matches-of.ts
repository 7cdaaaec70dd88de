// The matches of one search: how many there are, of what sort, and which of them are to be shown.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { type Folded, fold, unfolded } from '../fold.ts'
import type { Ranked } from '../hits.ts'
import { parseQuery, type Query } from '../query.ts'
import { FACET_MATCHES, type Found, type Search } from '../search-index.ts'
import type { StemWords } from '../words.ts'
import { blended } from './columns.ts'
import { type Condition, conditionsOf, sqlOf, valuesOf } from './conditions.ts'
import { facetsOf } from './facets.ts'
import { formsInUse } from './forms-in-use.ts'
import { matchExpression, unwantedExpression } from './match-expression.ts'
import { suggestionOf } from './suggest.ts'

export type Matches = Omit<Found, 'hits'> & {
  readonly query: Query
  /** Those that are to be shown. */
  readonly shown: readonly Ranked[]
}

export type MatchesOptions = {
  readonly stems: StemWords
  /** What crawls are about, by number. */
  readonly topics: ReadonlyMap<number, string>
}

/** Where matches come from, best first. */
type Matching = {
  readonly from: string
  /** Smaller is better. */
  readonly rank: string
  readonly order: string
  readonly conditions: readonly Condition[]
}

type Match = ReturnType<typeof matchFrom>

export function matchesOf(db: DatabaseSync, search: Search, options: MatchesOptions): Matches {
  const { all = false, limit, offset } = search
  const query = queryOf(search)
  const matching = matchingOf(db, query, search, options)
  const most = Math.max(FACET_MATCHES, offset + limit)
  const matches = matching === null ? [] : bestOf(db, matching, most)
  const counted = matches.slice(0, FACET_MATCHES)
  const folded = all ? unfolded(counted) : fold(counted)
  const away = counted.length - folded.shown.length
  const isWhole = matching === null || matches.length < most
  const pages = isWhole ? matches.length : countOf(db, matching)
  const end = offset + limit + away
  // What follows the counted ones is not folded; to show that, there must be enough of it.
  const enough = isWhole || end <= most ? matches : bestOf(db, matching, end)
  return {
    query,
    used: query.used,
    cut: query.cut,
    total: pages - away,
    pages,
    suggestion: suggestionOf(db, query, pages, (other) =>
      findsMore(db, { ...search, text: other }, pages, options),
    ),
    shown: shownOf(enough, folded, search),
    facets: facetsOf(counted, folded, options.topics),
  }
}

/** Whether a search finds more than so many pages. */
function findsMore(
  db: DatabaseSync,
  search: Search,
  pages: number,
  options: MatchesOptions,
): boolean {
  const matching = matchingOf(db, queryOf(search), search, options)
  if (matching === null) return false
  const { from, conditions } = matching
  const sql = `SELECT 1 FROM ${from} WHERE ${sqlOf(conditions)} LIMIT ?`
  return db.prepare(sql).all(...valuesOf(conditions), pages + 1).length > pages
}

function queryOf(search: Search): Query {
  return parseQuery(search.text, { ...search, exact: search.scoring?.stems === false })
}

/** Ids of all pages that match, by id. */
export function matchingIds(
  db: DatabaseSync,
  search: Pick<Search, 'text' | 'columns' | 'filter'>,
  options: MatchesOptions,
): number[] {
  const query = parseQuery(search.text, search)
  const matching = matchingOf(db, query, search, options)
  if (matching === null) return []
  const { from, conditions } = matching
  const sql = `SELECT page.id FROM ${from} WHERE ${sqlOf(conditions)} ORDER BY page.id`
  return db
    .prepare(sql)
    .all(...valuesOf(conditions))
    .map(({ id }) => Number(id))
}

/** Null when there is nothing to look for. */
function matchingOf(
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

function bestOf(db: DatabaseSync, matching: Matching, limit: number): Match[] {
  const { from, rank, order, conditions } = matching
  const rows = db
    .prepare(`
      SELECT page.id, page.crawl_id, page.host, page.language, page.kind, page.hot, page.cluster,
        page.url_key, ${rank} AS rank
      FROM ${from} WHERE ${sqlOf(conditions)} ORDER BY ${order} LIMIT ?`)
    .all(...valuesOf(conditions), limit)
  return rows.map(matchFrom)
}

function countOf(db: DatabaseSync, { from, conditions }: Matching): number {
  const row = db
    .prepare(`SELECT count(*) AS count FROM ${from} WHERE ${sqlOf(conditions)}`)
    .get(...valuesOf(conditions))
  return Number(row?.count ?? 0)
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
    score: -Number(row.rank),
  }
}

/** The hits among the counted matches, and all matches after them. */
function shownOf(
  matches: readonly Match[],
  { shown, others }: Folded,
  { offset, limit }: Search,
): Ranked[] {
  const ranked: Ranked[] = []
  for (let place = offset; place < offset + limit; place++) {
    const at = shown[place] ?? place - shown.length + Math.min(matches.length, FACET_MATCHES)
    const match = matches[at]
    if (match === undefined) break
    const { id, crawlId, score } = match
    ranked.push({ id, crawlId, score, others: others[place] ?? 0 })
  }
  return ranked
}

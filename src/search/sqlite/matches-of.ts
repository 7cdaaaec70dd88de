// The matches of one search: how many there are, of what sort, and which of them are to be shown.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { primaryLanguage } from '../../text/text.ts'
import type { Ranked } from '../hits.ts'
import { parseQuery, type Query } from '../query.ts'
import {
  FACET_MATCHES,
  FACET_VALUES,
  type FacetCount,
  type Facets,
  type Found,
  type Search,
  type SearchFilter,
} from '../search-index.ts'
import type { StemWords } from '../words.ts'
import { BM25 } from './columns.ts'
import { formsInUse } from './forms-in-use.ts'
import { matchExpression } from './match-expression.ts'

type Row = Readonly<Record<string, SQLOutputValue>>
type Condition = readonly [sql: string, value: string | number]

export type Matches = Omit<Found, 'hits'> & {
  readonly query: Query
  /** Those that are to be shown. */
  readonly shown: readonly Ranked[]
}

export function matchesOf(db: DatabaseSync, search: Search, stems: StemWords): Matches {
  const { text, filter = {}, limit, offset } = search
  const query = parseQuery(text)
  const { used, cut } = query
  const formsOf = (word: string) => stems.forms(word, filter.language)
  const match = matchExpression(query, formsInUse(db, formsOf))
  if (match === null) return { query, used, cut, total: 0, shown: [], facets: facetsOf([]) }
  const conditions: readonly Condition[] = [['page_words MATCH ?', match], ...conditionsOf(filter)]
  const most = Math.max(FACET_MATCHES, offset + limit)
  const rows = bestOf(db, conditions, most)
  const total = rows.length < most ? rows.length : countOf(db, conditions)
  const shown = rows.slice(offset, offset + limit).map(rankedFrom)
  return { query, used, cut, total, shown, facets: facetsOf(rows.slice(0, FACET_MATCHES)) }
}

function rankedFrom(row: Row): Ranked {
  return { id: Number(row.id), crawlId: Number(row.crawl_id), score: -Number(row.rank) }
}

function conditionsOf({ crawlId, host, language, kind, hot }: SearchFilter): Condition[] {
  const conditions: Condition[] = []
  if (crawlId !== undefined) conditions.push(['page.crawl_id = ?', crawlId])
  if (host !== undefined) conditions.push(['page.host = ?', host.toLowerCase()])
  if (language !== undefined) conditions.push(['page.language = ?', primaryLanguage(language)])
  if (kind !== undefined) conditions.push(['page.kind = ?', kind])
  if (hot !== undefined) conditions.push(['page.hot = ?', Number(hot)])
  return conditions
}

/** The join begins with the words, whatever the filters look like: few pages have them. */
const MATCHES = 'FROM page_words CROSS JOIN searched_pages AS page ON page.id = page_words.rowid'

function bestOf(db: DatabaseSync, conditions: readonly Condition[], limit: number): Row[] {
  return db
    .prepare(`
      SELECT page.id, page.crawl_id, page.host, page.language, page.kind, ${BM25} AS rank ${MATCHES}
      WHERE ${sqlOf(conditions)} ORDER BY rank, page.id LIMIT ?`)
    .all(...valuesOf(conditions), limit)
}

function countOf(db: DatabaseSync, conditions: readonly Condition[]): number {
  const row = db
    .prepare(`SELECT count(*) AS count ${MATCHES} WHERE ${sqlOf(conditions)}`)
    .get(...valuesOf(conditions))
  return Number(row?.count ?? 0)
}

function sqlOf(conditions: readonly Condition[]): string {
  return conditions.map(([sql]) => sql).join(' AND ')
}

function valuesOf(conditions: readonly Condition[]): (string | number)[] {
  return conditions.map(([, value]) => value)
}

function facetsOf(rows: readonly Row[]): Facets {
  return {
    hosts: counted(rows, 'host'),
    languages: counted(rows, 'language'),
    kinds: counted(rows, 'kind'),
    crawls: counted(rows, 'crawl_id'),
  }
}

function counted(rows: readonly Row[], column: string): FacetCount[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = String(row[column] ?? '')
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES)
}

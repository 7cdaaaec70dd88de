// Importance: the table `page_importance`.
import type { BestBy, ImportanceStore, PageImportance } from '../importance-store.ts'
import { numberOf, numberOrNull, type Row } from '../row-values.ts'
import { Conditions, type Queries, type Sql, type Work } from './sql.ts'

const ROWS_AT_ONCE = 10_000

/** What each column of the row of a page holds. */
const COLUMNS: Readonly<Record<string, (page: PageImportance, crawlId: number) => number>> = {
  crawl_id: (_, crawlId) => crawlId,
  page_id: ({ pageId }) => pageId,
  similarity: ({ similarity }) => similarity ?? Number.NaN,
  backlinks: ({ backlinks }) => backlinks,
  pagerank: ({ pagerank }) => pagerank,
  location: ({ location }) => location,
  importance: ({ importance }) => importance,
}

/** On a store that was opened for reading, only the methods of `ImportanceReader` may be called. */
export class SqlImportanceStore implements ImportanceStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async get(pageId: number): Promise<PageImportance | null> {
    const row = await this.#sql.ofPage('page_importance', '*', pageId)
    return row === undefined ? null : importanceFrom(row)
  }

  async best(
    crawlId: number,
    limit: number,
    { by = 'importance', host }: { readonly by?: BestBy; readonly host?: string } = {},
  ): Promise<readonly PageImportance[]> {
    const wanted = new Conditions()
    const crawl = wanted.hole(crawlId)
    wanted.add(`crawl_id = ${crawl}`)
    if (host !== undefined) {
      const page = `id = page_id AND crawl_id = ${crawl}`
      wanted.on(host, (hole) => `(SELECT host FROM pages WHERE ${page}) = ${hole}`)
    }
    // Many pages have as many links as others; importance has an index in the order of its ids.
    const order = by === 'backlinks' ? 'backlinks DESC, pagerank' : by
    const text = `
      SELECT * FROM page_importance WHERE ${wanted.where}
      ORDER BY ${order} DESC, page_id LIMIT ${wanted.hole(limit)}`
    return (await this.#sql.all(text, wanted.values)).map(importanceFrom)
  }

  async replace(
    crawlId: number,
    pages: Iterable<PageImportance>,
    { hotThreshold }: { readonly hotThreshold?: number } = {},
  ): Promise<number> {
    // Before anything is written: the transaction may run twice.
    const blocks = blocksOf(crawlId, pages)
    await this.#sql.transaction(function* (sql) {
      // Without this lock, two at a time would each delete what was there before both.
      yield* sql.runAll(sql.dialect.statements.lockName, [`importance ${crawlId}`])
      yield* sql.run('DELETE FROM page_importance WHERE crawl_id = $1', [crawlId])
      const columns = Object.keys(COLUMNS)
      for (const values of blocks) {
        yield* sql.insertNumbers({ table: 'page_importance', columns, values })
      }
      if (hotThreshold !== undefined) yield* markHot(sql, crawlId, hotThreshold)
    })
    return blocks.reduce((sum, [first]) => sum + (first?.length ?? 0), 0)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]()
  }
}

/** Columns of some rows each: 56 bytes per page. */
function blocksOf(crawlId: number, pages: Iterable<PageImportance>): Float64Array[][] {
  const blocks: Float64Array[][] = []
  const columns = Object.values(COLUMNS)
  let rows = 0
  for (const page of pages) {
    const at = rows++ % ROWS_AT_ONCE
    if (at === 0) blocks.push(columns.map(() => new Float64Array(ROWS_AT_ONCE)))
    for (const [nth, column] of (blocks.at(-1) ?? []).entries()) {
      column[at] = columns[nth]?.(page, crawlId) ?? 0
    }
  }
  const last = blocks.pop()
  if (last === undefined) return blocks
  return [...blocks, last.map((column) => column.subarray(0, rows - blocks.length * ROWS_AT_ONCE))]
}

/** With the lock of all that write pages or totals of the crawl. */
function* markHot(sql: Queries, crawlId: number, threshold: number): Work<void> {
  const { lockCrawl, sumHot } = sql.dialect.statements
  yield* sql.runAll(lockCrawl, [crawlId])
  yield* sql.run(MARK_PAGES, [crawlId, threshold])
  yield* sql.runAll([MARK_HOSTS, ...sumHot], [crawlId])
}

const MARK_PAGES = `
  UPDATE pages SET hot = wanted.hot
  FROM (
    SELECT p.id, CASE WHEN p.noindex = 0 AND i.importance >= $2 THEN 1 ELSE 0 END AS hot
    FROM pages p LEFT JOIN page_importance i ON i.crawl_id = $1 AND i.page_id = p.id
    WHERE p.crawl_id = $1
  ) AS wanted
  WHERE pages.crawl_id = $1 AND pages.id = wanted.id AND pages.hot <> wanted.hot`

const MARK_HOSTS = `
  WITH counted AS (
    SELECT host, count(*) AS hot FROM pages
    WHERE crawl_id = $1 AND hot = 1 AND duplicate_of IS NULL GROUP BY host
  ), wanted AS (
    SELECT t.host, coalesce(counted.hot, 0) AS hot
    FROM host_totals t LEFT JOIN counted ON counted.host = t.host WHERE t.crawl_id = $1
  )
  UPDATE host_totals SET hot = wanted.hot FROM wanted
  WHERE host_totals.crawl_id = $1 AND host_totals.host = wanted.host
    AND host_totals.hot <> wanted.hot`

function importanceFrom(row: Row): PageImportance {
  return {
    pageId: numberOf(row, 'page_id'),
    similarity: numberOrNull(row, 'similarity'),
    backlinks: numberOf(row, 'backlinks'),
    pagerank: numberOf(row, 'pagerank'),
    location: numberOf(row, 'location'),
    importance: numberOf(row, 'importance'),
  }
}

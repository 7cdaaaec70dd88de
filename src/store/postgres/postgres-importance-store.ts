// Importance in PostgreSQL: the table `page_importance` beside the pages.
import type { Postgres, Transaction } from '../../db/postgres.ts'
import type {
  BestBy,
  ImportanceReader,
  ImportanceStore,
  PageImportance,
} from '../importance-store.ts'
import { importanceFromRow } from '../reader-rows.ts'
import { ask, crawlOf } from './ask.ts'
import { Conditions } from './conditions.ts'
import { ImportanceColumns } from './importance-columns.ts'

/** The store stays its opener's. */
export function createPostgresImportanceStore(db: Postgres): ImportanceStore {
  return new PostgresImportanceStore(db)
}

export function createPostgresImportanceReader(db: Postgres): ImportanceReader {
  return new PostgresImportanceStore(db)
}

class PostgresImportanceStore implements ImportanceStore {
  readonly #db: Postgres

  constructor(db: Postgres) {
    this.#db = db
  }

  async get(pageId: number): Promise<PageImportance | null> {
    const crawlId = await crawlOf(this.#db, pageId)
    if (crawlId === null) return null
    const query = 'SELECT * FROM page_importance WHERE crawl_id = $1 AND page_id = $2'
    const [row] = await ask(this.#db, query, [crawlId, pageId])
    return row === undefined ? null : importanceFromRow(row)
  }

  async best(
    crawlId: number,
    limit: number,
    { by = 'importance', host }: { readonly by?: BestBy; readonly host?: string } = {},
  ): Promise<readonly PageImportance[]> {
    const wanted = new Conditions().add('crawl_id = ?', crawlId)
    if (host !== undefined) {
      wanted.add('page_id IN (SELECT id FROM pages WHERE crawl_id = ? AND host = ?)', crawlId, host)
    }
    const order = by === 'backlinks' ? 'backlinks DESC, pagerank' : by
    const query = `
      SELECT * FROM page_importance WHERE ${wanted.where}
      ORDER BY ${order} DESC, page_id ${wanted.bind('LIMIT ?', limit)}`
    return (await ask(this.#db, query, wanted.values)).map(importanceFromRow)
  }

  async replace(
    crawlId: number,
    pages: Iterable<PageImportance>,
    { hotThreshold }: { readonly hotThreshold?: number } = {},
  ): Promise<number> {
    // Before anything is written: the transaction may have to be done again.
    const columns = new ImportanceColumns(pages)
    await this.#db.inTransaction(async (sql) => {
      // Two at a time would each delete what was there before both.
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('jelajah importance', ${crawlId}))`
      await sql`DELETE FROM page_importance WHERE crawl_id = ${crawlId}`
      for (const part of columns.parts()) await sql.unsafe(INSERT, [crawlId, ...part])
      if (hotThreshold !== undefined) await markHot(sql, crawlId, hotThreshold)
    })
    return columns.length
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

const INSERT = `
  INSERT INTO page_importance
    (crawl_id, page_id, similarity, backlinks, pagerank, location, importance)
  SELECT $1::bigint, * FROM unnest(
    $2::bigint[], $3::float8[], $4::bigint[], $5::float8[], $6::float8[], $7::float8[])`

/** With the lock that all hold who write pages or totals of the crawl. */
async function markHot(sql: Transaction, crawlId: number, threshold: number): Promise<void> {
  await sql`SELECT FROM crawl_counts WHERE crawl_id = ${crawlId} FOR UPDATE`
  await sql`
    UPDATE pages SET hot = wanted.hot
    FROM (
      SELECT p.id, CASE WHEN p.noindex = 0 AND i.importance >= ${threshold} THEN 1 ELSE 0 END AS hot
      FROM pages p LEFT JOIN page_importance i ON i.crawl_id = ${crawlId} AND i.page_id = p.id
      WHERE p.crawl_id = ${crawlId}
    ) wanted
    WHERE pages.crawl_id = ${crawlId} AND pages.id = wanted.id AND pages.hot <> wanted.hot`
  await sql`
    WITH counted AS (
      SELECT host, count(*) AS hot FROM pages
      WHERE crawl_id = ${crawlId} AND hot = 1 AND duplicate_of IS NULL GROUP BY host
    ), wanted AS (
      SELECT t.host, coalesce(counted.hot, 0) AS hot
      FROM host_totals t LEFT JOIN counted ON counted.host = t.host WHERE t.crawl_id = ${crawlId}
    )
    UPDATE host_totals SET hot = wanted.hot FROM wanted
    WHERE host_totals.crawl_id = ${crawlId} AND host_totals.host = wanted.host
      AND host_totals.hot <> wanted.hot`
  await sql`
    UPDATE crawl_counts SET hot = (
      SELECT coalesce(sum(hot), 0) FROM host_totals WHERE crawl_id = ${crawlId})
    WHERE crawl_id = ${crawlId}`
}

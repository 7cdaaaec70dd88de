// Importance in SQLite: the table `page_importance` beside the pages.
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { inTransaction, openSqlite, openSqliteReader, whenFree } from '../../db/sqlite.ts'
import type {
  BestBy,
  ImportanceReader,
  ImportanceStore,
  PageImportance,
} from '../importance-store.ts'
import { importanceFromRow } from '../reader-rows.ts'

export async function openSqliteImportanceStore(path: string): Promise<ImportanceStore> {
  const db = openSqlite(path, { schema: 'store', durability: 'full' })
  return new SqliteImportanceStore(db, path)
}

export async function openSqliteImportanceReader(path: string): Promise<ImportanceReader> {
  const db = openSqliteReader(path, 'store')
  if (db !== null) return new SqliteImportanceStore(db, path)
  throw new CrawlerError('store-unreachable', `there is no crawl at ${path} yet`)
}

class SqliteImportanceStore implements ImportanceStore {
  readonly #db: DatabaseSync
  readonly #path: string

  constructor(db: DatabaseSync, path: string) {
    this.#db = db
    this.#path = path
  }

  async get(pageId: number): Promise<PageImportance | null> {
    const row = this.#db.prepare('SELECT * FROM page_importance WHERE page_id = ?').get(pageId)
    return row === undefined ? null : importanceFromRow(row)
  }

  async best(
    crawlId: number,
    limit: number,
    { by = 'importance', host }: { readonly by?: BestBy; readonly host?: string } = {},
  ): Promise<readonly PageImportance[]> {
    const ofHost =
      host === undefined ? '' : 'AND (SELECT host FROM pages WHERE id = page_id) = :host'
    // Many pages have as many links as others; importance has an index in the order of its ids.
    const order = by === 'backlinks' ? 'backlinks DESC, pagerank' : by
    return this.#db
      .prepare(`
        SELECT * FROM page_importance
        WHERE crawl_id = :crawlId ${ofHost} ORDER BY ${order} DESC, page_id LIMIT :limit`)
      .all({ crawlId, limit, ...(host === undefined ? {} : { host }) })
      .map(importanceFromRow)
  }

  async replace(
    crawlId: number,
    pages: Iterable<PageImportance>,
    { hotThreshold }: { readonly hotThreshold?: number } = {},
  ): Promise<number> {
    const write = (): number => {
      const written = this.#write(crawlId, pages)
      if (hotThreshold !== undefined) this.#markHot(crawlId, hotThreshold)
      return written
    }
    return whenFree(() => inTransaction(this.#db, write, this.#path))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #write(crawlId: number, pages: Iterable<PageImportance>): number {
    this.#db.prepare('DELETE FROM page_importance WHERE crawl_id = ?').run(crawlId)
    const insert = this.#db.prepare(`
      INSERT INTO page_importance
        (page_id, crawl_id, similarity, backlinks, pagerank, location, importance)
      VALUES (?, ?, ?, ?, ?, ?, ?)`)
    let written = 0
    for (const page of pages) {
      const { pageId, similarity, backlinks, pagerank, location, importance } = page
      insert.run(pageId, crawlId, similarity, backlinks, pagerank, location, importance)
      written++
    }
    return written
  }

  #markHot(crawlId: number, threshold: number): void {
    const isHot = `(noindex = 0 AND coalesce(
      (SELECT importance >= ? FROM page_importance WHERE page_id = pages.id), 0))`
    this.#db
      .prepare(`UPDATE pages SET hot = ${isHot} WHERE crawl_id = ? AND hot <> ${isHot}`)
      .run(threshold, crawlId, threshold)
    this.#db.prepare('UPDATE host_totals SET hot = 0 WHERE crawl_id = ?').run(crawlId)
    this.#db
      .prepare(`
        UPDATE host_totals SET hot = counted.hot
        FROM (SELECT host, count(*) AS hot FROM pages
          WHERE crawl_id = ?1 AND hot = 1 AND duplicate_of IS NULL GROUP BY host) AS counted
        WHERE host_totals.crawl_id = ?1 AND host_totals.host = counted.host`)
      .run(crawlId)
  }
}

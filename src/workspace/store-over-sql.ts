// Everything of a store but the writing of pages. Its queries are written once (store/sql), over the SQL that a kind of
// workspace opens; each class is loaded when it is first needed.
import { CrawlerError } from '../core/errors.ts'
import type { Sql } from '../store/sql/sql.ts'
import type { JobStoreOptions } from '../store/sql/sql-job-store.ts'
import type { StoreWorkspace } from './workspace.ts'

/** `rows`: few and small ones, beside crawls. `deliveries`: those of webhooks. `graph`: many at once. */
export type WritingOf = 'rows' | 'deliveries' | 'graph'

type OverSql = Omit<
  StoreWorkspace,
  'make' | 'checkFiles' | 'storeMark' | 'pageStore' | 'storeOfThreads'
>

export abstract class StoreOverSql implements OverSql {
  abstract readonly shown: string

  protected abstract writing(what: WritingOf): Promise<Sql>
  /** Null if there is no store. */
  protected abstract reading(): Promise<Sql | null>
  protected abstract jobOptions(sql: Sql): Promise<JobStoreOptions>

  async jobStore() {
    const { SqlJobStore } = await import('../store/sql/sql-job-store.ts')
    const sql = await this.writing('rows')
    return new SqlJobStore(sql, await this.jobOptions(sql))
  }

  async jobReader() {
    const sql = await this.reading()
    if (sql === null) return null
    const { SqlJobReader } = await import('../store/sql/sql-job-store.ts')
    return new SqlJobReader(sql)
  }

  async journal() {
    const { SqlJobJournal } = await import('../store/sql/sql-job-journal.ts')
    return new SqlJobJournal(await this.writing('rows'))
  }

  async outbox() {
    const { SqlWebhookOutbox } = await import('../store/sql/sql-webhook-outbox.ts')
    return new SqlWebhookOutbox(await this.writing('deliveries'))
  }

  async savedSearches() {
    const { SqlSavedSearches } = await import('../store/sql/sql-saved-searches.ts')
    return new SqlSavedSearches(await this.writing('rows'))
  }

  async pageReader() {
    const { SqlPageReader } = await import('../store/sql/sql-page-reader.ts')
    return new SqlPageReader(await this.#existing())
  }

  async changeFeed() {
    const sql = await this.reading()
    if (sql === null) return null
    const { SqlChangeFeed } = await import('../store/sql/sql-change-feed.ts')
    return new SqlChangeFeed(sql)
  }

  async graphReader() {
    const { SqlGraphReader } = await import('../store/sql/sql-graph-reader.ts')
    return new SqlGraphReader(await this.#existing())
  }

  async importanceStore() {
    const { SqlImportanceStore } = await import('../store/sql/sql-importance-store.ts')
    return new SqlImportanceStore(await this.writing('graph'))
  }

  async importanceReader() {
    const { SqlImportanceStore } = await import('../store/sql/sql-importance-store.ts')
    return new SqlImportanceStore(await this.#existing())
  }

  async clusterStore() {
    const { SqlClusterStore } = await import('../store/sql/sql-cluster-store.ts')
    return new SqlClusterStore(await this.writing('graph'))
  }

  async recrawlStore() {
    const { SqlRecrawlStore } = await import('../store/sql/sql-recrawl-store.ts')
    return new SqlRecrawlStore(await this.writing('rows'))
  }

  async recrawlReader() {
    const sql = await this.reading()
    if (sql === null) return null
    const { SqlRecrawlStore } = await import('../store/sql/sql-recrawl-store.ts')
    return new SqlRecrawlStore(sql)
  }

  async #existing(): Promise<Sql> {
    const sql = await this.reading()
    if (sql !== null) return sql
    throw new CrawlerError('store-unreachable', `there is no crawl in ${this.shown} yet`)
  }
}

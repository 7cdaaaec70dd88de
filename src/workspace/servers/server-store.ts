// The PostgreSQL of a workspace on servers: the store and the search index.
import type { Job } from '../../core/job.ts'
import { shownWorkspace, type WorkspaceUrl } from '../../core/workspace-url.ts'
import { StoreOverSql } from '../store-over-sql.ts'
import type { SearchSource, SearchWorkspace, StoreWorkspace } from '../workspace.ts'
import { Connections } from './connections.ts'

export class ServerStore extends StoreOverSql implements StoreWorkspace, SearchWorkspace {
  readonly text: WorkspaceUrl
  readonly shown: string
  protected readonly connections: Connections

  constructor(text: WorkspaceUrl) {
    super()
    this.text = text
    this.shown = shownWorkspace(text)
    this.connections = new Connections(text)
  }

  async make(): Promise<void> {
    await this.connections.writing()
  }

  async checkFiles(): Promise<void> {}

  /** No other database can appear under the same URL while this one is open. */
  storeMark(): string | null {
    return this.shown
  }

  /** Each connection costs the server, and a batch several round trips. */
  storeOfThreads(): null {
    return null
  }

  async pageStore(job: Job) {
    const { openPostgresPageStore } = await import('../../store/postgres/postgres-page-store.ts')
    return openPostgresPageStore({ db: await this.connections.writing(), job })
  }

  protected override async writing() {
    const { createPostgresSql } = await import('../../store/postgres/postgres-sql.ts')
    return createPostgresSql(await this.connections.writing())
  }

  protected override async reading() {
    const db = await this.connections.reading()
    if (db === null) return null
    const { createPostgresSql } = await import('../../store/postgres/postgres-sql.ts')
    return createPostgresSql(db)
  }

  protected override async jobOptions() {
    const { postgresJobOptions } = await import('../../store/postgres/postgres-store.ts')
    return postgresJobOptions(await this.connections.writing())
  }

  async searchIndex(source: SearchSource, onRebuild?: () => void) {
    const adapter = await import('../../search/postgres/open-search-index.ts')
    const db = await this.connections.writing()
    return adapter.openPostgresSearchIndex({ ...source, db }, onRebuild)
  }

  async searchReader(source: SearchSource) {
    const db = await this.connections.reading()
    if (db === null) return null
    const adapter = await import('../../search/postgres/open-search-index.ts')
    return adapter.openPostgresSearchReader({ ...source, db })
  }

  /** A rebuilt index has the same name; its readers check it each time. */
  searchMark(): string {
    return this.shown
  }

  async discardSearch(): Promise<void> {
    const adapter = await import('../../search/postgres/open-search-index.ts')
    await adapter.discardPostgresSearchIndex(await this.connections.writing())
  }

  async isUnfitSearch(error: unknown): Promise<boolean> {
    const { isUnfitPostgresIndex } = await import('../../search/postgres/open-search-index.ts')
    return isUnfitPostgresIndex(error)
  }
}

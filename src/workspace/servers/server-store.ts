// The PostgreSQL of a workspace on servers: the store and the search index.
import type { Job } from '../../core/job.ts'
import { shownWorkspace, type WorkspaceUrl } from '../../core/workspace-url.ts'
import type { SearchSource, SearchWorkspace, StoreWorkspace } from '../workspace.ts'
import { Connections } from './connections.ts'

export class ServerStore implements StoreWorkspace, SearchWorkspace {
  readonly text: WorkspaceUrl
  readonly shown: string
  protected readonly connections: Connections

  constructor(text: WorkspaceUrl) {
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

  async jobStore() {
    const { createPostgresJobStore } = await import('../../store/postgres/postgres-store.ts')
    return createPostgresJobStore(await this.connections.writing())
  }

  async jobReader() {
    const db = await this.connections.reading()
    if (db === null) return null
    const { createPostgresJobReader } = await import('../../store/postgres/postgres-store.ts')
    return createPostgresJobReader(db)
  }

  async journal() {
    const { createPostgresJobJournal } = await import('../../store/postgres/postgres-store.ts')
    return createPostgresJobJournal(await this.connections.writing())
  }

  async outbox() {
    const adapter = await import('../../store/postgres/postgres-store.ts')
    return adapter.createPostgresWebhookOutbox(await this.connections.writing())
  }

  async savedSearches() {
    const adapter = await import('../../store/postgres/postgres-store.ts')
    return adapter.createPostgresSavedSearches(await this.connections.writing())
  }

  /** Each connection costs the server, and a batch several round trips. */
  storeOfThreads(): null {
    return null
  }

  async pageStore(job: Job) {
    const { openPostgresPageStore } = await import('../../store/postgres/postgres-page-store.ts')
    return openPostgresPageStore({ db: await this.connections.writing(), job })
  }

  async recrawlStore() {
    const { createPostgresRecrawlStore } = await import('../../store/postgres/postgres-store.ts')
    return createPostgresRecrawlStore(await this.connections.writing())
  }

  async recrawlReader() {
    const db = await this.connections.reading()
    if (db === null) return null
    const { createPostgresRecrawlStore } = await import('../../store/postgres/postgres-store.ts')
    return createPostgresRecrawlStore(db)
  }

  async pageReader() {
    const { createPostgresPageReader } = await import('../../store/postgres/postgres-store.ts')
    return createPostgresPageReader(await this.connections.existing())
  }

  async changeFeed() {
    const db = await this.connections.reading()
    if (db === null) return null
    const { createPostgresChangeFeed } = await import('../../store/postgres/postgres-store.ts')
    return createPostgresChangeFeed(db)
  }

  async graphReader() {
    const adapter = await import('../../store/postgres/postgres-store.ts')
    return adapter.createPostgresGraphReader(await this.connections.existing())
  }

  async importanceStore() {
    const adapter = await import('../../store/postgres/postgres-store.ts')
    return adapter.createPostgresImportanceStore(await this.connections.writing())
  }

  async clusterStore() {
    const adapter = await import('../../store/postgres/postgres-store.ts')
    return adapter.createPostgresClusterStore(await this.connections.writing())
  }

  async importanceReader() {
    const adapter = await import('../../store/postgres/postgres-store.ts')
    return adapter.createPostgresImportanceReader(await this.connections.existing())
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

// A workspace in a folder: SQLite files, with locks beside them.
import { existsSync, rmSync, statSync } from 'node:fs'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import type { WorkspaceUrl } from '../../core/workspace-url.ts'
import type { NewRecrawl } from '../../frontier/recrawls.ts'
import { createFolder } from '../../lib/folder.ts'
import { OWN_FOLDER } from '../../lib/own-files.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'
import type {
  FrontierNeeds,
  HostLimiterNeeds,
  LockName,
  OpenFrontier,
  Reconciled,
  SearchSource,
  Workspace,
} from '../workspace.ts'
import { closeEmptyFolder, refuseForeignFolder } from './close-folder.ts'
import { refuseLostStore } from './lost-store.ts'
import {
  feedPath,
  frontierPath,
  hostLimiterPath,
  lockPath,
  searchPath,
  storePath,
} from './paths.ts'

/** How long children may take to exit; see crawl/child.ts. */
const CHILDREN_MS = 10_000

export class LocalWorkspace implements Workspace {
  readonly text: WorkspaceUrl
  readonly shown: string
  readonly folder: string
  readonly feedSocket: string
  readonly #store: string

  constructor({ data: folder, listensOn }: WorkspaceUrl) {
    this.text = { data: folder, frontier: null, ...(listensOn === undefined ? {} : { listensOn }) }
    this.shown = folder
    this.folder = folder
    this.feedSocket = feedPath(folder)
    this.#store = storePath(folder)
  }

  async make(): Promise<void> {
    refuseLostStore(this.folder)
    try {
      createFolder(this.folder, OWN_FOLDER)
      closeEmptyFolder(this.folder)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new CrawlerError('store-unreachable', `cannot create ${this.folder}: ${why}`, { cause })
    }
    refuseForeignFolder(this.folder)
  }

  async checkFiles(crawlId: number): Promise<void> {
    const { refuseDamaged } = await import('../../db/quick-check.ts')
    refuseDamaged(this.#store, 'store')
    refuseDamaged(frontierPath(this.folder, crawlId), 'frontier')
  }

  storeMark(): string | null {
    const stat = statSync(this.#store, { throwIfNoEntry: false })
    return stat === undefined ? null : `${stat.dev}:${stat.ino}`
  }

  async jobStore() {
    const { openSqliteJobStore } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteJobStore(this.#store)
  }

  async jobReader() {
    refuseLostStore(this.folder)
    const { openSqliteJobReader } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteJobReader(this.#store)
  }

  async journal() {
    const { openSqliteJobJournal } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteJobJournal(this.#store)
  }

  async outbox() {
    const { openSqliteWebhookOutbox } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteWebhookOutbox(this.#store)
  }

  async pageStore(job: Job) {
    const { openSqlitePageStore } = await import('../../store/sqlite/sqlite-page-store.ts')
    return openSqlitePageStore({ path: this.#store, job })
  }

  async pageReader() {
    const { openSqlitePageReader } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqlitePageReader(this.#store)
  }

  async changeFeed() {
    const { openSqliteChangeFeed } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteChangeFeed(this.#store)
  }

  async graphReader() {
    const { openSqliteGraphReader } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteGraphReader(this.#store)
  }

  async importanceStore() {
    const adapter = await import('../../store/sqlite/sqlite-store.ts')
    return adapter.openSqliteImportanceStore(this.#store)
  }

  async importanceReader() {
    const adapter = await import('../../store/sqlite/sqlite-store.ts')
    return adapter.openSqliteImportanceReader(this.#store)
  }

  async roundStore() {
    const { openSqliteRecrawlStore } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteRecrawlStore(this.#store)
  }

  async roundReader() {
    const { openSqliteRecrawlReader } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteRecrawlReader(this.#store)
  }

  async beginRun(): Promise<readonly string[]> {
    return []
  }

  async frontier(needs: FrontierNeeds): Promise<OpenFrontier> {
    const { openSqliteFrontier } = await import('../../frontier/sqlite/sqlite-frontier.ts')
    const path = frontierPath(this.folder, needs.job.id)
    return { frontier: await openSqliteFrontier({ ...needs, path }), clock: needs.clock }
  }

  async reconcile(
    needs: FrontierNeeds,
    onBusy: (text: string) => void,
  ): Promise<Reconciled | null> {
    const { isAtOdds, reconcileFolder } = await import('./reconcile-folder.ts')
    const files = this.#filesOf(needs)
    if (!existsSync(files.frontier) || !isAtOdds(files)) return null
    onBusy('putting the frontier right with the store')
    await using _alone = await this.#alone(needs.job.id)
    return isAtOdds(files) ? reconcileFolder(files) : null
  }

  /** The old file is kept beside it. */
  async rebuildFrontier(needs: FrontierNeeds): Promise<number | null> {
    const { rebuildInFolder } = await import('./rebuild-in-folder.ts')
    await using _alone = await this.#alone(needs.job.id)
    return rebuildInFolder(this.#filesOf(needs))
  }

  #filesOf(needs: FrontierNeeds) {
    return { needs, store: this.#store, frontier: frontierPath(this.folder, needs.job.id) }
  }

  /** Waits until the children of a killed run have exited. */
  async #alone(crawlId: number): Promise<AsyncDisposable> {
    await using locks = new ResourceStack()
    locks.use(await this.waitForLock(`scouter-${crawlId}`, CHILDREN_MS))
    locks.use(await this.waitForLock(`parser-${crawlId}`, CHILDREN_MS))
    return locks.move()
  }

  async hasFrontier(crawlId: number): Promise<boolean> {
    return existsSync(frontierPath(this.folder, crawlId))
  }

  frontierMissing(crawlId: number, stored: number): CrawlerError {
    const what = `${frontierPath(this.folder, crawlId)} is missing, though this crawl has ${stored} pages`
    const cure = "Put it back, or let 'jelajah doctor --rebuild-frontier' make it again from them."
    return new CrawlerError('store-damaged', `${what}. ${cure}`)
  }

  async copiedLedger(): Promise<null> {
    return null
  }

  async ledger(job: Job) {
    const path = frontierPath(this.folder, job.id)
    if (!existsSync(path)) return null
    const { findSqliteUrlStates } = await import('../../frontier/sqlite/sqlite-url-states.ts')
    return findSqliteUrlStates(path, job)
  }

  async beginRound(round: NewRecrawl): Promise<void> {
    const { beginSqliteRecrawl } = await import('../../frontier/sqlite/sqlite-frontier.ts')
    return beginSqliteRecrawl(frontierPath(this.folder, round.job.id), round)
  }

  async hostTurns({ holder, clock }: HostLimiterNeeds) {
    const { openSqliteHostTurns } = await import('../../scouter/sqlite/sqlite-host-limiter.ts')
    return openSqliteHostTurns({ holder, clock, path: hostLimiterPath(this.folder) })
  }

  async searchIndex(source: SearchSource, onAnew?: () => void) {
    const { openSqliteSearchIndex } = await import('../../search/sqlite/open-search-index.ts')
    return openSqliteSearchIndex({ ...source, path: searchPath(this.folder) }, onAnew)
  }

  async searchReader(source: SearchSource) {
    const { openSqliteSearchReader } = await import('../../search/sqlite/open-search-index.ts')
    return openSqliteSearchReader({ ...source, path: searchPath(this.folder) })
  }

  /** File numbers alone are reused. */
  searchMark(): string {
    const file = statSync(searchPath(this.folder), { throwIfNoEntry: false })
    return file === undefined ? '' : `${file.dev} ${file.ino} ${file.birthtimeMs}`
  }

  async discardSearch(): Promise<void> {
    const { discardSqliteSearchIndex } = await import('../../search/sqlite/open-search-index.ts')
    discardSqliteSearchIndex(searchPath(this.folder))
  }

  async isUnfitSearch(error: unknown): Promise<boolean> {
    const { isUnfit } = await import('../../search/sqlite/open-search-index.ts')
    return isUnfit(error)
  }

  async lock(name: LockName): Promise<AsyncDisposable | null> {
    const { openLock } = await import('../../db/lock.ts')
    return openLock(lockPath(this.folder, name))
  }

  async waitForLock(name: LockName, forMs: number, signal?: AbortSignal): Promise<AsyncDisposable> {
    const { waitForLock } = await import('../../db/lock.ts')
    return waitForLock(lockPath(this.folder, name), forMs, signal === undefined ? {} : { signal })
  }

  async isLocked(name: LockName): Promise<boolean> {
    const { lockIsHeld } = await import('../../db/lock.ts')
    return lockIsHeld(lockPath(this.folder, name))
  }

  /** A lock of the operating system does not name its holder. */
  async holderOf(): Promise<string | null> {
    return null
  }

  async workers(): Promise<null> {
    return null
  }

  async fleet(): Promise<null> {
    return null
  }

  async clocks(): Promise<readonly []> {
    return []
  }

  async warnings(): Promise<readonly []> {
    return []
  }

  async discard(crawlId: number): Promise<void> {
    const frontier = frontierPath(this.folder, crawlId)
    const names = [`scouter-${crawlId}`, `parser-${crawlId}`, `crawl-${crawlId}`] as const
    const locks = names.map((name) => lockPath(this.folder, name))
    for (const file of [
      frontier,
      ...[`-wal`, `-shm`, `.damaged`].map((end) => `${frontier}${end}`),
      ...locks,
    ]) {
      rmSync(file, { force: true })
    }
  }

  async emptyLogs(crawlId: number | null): Promise<void> {
    const { emptyLog } = await import('../../db/sqlite.ts')
    if (crawlId !== null) emptyLog(frontierPath(this.folder, crawlId))
    emptyLog(this.#store)
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

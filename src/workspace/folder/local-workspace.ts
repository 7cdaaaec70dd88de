// A workspace in a folder: SQLite files, with locks beside them.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import { ONLY_PAIR, type Pair } from '../../core/pair.ts'
import type { WorkspaceUrl } from '../../core/workspace-url.ts'
import type { NewRecrawl } from '../../frontier/recrawls.ts'
import { createFolder } from '../../lib/folder.ts'
import { moduleBeside } from '../../lib/module-beside.ts'
import { OWN_FOLDER } from '../../lib/own-files.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'
import type { Sql } from '../../store/sql/sql.ts'
import { StoreOverSql, type WritingOf } from '../store-over-sql.ts'
import {
  type BegunRun,
  childLock,
  type FrontierNeeds,
  type HostLimiterNeeds,
  type LockName,
  type OpenFrontier,
  type Reconciled,
  type SearchSource,
  type WaitingResults,
  type Workspace,
} from '../workspace.ts'
import { closeEmptyFolder, refuseForeignFolder } from './close-folder.ts'
import { DividedFrontier } from './divided-frontier.ts'
import { refuseLostStore } from './lost-store.ts'
import {
  feedPath,
  frontierFolder,
  frontierPath,
  hostLimiterPath,
  lockPath,
  runFolder,
  searchPath,
  storePath,
} from './paths.ts'

/** How long children may take to exit; see crawl/child.ts. */
const CHILDREN_MS = 10_000

export class LocalWorkspace extends StoreOverSql implements Workspace {
  readonly text: WorkspaceUrl
  readonly shown: string
  readonly folder: string
  readonly feedSocket: string
  readonly #store: string
  readonly #divided: DividedFrontier

  constructor({ data: folder, listensOn }: WorkspaceUrl) {
    super()
    this.text = { data: folder, frontier: null, ...(listensOn === undefined ? {} : { listensOn }) }
    this.shown = folder
    this.folder = folder
    this.feedSocket = feedPath(folder)
    this.#store = storePath(folder)
    this.#divided = new DividedFrontier(folder)
  }

  async make(): Promise<void> {
    refuseLostStore(this.folder)
    try {
      createFolder(this.folder, OWN_FOLDER)
      closeEmptyFolder(this.folder)
    } catch (cause) {
      // Node repeats the call and the path.
      const why = String(cause instanceof Error ? cause.message : cause).replace(/, \w+ '.*'$/s, '')
      const message = `cannot create ${this.folder}: ${why}. Choose a folder that this user can write.`
      throw new CrawlerError('store-unreachable', message, { cause })
    }
    refuseForeignFolder(this.folder)
  }

  async checkFiles(crawlId: number): Promise<void> {
    const { refuseDamaged } = await import('../../db/quick-check.ts')
    refuseDamaged(this.#store, 'store')
    for (const path of await this.#frontierFiles(crawlId)) refuseDamaged(path, 'frontier')
  }

  storeMark(): string | null {
    const stat = statSync(this.#store, { throwIfNoEntry: false })
    return stat === undefined ? null : `${stat.dev}:${stat.ino}`
  }

  override async jobReader() {
    refuseLostStore(this.folder)
    return super.jobReader()
  }

  async pageStore(job: Job, pair: Pair = ONLY_PAIR) {
    const { openSqlitePageStore } = await import('../../store/sqlite/sqlite-page-store.ts')
    return openSqlitePageStore({ path: this.#store, job, pair })
  }

  storeOfThreads(job: Job, pair: Pair = ONLY_PAIR) {
    const { href: module } = moduleBeside(import.meta, 'store-of-thread')
    // What the crawl looks for may be large, and the store need not know it.
    return { module, options: { path: this.#store, job: { ...job, topic: null }, pair } }
  }

  protected override async writing(what: WritingOf) {
    const store = await import('../../store/sqlite/sqlite-store.ts')
    const options = { rows: store.FEW_ROWS, deliveries: store.DELIVERIES, graph: store.MANY_ROWS }
    return store.openSqliteStore(this.#store, options[what])
  }

  protected override async reading() {
    const { openSqliteStoreReader } = await import('../../store/sqlite/sqlite-store.ts')
    return openSqliteStoreReader(this.#store)
  }

  protected override async jobOptions(sql: Sql) {
    const { sqliteJobOptions } = await import('../../store/sqlite/sqlite-store.ts')
    return sqliteJobOptions(this.#store, sql)
  }

  async beginRun(needs: FrontierNeeds, waiting?: WaitingResults): Promise<BegunRun> {
    // Processes of a killed run, however many they were, are gone before a partition changes hands.
    await using _alone = this.#divided.has(needs.job.id) ? await this.#alone(needs.job.id) : null
    return this.#divided.begin(needs, waiting)
  }

  async frontier(needs: FrontierNeeds, pair: Pair = ONLY_PAIR): Promise<OpenFrontier> {
    const { clock } = needs
    const { id } = needs.job
    if (this.#divided.has(id)) return { frontier: await this.#divided.open(needs, pair), clock }
    const { openSqliteFrontier } = await import('../../frontier/sqlite/sqlite-frontier.ts')
    const path = frontierPath(this.folder, id)
    return { frontier: await openSqliteFrontier({ ...needs, path }), clock }
  }

  async reconcile(
    needs: FrontierNeeds,
    onBusy: (text: string) => void,
  ): Promise<Reconciled | null> {
    const files = await this.#filesOf(needs)
    if (!files.frontiers.every((path) => existsSync(path))) return null
    const { isAtOdds, reconcileFolder } = await import('./reconcile-folder.ts')
    if (!isAtOdds(files)) return null
    onBusy('putting the frontier right with the store')
    await using _alone = await this.#alone(needs.job.id)
    return isAtOdds(files) ? reconcileFolder(files) : null
  }

  /** The old files are kept beside it. */
  async rebuildFrontier(needs: FrontierNeeds): Promise<number | null> {
    const { rebuildInFolder } = await import('./reconcile-folder.ts')
    await using _alone = await this.#alone(needs.job.id)
    return rebuildInFolder(await this.#filesOf(needs))
  }

  async #filesOf(needs: FrontierNeeds) {
    const { id } = needs.job
    const store = this.#store
    const path = frontierPath(this.folder, id)
    if (!this.#divided.has(id)) {
      const open = async () => {
        const { openSqliteFrontier } = await import('../../frontier/sqlite/sqlite-frontier.ts')
        return openSqliteFrontier({ ...needs, path })
      }
      return { needs, store, path, frontiers: [path], open, make: async () => [path] }
    }
    const folder = frontierFolder(this.folder, id)
    const divided = this.#divided
    return {
      ...{ needs, store, path: folder },
      // If a part is missing, a path in its folder stands for it.
      frontiers: (await divided.paths(id)) ?? [`${folder}/missing`],
      open: () => divided.openWhole(needs),
      make: async () => {
        divided[Symbol.dispose]()
        await divided.make(needs)
        return (await divided.paths(id)) ?? []
      },
    }
  }

  /** Waits until the children of a killed run have exited. */
  async #alone(crawlId: number): Promise<AsyncDisposable> {
    await using locks = new ResourceStack()
    for (const name of this.#childLocks(crawlId)) {
      locks.use(await this.waitForLock(name, CHILDREN_MS))
    }
    return locks.move()
  }

  /** Those of the first pair, and of others that were ever at work. */
  #childLocks(crawlId: number): readonly LockName[] {
    const pairs = new Set([0])
    const ofPair = new RegExp(`^(?:scouter|parser)-${crawlId}-(\\d+)\\.lock$`)
    const folder = runFolder(this.folder)
    for (const file of existsSync(folder) ? readdirSync(folder) : []) {
      const [, nth] = ofPair.exec(file) ?? []
      if (nth !== undefined) pairs.add(Number(nth))
    }
    const roles = ['scouter', 'parser'] as const
    return [...pairs].flatMap((nth) =>
      roles.map((role) => childLock(role, crawlId, { nth, of: pairs.size })),
    )
  }

  async hasFrontier(crawlId: number): Promise<boolean> {
    if (this.#divided.has(crawlId)) return (await this.#divided.paths(crawlId)) !== null
    return existsSync(frontierPath(this.folder, crawlId))
  }

  frontierMissing(crawlId: number, stored: number): CrawlerError {
    const path = this.#divided.has(crawlId)
      ? `a part of ${frontierFolder(this.folder, crawlId)}`
      : frontierPath(this.folder, crawlId)
    const what = `${path} is missing, though this crawl has ${stored} pages`
    const cure = "Put it back, or let 'jelajah doctor --rebuild-frontier' make it again from them."
    return new CrawlerError('store-damaged', `${what}. ${cure}`)
  }

  async copiedUrlStates(): Promise<null> {
    return null
  }

  async urlStates(job: Job) {
    if (this.#divided.has(job.id)) return this.#divided.states(job)
    const path = frontierPath(this.folder, job.id)
    if (!existsSync(path)) return null
    const { findSqliteUrlStates } = await import('../../frontier/sqlite/sqlite-url-states.ts')
    return findSqliteUrlStates(path, job)
  }

  async beginRecrawl(round: NewRecrawl): Promise<void> {
    if (this.#divided.has(round.job.id)) return this.#divided.beginRecrawl(round)
    const { beginSqliteRecrawl } = await import('../../frontier/sqlite/sqlite-frontier.ts')
    return beginSqliteRecrawl(frontierPath(this.folder, round.job.id), round)
  }

  async hostLimiter({ holder: crawl, clock, pair }: HostLimiterNeeds) {
    const { openSqliteHostLimiter } = await import('../../scouter/sqlite/sqlite-host-limiter.ts')
    // Scouters of one crawl have names of their own, which begin with that of the crawl.
    const holder = pair === undefined || pair.nth === 0 ? crawl : `${crawl} ${pair.nth}`
    return openSqliteHostLimiter({ holder, clock, path: hostLimiterPath(this.folder) })
  }

  async searchIndex(source: SearchSource, onRebuild?: () => void) {
    const { openSqliteSearchIndex } = await import('../../search/sqlite/open-search-index.ts')
    return openSqliteSearchIndex({ ...source, path: searchPath(this.folder) }, onRebuild)
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

  async waitForLock(name: LockName, forMs: number): Promise<AsyncDisposable> {
    const { waitForLock } = await import('../../db/lock.ts')
    return waitForLock(lockPath(this.folder, name), forMs)
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
    const names = [...this.#childLocks(crawlId), `crawl-${crawlId}` as const]
    const locks = names.map((name) => lockPath(this.folder, name))
    this.#divided.discard(crawlId)
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
    for (const path of crawlId === null ? [] : await this.#frontierFiles(crawlId)) emptyLog(path)
    emptyLog(this.#store)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#divided[Symbol.dispose]()
  }

  async #frontierFiles(crawlId: number): Promise<readonly string[]> {
    if (!this.#divided.has(crawlId)) return [frontierPath(this.folder, crawlId)]
    return (await this.#divided.paths(crawlId)) ?? []
  }
}

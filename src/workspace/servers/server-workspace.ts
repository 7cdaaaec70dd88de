// A workspace on servers: the store, the search index and the frontier in PostgreSQL; the frontier may be in a
// Redis instead. This machine only has a socket for listeners of the feed.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type CrawlerError, InvalidInput } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import {
  leaseMsOf,
  type WorkspaceUrl,
  withoutParameters,
  withoutPassword,
} from '../../core/workspace-url.ts'
import type { Postgres } from '../../db/postgres.ts'
import type { Announcement, WorkerRegistry } from '../../fleet/worker-registry.ts'
import type { NewRecrawl } from '../../frontier/recrawls.ts'
import type { UrlStates } from '../../frontier/url-states.ts'
import type { HostLimiter } from '../../scouter/host-limiter.ts'
import type { LimiterStorage } from '../../scouter/limiter/storage.ts'
import type {
  BegunRun,
  FrontierNeeds,
  HostLimiterNeeds,
  LockName,
  OpenFrontier,
  Workspace,
} from '../workspace.ts'
import { machineFolder } from './machine-folder.ts'
import { ServerFrontier } from './server-frontier.ts'
import { ServerLocks } from './server-locks.ts'
import { ServerStore } from './server-store.ts'

/** Several writers would have to agree on the least important page. */
const IN_A_FOLDER =
  'works for crawls in a folder only, not in a database: leave it away, or give --data DIR'

export class ServerWorkspace extends ServerStore implements Workspace {
  readonly folder = null
  readonly feedSocket: string
  readonly #locks: ServerLocks
  readonly #frontier: ServerFrontier

  constructor(text: WorkspaceUrl) {
    super(text)
    const folder = machineFolder(withoutParameters(text.data))
    const { connections } = this
    this.#locks = new ServerLocks({ text, connections, machineFolder: folder })
    this.#frontier = new ServerFrontier(text, connections)
    this.feedSocket = join(folder, 'feed.sock')
  }

  async beginRun(needs: FrontierNeeds): Promise<BegunRun> {
    const { id, settings } = needs.job
    if (settings.keepBest !== null) throw new InvalidInput('--keep-best', IN_A_FOLDER)
    await using pages = await this.pageReader()
    const { stored } = await pages.totals(id)
    if (stored > 0 && !(await this.#frontier.has(id))) throw this.frontierMissing(id, stored)
    const takeOver = !(await isSharedNow(await this.workers(), id))
    if (takeOver) await this.#endSlots(`crawl ${id}`)
    const notices = await this.#frontier.begin(needs, takeOver)
    if (takeOver) {
      const { takeOverReceipts } = await import('../../store/postgres/postgres-store.ts')
      await takeOverReceipts(await this.connections.writing(), id)
    }
    return { notices, pairs: 1 }
  }

  async frontier(needs: FrontierNeeds): Promise<OpenFrontier> {
    const frontier = await this.#frontier.open(needs)
    return { frontier, clock: frontier.clock }
  }

  /** URLs that a server forgot are fetched again; a frontier that was lost is rebuilt. */
  async reconcile(): Promise<null> {
    return null
  }

  rebuildFrontier(needs: FrontierNeeds): Promise<number | null> {
    return this.#frontier.rebuild(needs)
  }

  hasFrontier(crawlId: number): Promise<boolean> {
    return this.#frontier.has(crawlId)
  }

  async beginRecrawl(round: NewRecrawl): Promise<void> {
    await this.#frontier.beginRecrawl(round)
  }

  /** Crawls of earlier versions have left a copy of their states in the database. */
  async urlStates(job: Job): Promise<UrlStates | null> {
    return (await this.#frontier.states(job)) ?? this.copiedUrlStates(job)
  }

  async copiedUrlStates(job: Job): Promise<UrlStates | null> {
    const db = await this.connections.reading()
    if (db === null) return null
    const { findCopiedUrlStates } = await import('../../frontier/postgres/copied-url-states.ts')
    return findCopiedUrlStates(db, job.id)
  }

  async hostLimiter({ isShared = false, ...options }: HostLimiterNeeds): Promise<HostLimiter> {
    const { openSharedHostLimiter } = await import('../../scouter/limiter/shared-host-limiter.ts')
    // The processes of a crawl have names of their own, which begin with that of the crawl.
    const holder = isShared ? `${options.holder} ${randomUUID()}` : options.holder
    const [storage, leaseMs] = [await this.#limiterStorage(), leaseMsOf(this.text)]
    return openSharedHostLimiter({ ...options, holder, storage, leaseMs })
  }

  /** No process of this crawl is alive. */
  async #endSlots(crawl: string): Promise<void> {
    const { endMembersOf } = await import('../../scouter/limiter/queue-rows.ts')
    await endMembersOf(await this.#limiterStorage(), crawl)
  }

  async #limiterStorage(): Promise<LimiterStorage> {
    if (this.text.frontier === null) {
      const adapter = await import('../../scouter/postgres/postgres-limiter-storage.ts')
      return adapter.createPostgresLimiterStorage({ db: await this.connections.writing() })
    }
    const adapter = await import('../../scouter/redis/redis-limiter-storage.ts')
    return adapter.createRedisLimiterStorage({ connection: await this.connections.redis() })
  }

  frontierMissing(crawlId: number, stored: number): CrawlerError {
    return this.#frontier.missing(crawlId, stored)
  }

  async workers() {
    const workerMs = leaseMsOf(this.text)
    if (this.text.frontier === null) {
      const adapter = await import('../../fleet/postgres/postgres-worker-registry.ts')
      const tables = {
        writing: () => this.connections.writing(),
        reading: () => this.connections.reading(),
      }
      return adapter.createPostgresWorkerRegistry({ ...tables, workerMs })
    }
    const adapter = await import('../../fleet/redis/redis-worker-registry.ts')
    const connection = await this.connections.redis()
    return adapter.createRedisWorkerRegistry({ connection, workerMs })
  }

  async fleet() {
    if (this.text.frontier === null) {
      const { PostgresFleet } = await import('./postgres-fleet.ts')
      return new PostgresFleet(this.text)
    }
    const { ServerFleet } = await import('./server-fleet.ts')
    return new ServerFleet(this.text)
  }

  async clocks() {
    const db = await this.connections.reading()
    const clocks = db === null ? [] : [{ of: this.shown, now: await postgresTime(db) }]
    if (this.text.frontier === null) return clocks
    const now = await (await this.workers()).now()
    return [...clocks, { of: withoutPassword(this.text.frontier), now }]
  }

  async warnings(): Promise<readonly string[]> {
    return this.text.frontier === null ? [] : (await this.connections.redis()).warnings
  }

  lock(name: LockName) {
    return this.#locks.lock(name)
  }

  waitForLock(name: LockName, forMs: number) {
    return this.#locks.waitForLock(name, forMs)
  }

  isLocked(name: LockName) {
    return this.#locks.isLocked(name)
  }

  holderOf(name: LockName) {
    return this.#locks.holderOf(name)
  }

  async discard(crawlId: number): Promise<void> {
    await this.#frontier.discard(crawlId)
  }

  async emptyLogs(): Promise<void> {}

  [Symbol.asyncDispose](): Promise<void> {
    return this.connections[Symbol.asyncDispose]()
  }
}

async function postgresTime(db: Postgres): Promise<number> {
  const [row] = await db.run(
    (sql) => sql`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`,
  )
  return Number(row?.now)
}

/**
 * Whether any process works on a crawl now. A new run may take over leases of the last one at once only if
 * none does; leases held by others expire by themselves. A dead owner counts until it is forgotten, unless
 * it was on this machine, where that can be checked.
 */
export async function isSharedNow(
  registry: Pick<WorkerRegistry, 'workers' | 'announcements'>,
  crawlId: number,
): Promise<boolean> {
  const workers = await registry.workers()
  const shares = workers.flatMap((worker) => worker.shares)
  if (shares.some(({ crawl, pairs }) => crawl === crawlId && pairs > 0)) return true
  const runs = await registry.announcements()
  return runs.some(({ crawl, phase, owner }) => {
    return crawl === crawlId && phase !== 'over' && mayLive(owner)
  })
}

/** Runs of this process have ended: they ended before another began. */
function mayLive({ machine, pid }: Announcement['owner']): boolean {
  if (machine !== hostname()) return true
  return pid !== process.pid && isThere(pid)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

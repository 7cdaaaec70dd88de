// A workspace on servers: the store and the search index in PostgreSQL, the frontier in Redis. This machine
// only has a socket for listeners of the feed.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import {
  leaseMsOf,
  type WorkspaceUrl,
  withoutLease,
  withoutPassword,
} from '../../core/workspace-url.ts'
import type { Postgres } from '../../db/postgres.ts'
import type { RedisConnection } from '../../db/redis.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { NewRecrawl } from '../../frontier/recrawls.ts'
import type { UrlStates } from '../../frontier/url-states.ts'
import type { HostLimiter } from '../../scouter/host-limiter.ts'
import type { LimiterStorage } from '../../scouter/limiter/storage.ts'
import type {
  FrontierNeeds,
  HostLimiterNeeds,
  LockName,
  OpenFrontier,
  Workspace,
} from '../workspace.ts'
import { machineFolder } from './machine-folder.ts'
import { ServerLocks } from './server-locks.ts'
import { ServerStore } from './server-store.ts'
import { isSharedNow } from './shared-now.ts'

export class ServerWorkspace extends ServerStore implements Workspace {
  readonly folder = null
  readonly feedSocket: string
  readonly #locks: ServerLocks

  constructor(text: WorkspaceUrl) {
    super(text)
    const folder = machineFolder(withoutLease(text.data))
    const { connections } = this
    this.#locks = new ServerLocks({ text, connections, machineFolder: folder })
    this.feedSocket = join(folder, 'feed.sock')
  }

  async beginRun(needs: FrontierNeeds): Promise<readonly string[]> {
    const { id } = needs.job
    await using pages = await this.pageReader()
    const mustExist = (await pages.totals(id)).stored > 0
    const takeOver = !(await isSharedNow(await this.workers(), id))
    if (takeOver) await this.#endTurns(`crawl ${id}`)
    await using _begun = await this.#openFrontier({ ...needs, mustExist, takeOver })
    if (takeOver) {
      const { takeOverReceipts } = await import('../../store/postgres/postgres-store.ts')
      await takeOverReceipts(await this.connections.writing(), id)
    }
    const { shardsNotice } = await import('../../frontier/redis/whole-frontier.ts')
    const notice = await shardsNotice(await this.connections.redis(), id)
    return notice === null ? [] : [notice]
  }

  async frontier(needs: FrontierNeeds): Promise<OpenFrontier> {
    return { frontier: await this.#openFrontier({ ...needs, joins: true }), clock: needs.clock }
  }

  async #openFrontier(
    needs: FrontierNeeds & Partial<Record<'joins' | 'mustExist' | 'takeOver', boolean>>,
  ): Promise<Frontier> {
    const { openWholeFrontier } = await import('../../frontier/redis/whole-frontier.ts')
    const connection = await this.connections.redis()
    const sessionMs = leaseMsOf(this.text)
    return openWholeFrontier({ ...needs, connection, sessionMs, keepsChanges: true })
  }

  async copying(
    { id: crawlId }: Job,
    onError: (error: unknown) => void = () => {},
  ): Promise<AsyncDisposable> {
    const { startCopying } = await import('./copy-states.ts')
    const { createWholeUrlChanges } = await import('../../frontier/redis/sharded-url-changes.ts')
    const { createPostgresUrlStateCopy } = await import(
      '../../store/postgres/postgres-url-state-copy.ts'
    )
    const states = createPostgresUrlStateCopy(await this.connections.writing())
    const connection = await this.connections.redis()
    const shards = await shardsOf(connection, crawlId)
    const changes = createWholeUrlChanges(connection, crawlId, shards)
    return startCopying({ crawlId, changes, states, onError })
  }

  /** URLs that a server forgot are fetched again; a frontier that was lost is rebuilt. */
  async reconcile(): Promise<null> {
    return null
  }

  async rebuildFrontier(
    needs: FrontierNeeds,
    onProgress?: (urls: number) => void,
  ): Promise<number | null> {
    const { rebuildFrontier } = await import('./rebuild-frontier.ts')
    const [db, connection] = [await this.connections.writing(), await this.connections.redis()]
    if ((await this.#liveLedger(needs.job)) !== null) return null
    return rebuildFrontier({
      ...{ db, connection, needs },
      ...(onProgress === undefined ? {} : { onProgress }),
    })
  }

  async hasFrontier(crawlId: number): Promise<boolean> {
    const { isWhole, knownShards } = await import('../../frontier/redis/shard-count.ts')
    const connection = await this.connections.redis()
    const shards = await knownShards(connection, crawlId)
    return shards !== null && (await isWhole(connection, crawlId, shards))
  }

  async beginRound(round: NewRecrawl): Promise<void> {
    const { beginWholeRecrawl } = await import('../../frontier/redis/whole-frontier.ts')
    await beginWholeRecrawl({ connection: await this.connections.redis() }, round)
  }

  /** If no frontier server is given, or the frontier was lost, its copy is read. */
  async ledger(job: Job): Promise<UrlStates | null> {
    const live = this.text.frontier === null ? null : await this.#liveLedger(job)
    return live ?? this.copiedLedger(job)
  }

  async copiedLedger(job: Job): Promise<UrlStates | null> {
    const db = await this.connections.reading()
    if (db === null) return null
    const { findCopiedUrlStates } = await import('../../frontier/postgres/copied-url-states.ts')
    return findCopiedUrlStates(db, job.id)
  }

  async #liveLedger(job: Job): Promise<UrlStates | null> {
    const { findWholeUrlStates } = await import('../../frontier/redis/whole-frontier.ts')
    return findWholeUrlStates({ connection: await this.connections.redis() }, job)
  }

  async hostTurns({ isShared = false, ...options }: HostLimiterNeeds): Promise<HostLimiter> {
    const { openSharedHostLimiter } = await import('../../scouter/limiter/shared-host-limiter.ts')
    // The processes of a crawl have names of their own, which begin with that of the crawl.
    const holder = isShared ? `${options.holder} ${randomUUID()}` : options.holder
    const [storage, leaseMs] = [await this.#limiterStorage(), leaseMsOf(this.text)]
    return openSharedHostLimiter({ ...options, holder, storage, leaseMs })
  }

  /** No process of this crawl is alive. */
  async #endTurns(crawl: string): Promise<void> {
    const { endMembersOf } = await import('../../scouter/limiter/end-members.ts')
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
    const where = withoutPassword(this.text.frontier ?? 'Redis')
    const what = `the frontier of crawl ${crawlId} is not in ${where}, though it has ${stored} pages`
    const hint = "'jelajah doctor --rebuild-frontier' makes it again; or use --fresh."
    return new CrawlerError('store-damaged', `${what}. ${hint}`)
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

  waitForLock(name: LockName, forMs: number, signal?: AbortSignal) {
    return this.#locks.waitForLock(name, forMs, signal)
  }

  isLocked(name: LockName) {
    return this.#locks.isLocked(name)
  }

  holderOf(name: LockName) {
    return this.#locks.holderOf(name)
  }

  async discard(crawlId: number): Promise<void> {
    const { discardRedisFrontier } = await import('../../frontier/redis/rebuild.ts')
    const connection = await this.connections.redis()
    await discardRedisFrontier(connection, crawlId, await shardsOf(connection, crawlId))
  }

  async emptyLogs(): Promise<void> {}

  [Symbol.asyncDispose](): Promise<void> {
    return this.connections[Symbol.asyncDispose]()
  }
}

async function shardsOf(connection: RedisConnection, crawlId: number): Promise<number> {
  const { knownShards } = await import('../../frontier/redis/shard-count.ts')
  return (await knownShards(connection, crawlId)) ?? 1
}

async function postgresTime(db: Postgres): Promise<number> {
  const [row] = await db.run(
    (sql) => sql`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`,
  )
  return Number(row?.now)
}

// Workers and stores of a workspace on servers, checked over separate connections: other connections wait for
// a server that is away, these detect that it is, and when it is back. A connection without an answer is
// replaced by a new one, since it may be dead.
import { type WorkspaceUrl, withoutPassword } from '../../core/workspace-url.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import type { CrawlLeases, FleetGlance, FleetSource, Holder, StoreName } from '../../fleet/fleet.ts'
import { createRedisWorkerRegistry } from '../../fleet/redis/redis-worker-registry.ts'
import type { Announcement, WorkerRecord } from '../../fleet/worker-registry.ts'
import { markOf, programMark } from '../../frontier/partitions/owner-name.ts'
import { countRedisLeases, readRedisLeases } from '../../frontier/redis/redis-leases.ts'
import { ANSWER_MS, inTime, PostgresFleet } from './postgres-fleet.ts'

/** Leases, hosts and sessions of one crawl that are shown. */
const SHOWN = 200
/** Crawls whose leases are counted at each check. */
const CRAWLS_COUNTED = 50

export class ServerFleet implements FleetSource {
  readonly stores = ['postgres', 'redis'] as const
  readonly registryIn = 'redis'
  readonly #text: WorkspaceUrl
  readonly #postgres: PostgresFleet
  #redis: Promise<RedisConnection> | null = null
  #isClosed = false

  constructor(text: WorkspaceUrl) {
    this.#text = text
    this.#postgres = new PostgresFleet(text)
  }

  async ask(store: StoreName): Promise<void> {
    if (store === 'postgres') return this.#postgres.ask()
    await this.#overRedis((connection) => connection.call('PING'))
  }

  look(): Promise<FleetGlance> {
    return this.#overRedis(async (connection) => {
      const registry = createRedisWorkerRegistry({ connection })
      const workers = await registry.workers()
      const announced = await registry.announcements()
      const leases = await leasesByMark(connection, announced.slice(0, CRAWLS_COUNTED))
      const counts = workers.map(({ id, machine, pid }) => {
        return [id, leases.get(programMark({ machine, pid })) ?? 0] as const
      })
      return { workers, leases: new Map(counts) }
    })
  }

  leases(crawlId: number): Promise<CrawlLeases | null> {
    return this.#overRedis(async (connection) => {
      const leases = await readRedisLeases(connection, crawlId, SHOWN)
      if (leases === null) return null
      const registry = createRedisWorkerRegistry({ connection })
      const programs = holdersOf(await registry.workers(), await registry.announcements())
      const byMark = new Map(programs.map((holder) => [programMark(holder), holder]))
      const holders = leases.sessions.flatMap(({ session }) => {
        const holder = byMark.get(markOf(session))
        return holder === undefined ? [] : [[session, holder] as const]
      })
      return { ...leases, holders: new Map(holders) }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const redis = this.#redis
    this.#letGoOfRedis()
    await this.#postgres[Symbol.asyncDispose]()
    await redis?.catch(() => null)
  }

  async #overRedis<T>(work: (connection: RedisConnection) => Promise<T>): Promise<T> {
    const shown = withoutPassword(this.#text.frontier ?? '')
    this.#redis ??= this.#openRedis()
    const opening = this.#redis
    try {
      return await inTime(opening.then(work), shown)
    } catch (error) {
      if (this.#redis === opening) this.#letGoOfRedis()
      throw error
    }
  }

  async #openRedis(): Promise<RedisConnection> {
    const url = this.#text.frontier ?? ''
    const connection = await openRedis({ url, deadlineMs: ANSWER_MS })
    if (this.#isClosed) connection.drop()
    return connection
  }

  #letGoOfRedis(): void {
    void this.#redis?.then(
      (connection) => connection.drop(),
      () => {},
    )
    this.#redis = null
  }
}

/** If two have the same mark, a worker is preferred to the program that runs the crawl. */
function holdersOf(
  workers: readonly WorkerRecord[],
  announced: readonly Announcement[],
): readonly Holder[] {
  return [
    ...announced.map(({ owner: { machine, pid } }) => ({ machine, pid, name: '', worker: null })),
    ...workers.map(({ machine, pid, name, id }) => ({ machine, pid, name, worker: id })),
  ]
}

async function leasesByMark(
  connection: RedisConnection,
  announced: readonly Announcement[],
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>()
  const all = await Promise.all(announced.map(({ crawl }) => countRedisLeases(connection, crawl)))
  for (const [session, count] of all.flatMap((counts) => [...counts])) {
    sums.set(markOf(session), (sums.get(markOf(session)) ?? 0) + count)
  }
  return sums
}

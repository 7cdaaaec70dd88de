// Workers, leases and stores of a workspace on PostgreSQL with its frontier in Redis.
import { type WorkspaceUrl, withoutPassword } from '../../core/workspace-url.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import type { CrawlLeases, FleetSnapshot, FleetSource, StoreName } from '../../fleet/fleet.ts'
import { createRedisWorkerRegistry } from '../../fleet/redis/redis-worker-registry.ts'
import { partitionTag } from '../../frontier/redis/keys.ts'
import { createRedisStorage } from '../../frontier/redis/redis-storage.ts'
import { ANSWER_MS, CheckedConnection } from './checked-connection.ts'
import { type FleetServer, lookAtWorkers, readCrawlLeases } from './fleet-reader.ts'
import { PostgresFleet } from './postgres-fleet.ts'

export class ServerFleet implements FleetSource {
  readonly stores = ['postgres', 'redis'] as const
  readonly registryIn = 'redis'
  readonly #postgres: PostgresFleet
  readonly #redis: CheckedConnection<RedisConnection>

  constructor(text: WorkspaceUrl) {
    const url = text.frontier ?? ''
    this.#postgres = new PostgresFleet(text)
    this.#redis = new CheckedConnection({
      shown: withoutPassword(url),
      open: () => openRedis({ url, deadlineMs: ANSWER_MS }),
      close: async (connection) => connection.drop(),
    })
  }

  async ask(store: StoreName): Promise<void> {
    if (store === 'postgres') return this.#postgres.ask()
    await this.#redis.over((connection) => connection.call('PING'))
  }

  look(): Promise<FleetSnapshot> {
    return this.#redis.over((connection) => lookAtWorkers(serverOver(connection)))
  }

  leases(crawlId: number): Promise<CrawlLeases | null> {
    return this.#redis.over((connection) => readCrawlLeases(serverOver(connection), crawlId))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#postgres, this.#redis].map((each) => each[Symbol.asyncDispose]()))
  }
}

function serverOver(connection: RedisConnection): FleetServer {
  const { prefix } = connection
  return {
    storage: createRedisStorage(connection),
    registry: createRedisWorkerRegistry({ connection }),
    // Without the colon before the name of a key.
    keysOf: (crawlId, partition) => partitionTag({ prefix, crawlId }, partition).slice(0, -1),
  }
}

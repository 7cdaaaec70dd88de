// Workers, leases and stores of a workspace on PostgreSQL with its frontier in Redis.
import { type WorkspaceUrl, withoutPassword } from '../../core/workspace-url.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import type { CrawlLeases, FleetGlance, FleetSource, StoreName } from '../../fleet/fleet.ts'
import { createRedisWorkerRegistry } from '../../fleet/redis/redis-worker-registry.ts'
import { partitionTag } from '../../frontier/redis-rows/keys.ts'
import { createRedisStorage } from '../../frontier/redis-rows/redis-storage.ts'
import { ANSWER_MS } from './checked-connection.ts'
import { FleetReader, type FleetServer } from './fleet-reader.ts'
import { PostgresFleet } from './postgres-fleet.ts'

type RedisServer = FleetServer & { readonly connection: RedisConnection }

export class ServerFleet implements FleetSource {
  readonly stores = ['postgres', 'redis'] as const
  readonly registryIn = 'redis'
  readonly #postgres: PostgresFleet
  readonly #redis: FleetReader<RedisServer>

  constructor(text: WorkspaceUrl) {
    const url = text.frontier ?? ''
    this.#postgres = new PostgresFleet(text)
    this.#redis = new FleetReader({
      shown: withoutPassword(url),
      open: () => serverAt(url),
      close: async ({ connection }) => connection.drop(),
    })
  }

  ask(store: StoreName): Promise<void> {
    return store === 'postgres' ? this.#postgres.ask() : this.#redis.ask()
  }

  look(): Promise<FleetGlance> {
    return this.#redis.look()
  }

  leases(crawlId: number): Promise<CrawlLeases | null> {
    return this.#redis.leases(crawlId)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#postgres, this.#redis].map((each) => each[Symbol.asyncDispose]()))
  }
}

async function serverAt(url: string): Promise<RedisServer> {
  const connection = await openRedis({ url, deadlineMs: ANSWER_MS })
  const { prefix } = connection
  return {
    connection,
    storage: createRedisStorage(connection),
    registry: createRedisWorkerRegistry({ connection }),
    ask: () => connection.call('PING'),
    // Without the colon before the name of a key.
    keysOf: (crawlId, partition) => partitionTag({ prefix, crawlId }, partition).slice(0, -1),
  }
}

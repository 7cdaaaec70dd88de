// Into how many shards a crawl's frontier is cut: decided when it begins, and kept with the first of them.
import { CrawlerError } from '../../core/errors.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { metaKey } from './keys.ts'
import type { RedisFrontierOptions } from './options.ts'
import { listOf } from './reply.ts'

/** Of a frontier that is there; null when none is. */
export async function knownShards(
  connection: RedisConnection,
  crawlId: number,
): Promise<number | null> {
  const name = { prefix: connection.prefix, crawlId, shard: 0 }
  const reply = await connection.call('HMGET', metaKey(name), 'layout', 'shards')
  const [layout, shards] = listOf(reply)
  return layout === null || layout === undefined ? null : Math.max(1, Number(shards ?? 1))
}

/** Of one that is to begin: as the URL says, on a Cluster as many as it has masters, otherwise one. */
export async function newShards(options: RedisFrontierOptions): Promise<number> {
  if (!isDivisible(options)) return 1
  const { connection } = options
  if (connection.shards !== null) return connection.shards
  return connection.isCluster ? mastersOf(connection) : 1
}

/**
 * What an ordering learns or ranks by is the whole crawl, and so are exact depths, the best N of all that
 * waits and patience with the best host: such a crawl keeps its frontier in one place.
 */
function isDivisible({ job, steering, policy }: RedisFrontierOptions): boolean {
  const { maxDepth, buffer } = job.settings
  const learns = steering.settled !== undefined || steering.save !== undefined
  const needsAll = learns || steering.drifts === true || steering.ranking !== undefined
  return !needsAll && maxDepth === null && buffer === null && policy.name !== 'best'
}

async function mastersOf(connection: RedisConnection): Promise<number> {
  const nodes = listOf(await connection.call('CLUSTER', 'SLOTS'))
  const masters = new Set(nodes.map((slots) => String(listOf(listOf(slots)[2])[2])))
  if (masters.size > 0) return masters.size
  throw new CrawlerError('store-unreachable', `${connection.shownUrl} is a Cluster without masters`)
}

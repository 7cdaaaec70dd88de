// Into how many shards a crawl's frontier is cut: decided when it begins, and kept with the first of them.
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

/** Of one that is to begin: as the URL says, otherwise one. */
export function newShards(options: RedisFrontierOptions): number {
  return isDivisible(options) ? (options.connection.shards ?? 1) : 1
}

/**
 * What an ordering learns or ranks by is the whole crawl, and so are exact depths, the best N of all that
 * waits, and hosts that are compared by more than pages served: such a crawl keeps its frontier in one
 * place.
 */
function isDivisible({ job, steering, policy }: RedisFrontierOptions): boolean {
  const { maxDepth, buffer } = job.settings
  const learns = steering.settled !== undefined || steering.save !== undefined
  const needsAll = learns || steering.drifts === true || steering.ranking !== undefined
  return !needsAll && maxDepth === null && buffer === null && policy.name === 'fair'
}

// Into how many shards a crawl's frontier is cut: decided when it begins, and kept with each of them.
import { CrawlerError } from '../../core/errors.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { metaKey, shardNames, UNFINISHED } from './keys.ts'
import { needsOf } from './needs.ts'
import type { RedisFrontierOptions } from './options.ts'
import { listOf } from './reply.ts'

/** A number that somebody wrote into the server is not believed beyond this. */
const MOST_SHARDS = 1024

/** Of a frontier that is there; null when none is. */
export async function knownShards(
  connection: RedisConnection,
  crawlId: number,
): Promise<number | null> {
  const name = { prefix: connection.prefix, crawlId, shard: 0 }
  const reply = await connection.call('HMGET', metaKey(name), 'layout', 'shards')
  const [layout, shards] = listOf(reply)
  if (layout === null || layout === undefined) return null
  return Math.min(MOST_SHARDS, Math.max(1, Number(shards ?? 1) || 1))
}

/** Whether all shards of a frontier that has begun are there. */
export async function isWhole(
  connection: RedisConnection,
  crawlId: number,
  shards: number,
): Promise<boolean> {
  for (const name of shardNames({ prefix: connection.prefix, crawlId }, shards)) {
    const layout = await connection.call('HGET', metaKey(name), 'layout')
    if (layout === null || layout === UNFINISHED) return false
  }
  return true
}

/** Of one that is to begin: as the URL says, else one, and on a Cluster one for each of its masters. */
export async function newShards(options: RedisFrontierOptions): Promise<number> {
  if (!isDivisible(options)) return 1
  const { connection } = options
  return connection.shards ?? (connection.isCluster ? await mastersOf(connection) : 1)
}

/** That of a frontier which is there, when the crawl as it is set now can go on so. */
export function refuseUndivided(options: RedisFrontierOptions, shards: number): void {
  if (shards === 1 || isDivisible(options)) return
  const text =
    `the frontier of crawl ${options.job.id} is cut into ${shards} shards, which only ` +
    `${DIVISIBLE} can go on with: change the settings back, or use --fresh`
  throw new CrawlerError('store-damaged', text)
}

const DIVISIBLE =
  'a crawl breadth-first or by location, fair between hosts, without a depth limit or buffer'

/**
 * What an ordering learns, counts or ranks by is the whole crawl, and so are exact depths, the best N of all
 * that waits, and hosts that are compared by more than pages served: such a crawl keeps its frontier in one
 * place. In all others a link that comes in twice changes nothing, so that shards may tell each other
 * of links again when they are not sure.
 */
export function isDivisible({ job, ordering, scorer, policy }: RedisFrontierOptions): boolean {
  const { maxDepth, buffer } = job.settings
  const { links, pages, edges } = needsOf(ordering, scorer, { exactDepth: maxDepth !== null })
  const learns = scorer.settled !== undefined || scorer.save !== undefined
  const needsAll = learns || links || pages || edges || scorer.drifts === true
  return !needsAll && maxDepth === null && buffer === null && policy.name === 'fair'
}

async function mastersOf(connection: RedisConnection): Promise<number> {
  const nodes = String(await connection.call('CLUSTER', 'NODES')).split('\n')
  // Its id, address, flags, master, pings, epoch, link, and the slots that it serves.
  const masters = nodes.filter((line) => {
    const [, , flags = '', , , , , , ...slots] = line.trim().split(' ')
    return flags.split(',').includes('master') && slots.length > 0
  })
  return Math.min(MOST_SHARDS, Math.max(1, masters.length))
}

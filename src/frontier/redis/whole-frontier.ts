// The frontier of a crawl in Redis, in as many shards as it has: what everybody opens.
import type { Job } from '../../core/job.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Frontier } from '../frontier.ts'
import type { NewRecrawl } from '../recrawls.ts'
import type { UrlStates } from '../url-states.ts'
import { beginRedisRecrawl } from './begin-recrawl.ts'
import { shardNames } from './keys.ts'
import type { RedisFrontierOptions } from './options.ts'
import { openRedisFrontier } from './redis-frontier.ts'
import { RedisUrlStates, type RedisUrlStatesOptions } from './redis-url-states.ts'
import { isWhole, knownShards, newShards, refuseUndivided } from './shard-count.ts'
import { openShardedFrontier } from './sharded-frontier.ts'
import { ShardedUrlStates } from './sharded-url-states.ts'

type AbandonableFrontier = Frontier & {
  /** Ends as a process that is killed does: nothing is given back. */
  abandon(): void
}

export async function openWholeFrontier(
  options: RedisFrontierOptions,
): Promise<AbandonableFrontier> {
  const known = await knownShards(options.connection, options.job.id)
  const shards = known ?? (await newShards(options))
  refuseUndivided(options, shards)
  if (shards === 1) return openRedisFrontier(options)
  // Once the first one is there, all are: another that is not was lost.
  const mustExist = options.mustExist === true || known !== null
  return openShardedFrontier({ ...options, mustExist }, shards)
}

/** Null when the crawl has no frontier there, yet or any more, or not all of it. */
export async function findWholeUrlStates(
  { connection }: Pick<RedisUrlStatesOptions, 'connection'>,
  job: Job,
): Promise<UrlStates | null> {
  const shards = await knownShards(connection, job.id)
  if (shards === null || !(await isWhole(connection, job.id, shards))) return null
  const hashUrl = createUrlHasher(job.salt)
  const names = shardNames({ prefix: connection.prefix, crawlId: job.id }, shards)
  const all = names.map((name) => new RedisUrlStates(connection, name, hashUrl))
  const [first] = all
  return shards === 1 && first !== undefined ? first : new ShardedUrlStates(all)
}

/** What people should know of a crawl that has begun, when the URL of its frontier says otherwise. */
export async function shardsNotice(
  connection: RedisConnection,
  crawlId: number,
): Promise<string | null> {
  const known = await knownShards(connection, crawlId)
  const { shards: wanted } = connection
  if (known === null || wanted === null || known === wanted) return null
  const cut = known === 1 ? 'is in one piece' : `is cut into ${known} shards`
  return `the frontier of crawl ${crawlId} ${cut} and stays so: shards=${wanted} is for new crawls that can be divided`
}

/** Each shard has its own pages of the round, the first one last: it says that the round has begun. */
export async function beginWholeRecrawl(
  { connection }: Pick<RedisUrlStatesOptions, 'connection'>,
  round: NewRecrawl,
): Promise<void> {
  const shards = (await knownShards(connection, round.job.id)) ?? 1
  await beginRedisRecrawl({ connection, shards }, round)
}

// The frontier of a crawl in Redis, in as many shards as it has: what everybody opens.
import type { Job } from '../../core/job.ts'
import { hostOf } from '../../core/url.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Frontier } from '../frontier.ts'
import type { NewRound } from '../rounds.ts'
import type { UrlLedger } from '../url-ledger.ts'
import { beginRedisRound } from './begin-round.ts'
import type { RedisFrontierOptions } from './options.ts'
import { openRedisFrontier } from './redis-frontier.ts'
import { findRedisUrlLedger, type RedisLedgerOptions, RedisUrlLedger } from './redis-url-ledger.ts'
import { knownShards, newShards, refuseUndivided } from './shard-count.ts'
import { openShardedFrontier } from './sharded-frontier.ts'
import { ShardedUrlLedger } from './sharded-url-ledger.ts'
import { shardOf } from './shards.ts'

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
  return shards === 1 ? openRedisFrontier(options) : openShardedFrontier(options, shards)
}

/** Null when the crawl has no frontier there, yet or any more. */
export async function findWholeLedger(
  { connection }: Pick<RedisLedgerOptions, 'connection'>,
  job: Job,
): Promise<UrlLedger | null> {
  const first = await findRedisUrlLedger({ connection }, job)
  const shards = (await knownShards(connection, job.id)) ?? 1
  if (first === null || shards === 1) return first
  const hashUrl = createUrlHasher(job.salt)
  const all = Array.from({ length: shards }, (_, shard) => {
    const name = { prefix: connection.prefix, crawlId: job.id, shard }
    return new RedisUrlLedger(connection, name, hashUrl)
  })
  return new ShardedUrlLedger(all)
}

/** Each shard has its own pages of the round, the first one last: it says that the round has begun. */
export async function beginWholeRound(
  { connection }: Pick<RedisLedgerOptions, 'connection'>,
  round: NewRound,
): Promise<void> {
  const shards = (await knownShards(connection, round.job.id)) ?? 1
  if (shards === 1) return beginRedisRound({ connection }, round)
  const pages = await Array.fromAsync(round.pages)
  for (let shard = shards - 1; shard >= 0; shard--) {
    const theirs = pages.map((some) =>
      some.filter(({ url }) => shardOf(hostOf(url), shards) === shard),
    )
    await beginRedisRound({ connection, shard }, { ...round, pages: some(theirs) })
  }
}

async function* some<T>(all: readonly T[]): AsyncIterable<T> {
  yield* all
}

// The host limiter of a crawl that several processes work on. Each has a name of its own; the names are
// recorded, so that a process that knows that all of them are dead can release their slots.
import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../db/redis.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { HostLimiter } from '../../scouter/host-limiter.ts'

/** Share of a lease. A process that died blocks a host for this long, and some seconds. */
const HOLD_SHARE = 2 / 3
/** Names of dead processes are removed at the latest a day after the last living one came. */
const NOTED_MS = 24 * 60 * 60 * 1000

export type LimiterOptions = { readonly holder: string; readonly clock: Clock }

/** For the only process of this name: releases the slots of a dead one. */
export async function openLoneTurns(
  connection: RedisConnection,
  options: LimiterOptions,
): Promise<HostLimiter> {
  const { openRedisHostTurns } = await import('../../scouter/redis/redis-host-limiter.ts')
  const holdMs = Math.round(HOLD_SHARE * connection.leaseMs)
  return openRedisHostTurns({ ...options, connection, holdMs })
}

export async function openSharedTurns(
  connection: RedisConnection,
  { holder, clock }: LimiterOptions,
): Promise<HostLimiter> {
  const name = `${holder} ${randomUUID()}`
  const key = namesKey(connection, holder)
  await connection.call('SADD', key, name)
  await connection.call('PEXPIRE', key, NOTED_MS)
  const limiter = await openLoneTurns(connection, { holder: name, clock })
  return {
    ask: (host, wanted) => limiter.ask(host, wanted),
    rest: (host, forMs, trouble) => limiter.rest(host, forMs, trouble),
    async [Symbol.asyncDispose]() {
      await limiter[Symbol.asyncDispose]()
      await connection.call('SREM', key, name)
    },
  }
}

/** No process of that name is alive. */
export async function endSharedTurns(connection: RedisConnection, holder: string): Promise<void> {
  const key = namesKey(connection, holder)
  const names = await connection.call('SMEMBERS', key)
  for (const name of Array.isArray(names) ? names.map(String) : []) {
    await using _left = await openLoneTurns(connection, { holder: name, clock: systemClock })
    await connection.call('SREM', key, name)
  }
}

function namesKey({ prefix }: RedisConnection, holder: string): string {
  return `{${prefix}:turns-by:${holder}}`
}

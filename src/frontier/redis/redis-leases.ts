// What of a frontier in Redis is in whose hands: one short script per shard.
import type { RedisConnection } from '../../db/redis.ts'
import type {
  FrontierLeases,
  HostGlance,
  LeaseGlance,
  SessionGlance,
  ShardGlance,
} from '../leases.ts'
import { keyPrefix, metaKey, type ShardName, UNFINISHED } from './keys.ts'
import { runReading } from './read-scripts.ts'
import { listOf } from './reply.ts'

const KINDS: Readonly<Record<string, LeaseGlance['kind']>> = {
  p: 'page',
  s: 'sitemap',
  r: 'robots',
}
/** A number that somebody wrote into the server is not believed beyond this. */
const MOST_SHARDS = 1024

/** At most `limit` leases, hosts and sessions of each shard; null when the crawl has no frontier there. */
export async function readRedisLeases(
  connection: RedisConnection,
  crawlId: number,
  limit: number,
): Promise<FrontierLeases | null> {
  const shards = await shardsOf(connection, crawlId)
  if (shards.length === 0) return null
  const all = await Promise.all(shards.map((shard) => readShard(connection, shard, limit)))
  return {
    now: Math.max(...all.map(({ now }) => now)),
    total: all.reduce((sum, { total }) => sum + total, 0),
    shards: all.flatMap((one) => one.shards),
    sessions: merged(all.flatMap((one) => one.sessions)),
    leases: all.flatMap((one) => one.leases).slice(0, limit),
    hosts: all.flatMap((one) => one.hosts).slice(0, limit),
  }
}

/** How many leases each session has out. */
export async function countRedisLeases(
  connection: RedisConnection,
  crawlId: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const shard of await shardsOf(connection, crawlId)) {
    const keys = keyPrefix(shard)
    const sessions = listOf(await connection.call('ZRANGE', `${keys}sessions`, 0, -1)).map(String)
    const held = sessions.map(async (session) => {
      const count = Number(await connection.call('SCARD', `${keys}held:${session}`))
      counts.set(session, (counts.get(session) ?? 0) + count)
    })
    await Promise.all(held)
  }
  return counts
}

async function shardsOf(
  connection: RedisConnection,
  crawlId: number,
): Promise<readonly ShardName[]> {
  const { prefix } = connection
  const first = { prefix, crawlId, shard: 0 }
  const [layout = null, shards] = listOf(
    await connection.call('HMGET', metaKey(first), 'layout', 'shards'),
  )
  if (layout === null || layout === UNFINISHED) return []
  const length = Math.min(MOST_SHARDS, Math.max(1, Number(shards ?? 1) || 1))
  return Array.from({ length }, (_, shard) => ({ prefix, crawlId, shard }))
}

async function readShard(
  connection: RedisConnection,
  name: ShardName,
  limit: number,
): Promise<FrontierLeases> {
  const reply = listOf(await runReading(connection, name, 'held', limit))
  const [now, counts, sessions, leases, hosts] = reply
  const [, , , , , , , total = 0] = listOf(counts).map(Number)
  return {
    now: Number(now),
    total,
    shards: [shardGlance(name, listOf(counts).map(Number))],
    sessions: listOf(sessions).map(sessionGlance),
    leases: listOf(leases).map(leaseGlance),
    hosts: listOf(hosts).map(hostGlance),
  }
}

function shardGlance(name: ShardName, counts: readonly number[]): ShardGlance {
  const [urls = 0, hosts = 0, queued = 0, leased = 0, stored = 0, ...rest] = counts
  const [readyHosts = 0, restingHosts = 0] = rest
  const keys = keyPrefix(name).slice(0, -1)
  return { shard: name.shard, keys, urls, hosts, queued, leased, stored, readyHosts, restingHosts }
}

/** A session has the same name in all shards. */
function merged(all: readonly SessionGlance[]): readonly SessionGlance[] {
  const sum = (of: readonly SessionGlance[], what: 'leases' | 'hosts'): number =>
    of.reduce((total, each) => total + each[what], 0)
  return [...Map.groupBy(all, ({ session }) => session)].map(([session, of]) => ({
    session,
    until: Math.max(...of.map(({ until }) => until)),
    ...{ leases: sum(of, 'leases'), hosts: sum(of, 'hosts') },
  }))
}

function sessionGlance(reply: unknown): SessionGlance {
  const [session, until, leases, hosts] = listOf(reply)
  return {
    session: String(session),
    until: Number(until),
    leases: Number(leases),
    hosts: Number(hosts),
  }
}

function leaseGlance(reply: unknown): LeaseGlance {
  const [session, kind, url, host, startedAt, tries] = listOf(reply).map(String)
  const began = Number(startedAt)
  return {
    session: session ?? '',
    kind: KINDS[kind ?? ''] ?? 'page',
    url: url ?? '',
    host: host ?? '',
    startedAt: began < 0 ? null : began,
    tries: Number(tries),
  }
}

function hostGlance(reply: unknown): HostGlance {
  const [host, session, until] = listOf(reply)
  return { host: String(host), session: String(session), until: Number(until) }
}

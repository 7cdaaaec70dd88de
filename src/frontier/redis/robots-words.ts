// What is known of an origin's robots.txt, on its way to Redis and back.
import { type CanonicalUrl, canonicalise, hostOf, siteOf } from '../../core/url.ts'
import type { RedisConnection } from '../../db/redis.ts'
import type { Lease, RobotsRecord } from '../frontier.ts'
import type { Word } from './calls.ts'
import { keyPrefix, type ShardName } from './keys.ts'
import type { LinkRules } from './link-arguments.ts'
import { packText, unpackText } from './packed-text.ts'

export function robotsWords(
  lease: Lease,
  record: RobotsRecord,
  options: {
    readonly delayMs: number | undefined
    readonly rules: LinkRules
    /** Those of this shard. */
    readonly maps: readonly CanonicalUrl[]
    readonly serverTime: (at: number) => number
  },
): Word[] {
  const { delayMs, rules, maps: named, serverTime } = options
  const kept = {
    ...record,
    fetchedAt: Math.floor(record.fetchedAt),
    expiresAt: Math.ceil(record.expiresAt),
  }
  const maps = named.flatMap((url) => {
    const host = hostOf(url)
    return rules.inScope(host) ? [url, host, siteOf(host)] : []
  })
  return [
    ...[lease.id, lease.token, delayMs ?? '', record.status, serverTime(record.expiresAt)],
    ...[record.attempts, packText(JSON.stringify(kept)), maps.length / 3, ...maps],
  ]
}

export async function readRobots(
  connection: RedisConnection,
  name: ShardName,
  origin: string,
): Promise<RobotsRecord | null> {
  const kept = await connection.call('HGET', `${keyPrefix(name)}robots`, origin)
  if (typeof kept !== 'string') return null
  const record: Partial<RobotsRecord> = JSON.parse(unpackText(kept))
  const { status } = record
  return {
    origin,
    status: status === 'fetched' || status === 'unavailable' ? status : 'unreachable',
    body: String(record.body ?? ''),
    ...{ fetchedAt: Number(record.fetchedAt), expiresAt: Number(record.expiresAt) },
    ...{ attempts: Number(record.attempts), sitemaps: record.sitemaps ?? [] },
  }
}

/** Those it names; the usual place when it names none. */
export function mapsOf(lease: Lease, { sitemaps }: RobotsRecord): readonly CanonicalUrl[] {
  if (sitemaps.length > 0) return sitemaps
  const guess = canonicalise('/sitemap.xml', lease.url)
  return guess === null ? [] : [guess]
}

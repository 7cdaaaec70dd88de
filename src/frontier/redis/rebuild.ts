// Makes the frontier of a crawl anew in Redis, from the copy of it in the store. Ids stay what they were,
// since receipts in the store speak of them. Until it is whole nobody can open it; one that was cut short
// is begun anew. Whoever opens it then has every host wait its full delay first.
//
// Left out: robots.txt and sitemaps, which are asked for again, and where pages lead: a URL that a
// shorter path is found to is nearer, those behind it are not.
import { VIAS } from '../../core/link.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import type { FrontierNote, HostCopy, UrlCopy } from '../../core/url-copy.ts'
import { URL_STATES } from '../../core/visit.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { composeScript } from '../../db/redis-script.ts'
import { createUrlHasher, type UrlHasher } from '../../lib/url-hash.ts'
import { keyPrefix, LAYOUT, metaKey, type ShardName, UNFINISHED } from './keys.ts'
import { hashText } from './link-arguments.ts'
import type { RedisFrontierOptions } from './options.ts'
import { HEAD, RESTORING } from './scripts.ts'
import { settingsOf } from './settings-words.ts'
import { textOfSignals } from './signals-text.ts'

const AT_ONCE = 200
const KEYS_AT_ONCE = 1_000
const UNREACHABLE = 8

const restore = composeScript('restore', [...RESTORING, 'restore'], HEAD)
const restored = composeScript('restored', [...RESTORING, 'restored'], HEAD)

export type RebuildOptions = {
  /** As the next run will open it. */
  readonly frontier: RedisFrontierOptions
  /** By position. `isCopied` is false for one that the copy has not, or not so. */
  readonly urls: AsyncIterable<readonly (UrlCopy & { readonly isCopied?: boolean })[]>
  readonly hosts: AsyncIterable<readonly HostCopy[]>
  readonly notes: readonly FrontierNote[]
  readonly onProgress?: (urls: number) => void
}

/** How many URLs it has now. */
export async function rebuildRedisFrontier(options: RebuildOptions): Promise<number> {
  const { connection, job, shard = 0 } = options.frontier
  const name = { prefix: connection.prefix, crawlId: job.id, shard }
  const meta = metaKey(name)
  await connection.call('HSET', meta, 'layout', UNFINISHED)
  await discardShard(connection, name)
  const settings = Object.entries(settingsOf(options.frontier)).flat()
  await connection.call('HSET', meta, 'layout', UNFINISHED, 'clean', 0, 'runs', 1, ...settings)
  const rebuilding = new Rebuilding(options, name)
  const count = await rebuilding.restoreUrls()
  await rebuilding.restoreRest()
  await connection.call('HSET', meta, 'layout', LAYOUT)
  return count
}

/** Takes out all that there is of a frontier. */
export async function discardRedisFrontier(
  connection: RedisConnection,
  crawlId: number,
  shards = 1,
): Promise<void> {
  for (let shard = 0; shard < shards; shard++) {
    await discardShard(connection, { prefix: connection.prefix, crawlId, shard })
  }
}

/** The meta key goes last: what is left of one that was cut short is not taken for nothing. */
async function discardShard(connection: RedisConnection, name: ShardName): Promise<void> {
  const prefix = keyPrefix(name)
  for await (const keys of keysOf(connection, prefix)) {
    const others = keys.filter((key) => key !== metaKey(name))
    if (others.length > 0) await connection.call('UNLINK', ...others)
  }
  await connection.call('UNLINK', metaKey(name))
}

async function* keysOf(connection: RedisConnection, prefix: string): AsyncIterable<string[]> {
  const pattern = `${prefix.replaceAll(/[\\*?[\]]/g, '\\$&')}*`
  let cursor = '0'
  do {
    const reply = await connection.run('scan', [`${prefix}meta`], [cursor, pattern, KEYS_AT_ONCE])
    const [next, keys] = Array.isArray(reply) ? reply : []
    cursor = String(next)
    yield Array.isArray(keys) ? keys.map(String) : []
  } while (cursor !== '0')
}

class Rebuilding {
  readonly #options: RebuildOptions
  readonly #key: string
  readonly #hashUrl: UrlHasher
  /** Redirects: their ids, and the hashes of where they lead. */
  readonly #leads: (readonly [number, string])[] = []

  constructor(options: RebuildOptions, name: ShardName) {
    this.#options = options
    this.#key = metaKey(name)
    this.#hashUrl = createUrlHasher(options.frontier.job.salt)
  }

  async restoreUrls(): Promise<number> {
    let count = 0
    for await (const some of this.#options.urls) {
      for (let at = 0; at < some.length; at += AT_ONCE) {
        const batch = some.slice(at, at + AT_ONCE)
        const words = batch.flatMap((copy) => this.#wordsOf(copy))
        await this.#run(restore, [batch.length, ...words])
        count += batch.length
        this.#options.onProgress?.(count)
      }
    }
    return count
  }

  async restoreRest(): Promise<void> {
    for await (const some of this.#options.hosts) {
      const slow = some.filter(({ ownDelayMs }) => ownDelayMs > 0)
      const words = slow.flatMap(({ host, site, ownDelayMs }) => [host, site, ownDelayMs])
      if (slow.length > 0) await this.#run(restored, [slow.length, ...words, 0])
    }
    for (let at = 0; at < this.#leads.length; at += AT_ONCE) {
      const some = this.#leads.slice(at, at + AT_ONCE)
      await this.#run(restored, [0, some.length, ...some.flat()])
    }
  }

  #wordsOf(copy: UrlCopy & { readonly isCopied?: boolean }): (string | number)[] {
    const { position, url, reason, depth, hops, foundOn, via, foundAt, inLinks, signals } = copy
    const { priority, tries, nextAt, isCopied = true } = copy
    const host = hostOf(url)
    const hash = hashText(this.#hashUrl(url))
    if (copy.state === 'redirected') {
      this.#leads.push([position, hashText(this.#hashUrl(reason as CanonicalUrl))])
    }
    const state = copy.outOfReach ? UNREACHABLE : URL_STATES.indexOf(copy.state)
    const shape = this.#options.frontier.templateOf(url)
    return [
      ...[position, hash, url, state, reason, depth, hops, foundOn ?? 0, VIAS.indexOf(via)],
      ...[foundAt, inLinks, textOfSignals(signals), priority, tries, nextAt ?? ''],
      ...[host, siteOf(host), url.startsWith('https:') ? 1 : 0],
      shape === null ? '' : `${shape.strict ? '!' : ' '}${shape.key}`,
      isCopied ? 1 : 0,
    ]
  }

  #run(script: typeof restore, words: readonly (string | number)[]): Promise<unknown> {
    return this.#options.frontier.connection.run(script, [this.#key], ['', '', '0', ...words])
  }
}

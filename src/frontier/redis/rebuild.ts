// Makes the frontier of a crawl anew in Redis, from the copy of it in the store. Ids stay what they were,
// since receipts in the store speak of them. Until it is whole nobody can open it; one that was cut short
// is begun anew. Whoever opens it then has every host wait its full delay first.
//
// Left out: robots.txt and sitemaps, which are asked for again, and where pages lead: a URL that a
// shorter path is found to is nearer, those behind it are not.
import { VIAS } from '../../core/link.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import type { HostCopy, UrlCopy } from '../../core/url-copy.ts'
import { URL_STATES } from '../../core/visit.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { composeScript } from '../../db/redis-script.ts'
import { createUrlHasher, type UrlHasher } from '../../lib/url-hash.ts'
import { idIn, shardOf, shardOfNumber } from '../partitions/partition-of.ts'
import { keyPrefix, LAYOUT, metaKey, type ShardName, shardNames, UNFINISHED } from './keys.ts'
import { hashText } from './link-arguments.ts'
import type { RedisFrontierOptions } from './options.ts'
import { HEAD, RESTORING } from './scripts.ts'
import { settingsOf } from './settings-words.ts'
import { textOfSignals } from './signals-text.ts'

const AT_ONCE = 200
const KEYS_AT_ONCE = 1_000
const UNREACHABLE = 8
/** As records.lua has it. */
const FOREIGN = 2 ** 40

const restore = composeScript('restore', [...RESTORING, 'restore'], HEAD)
const restored = composeScript('restored', [...RESTORING, 'restored'], HEAD)

export type RebuildOptions = {
  /** As the next run will open it. */
  readonly frontier: RedisFrontierOptions
  /** By position. `isCopied` is false for one that the copy has not, or not so. */
  readonly urls: AsyncIterable<readonly (UrlCopy & { readonly isCopied?: boolean })[]>
  readonly hosts: AsyncIterable<readonly HostCopy[]>
  readonly onProgress?: (urls: number) => void
}

/** How many URLs it has now. In as many shards as the options of the frontier say. */
export async function rebuildRedisFrontier(options: RebuildOptions): Promise<number> {
  const { connection, job, shards = 1 } = options.frontier
  const names = shardNames({ prefix: connection.prefix, crawlId: job.id }, shards)
  const settings = Object.entries(settingsOf(options.frontier)).flat()
  for (const name of names) {
    const meta = metaKey(name)
    await connection.call('HSET', meta, 'layout', UNFINISHED)
    await discardShard(connection, name)
    await connection.call('HSET', meta, 'layout', UNFINISHED, 'clean', 0, 'runs', 1, ...settings)
  }
  const rebuilding = new Rebuilding(options, names)
  const count = await rebuilding.restoreUrls()
  await rebuilding.restoreRest()
  // The first one last: it says that all are there.
  for (const name of names.toReversed()) {
    await connection.call('HSET', metaKey(name), 'layout', LAYOUT)
  }
  return count
}

/**
 * Takes out all that there is of a frontier. The first shard goes last: it says how many there are, for
 * whoever has to go on after this was cut short.
 */
export async function discardRedisFrontier(
  connection: RedisConnection,
  crawlId: number,
  shards = 1,
): Promise<void> {
  for (let shard = shards - 1; shard >= 0; shard--) {
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
  readonly #names: readonly ShardName[]
  readonly #hashUrl: UrlHasher
  /** Of each shard redirects: their ids, and the hashes of where they lead. */
  readonly #leads: (readonly [number, string])[][]

  constructor(options: RebuildOptions, names: readonly ShardName[]) {
    this.#options = options
    this.#names = names
    this.#leads = names.map(() => [])
    this.#hashUrl = createUrlHasher(options.frontier.job.salt)
  }

  async restoreUrls(): Promise<number> {
    let count = 0
    for await (const some of this.#options.urls) {
      for (let at = 0; at < some.length; at += AT_ONCE) {
        const batch = some.slice(at, at + AT_ONCE)
        const { length } = this.#names
        const byShard = Map.groupBy(batch, ({ position }) => shardOfNumber(position, length))
        for (const [shard, theirs] of byShard) {
          const words = theirs.flatMap((copy) => this.#wordsOf(copy, shard))
          await this.#run(restore, shard, [theirs.length, ...words])
        }
        count += batch.length
        this.#options.onProgress?.(count)
      }
    }
    return count
  }

  async restoreRest(): Promise<void> {
    for await (const some of this.#options.hosts) {
      const slow = some.filter(({ ownDelayMs }) => ownDelayMs > 0)
      const byShard = Map.groupBy(slow, ({ host }) => shardOf(host, this.#names.length))
      for (const [shard, theirs] of byShard) {
        const words = theirs.flatMap(({ host, site, ownDelayMs }) => [host, site, ownDelayMs])
        await this.#run(restored, shard, [theirs.length, ...words, 0])
      }
    }
    for (const [shard, leads] of this.#leads.entries()) {
      for (let at = 0; at < leads.length; at += AT_ONCE) {
        const some = leads.slice(at, at + AT_ONCE)
        await this.#run(restored, shard, [0, some.length, ...some.flat()])
      }
    }
  }

  #wordsOf(copy: UrlCopy & { readonly isCopied?: boolean }, shard: number): (string | number)[] {
    const { position, url, reason, depth, hops, via, foundAt, inLinks, signals } = copy
    const { priority, tries, nextAt, isCopied = true } = copy
    const id = idIn(position, this.#names.length)
    const host = hostOf(url)
    const hash = hashText(this.#hashUrl(url))
    if (copy.state === 'redirected') {
      this.#leads[shard]?.push([id, hashText(this.#hashUrl(reason as CanonicalUrl))])
    }
    const state = copy.outOfReach ? UNREACHABLE : URL_STATES.indexOf(copy.state)
    return [
      ...[id, hash, url, state, reason, depth, hops, this.#finderOf(copy, shard)],
      ...[VIAS.indexOf(via), foundAt, inLinks, textOfSignals(signals)],
      ...[priority, tries, nextAt ?? ''],
      ...[host, siteOf(host), url.startsWith('https:') ? 1 : 0],
      isCopied ? 1 : 0,
    ]
  }

  /** As a row has it: an id in its shard, or the number of a page in another. */
  #finderOf({ foundOn }: UrlCopy, shard: number): number {
    const { length } = this.#names
    if (foundOn === null) return 0
    return shardOfNumber(foundOn, length) === shard ? idIn(foundOn, length) : FOREIGN + foundOn
  }

  #run(
    script: typeof restore,
    shard: number,
    words: readonly (string | number)[],
  ): Promise<unknown> {
    const name = this.#names[shard]
    if (name === undefined) throw new RangeError(`there is no shard ${shard}`)
    return this.#options.frontier.connection.run(script, [metaKey(name)], ['', '', '0', ...words])
  }
}

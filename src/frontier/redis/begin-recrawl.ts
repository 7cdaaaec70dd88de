// Sets a frontier in Redis to the beginning of a round. Large ones take a while: it is done in chunks,
// and only the last step says that the round has begun.
import { CrawlerError } from '../../core/errors.ts'
import { hostOf } from '../../core/url.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { composeScript, type RedisScript } from '../../db/redis-script.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { shardOf } from '../partitions/partition-of.ts'
import type { NewRecrawl, PageToRevisit } from '../recrawls.ts'
import { keyPrefix, metaKey, type ShardName, shardNames } from './keys.ts'
import { hashText } from './link-arguments.ts'
import { packText, unpackText } from './packed-text.ts'
import { listOf, parseReply } from './reply.ts'
import { HEAD, RESTORING } from './scripts.ts'

const HOSTS_AT_ONCE = 500
const PAGES_AT_ONCE = 500
const URLS_AT_ONCE = 2000
const MAPS_AT_ONCE = 500

const SCRIPTS = {
  clear: script('round-clear'),
  add: script('round-add'),
  others: script('round-others'),
  maps: script('round-maps'),
  retries: script('round-retries'),
}

export type RecrawlTarget = {
  readonly connection: RedisConnection
  /** As many as the frontier has; left out: one. */
  readonly shards?: number
}

/** Does nothing when that round has begun already. */
export async function beginRedisRecrawl(
  { connection, shards = 1 }: RecrawlTarget,
  round: NewRecrawl,
): Promise<void> {
  const beginnings: Beginning[] = []
  for (const name of shardNames({ prefix: connection.prefix, crawlId: round.job.id }, shards)) {
    const meta = await connection.call('HMGET', metaKey(name), 'salt', 'round')
    const [salt, begun] = listOf(meta)
    refuseOthers(salt, round, connection)
    if (name.shard === 0 && Number(begun ?? 0) >= round.round) return
    beginnings.push(new Beginning(connection, name, round))
  }
  for (const beginning of beginnings) await beginning.clear()
  for await (const pages of round.pages) {
    const byShard = Map.groupBy(pages, ({ url }) => shardOf(hostOf(url), shards))
    for (const [shard, theirs] of byShard) await beginnings[shard]?.addPages(theirs)
  }
  // The first one last: it says that the round has begun.
  for (const beginning of beginnings.toReversed()) await beginning.end()
}

class Beginning {
  readonly #connection: RedisConnection
  readonly #name: ShardName
  readonly #round: NewRecrawl
  #urls = 0
  #lastId = 0
  #lastMap = 0

  constructor(connection: RedisConnection, name: ShardName, round: NewRecrawl) {
    this.#connection = connection
    this.#name = name
    this.#round = round
  }

  async clear(): Promise<void> {
    const [lastHost = 0, lastId = 0, lastMap = 0] = await this.#run('clear', [1, HOSTS_AT_ONCE])
    this.#lastId = lastId
    this.#lastMap = lastMap
    await this.#inChunks(HOSTS_AT_ONCE + 1, lastHost, HOSTS_AT_ONCE, 'clear')
    for (let seen = 0; seen >= 0; ) {
      const [next = -1] = await this.#run('retries', [seen, URLS_AT_ONCE])
      seen = next
    }
    await this.#forgetRobots()
  }

  async end(): Promise<void> {
    if (!this.#round.onlyPages) await this.#inChunks(1, this.#lastId, URLS_AT_ONCE, 'others')
    await this.#inChunks(1, this.#lastMap, MAPS_AT_ONCE, 'maps')
    await this.#connection.call('HSET', metaKey(this.#name), 'round', this.#round.round)
  }

  async addPages(pages: readonly PageToRevisit[]): Promise<void> {
    const hash = createUrlHasher(this.#round.job.salt)
    for (let from = 0; from < pages.length; from += PAGES_AT_ONCE) {
      const some = pages.slice(from, from + PAGES_AT_ONCE)
      const words = some.flatMap(({ url, priority, etag, lastModified, contentHash }) => [
        ...[hashText(hash(url)), priority, etag, lastModified, contentHash],
      ])
      this.#progress((await this.#run('add', words))[0])
    }
  }

  async #inChunks(
    first: number,
    last: number,
    size: number,
    script: 'clear' | 'others' | 'maps',
  ): Promise<void> {
    for (let from = first; from <= last; from += size) {
      const [count] = await this.#run(script, [from, from + size - 1])
      if (script === 'others') this.#progress(count)
    }
  }

  #progress(urls = 0): void {
    this.#urls += urls
    this.#round.onProgress?.(this.#urls)
  }

  /** What could not be had is unknown again; what could is to be asked for before it is obeyed. */
  async #forgetRobots(): Promise<void> {
    const key = `${keyPrefix(this.#name)}robots`
    let cursor = '0'
    do {
      const reply = await this.#connection.call('HSCAN', key, cursor, 'COUNT', 100)
      const [next, found] = listOf(reply)
      const flat = listOf(found).map(String)
      for (let at = 0; at < flat.length; at += 2) {
        const [origin = '', text = '{}'] = flat.slice(at, at + 2)
        const record: { status?: string } = JSON.parse(unpackText(text))
        if (record.status === 'unreachable') await this.#connection.call('HDEL', key, origin)
        else {
          const expired = packText(JSON.stringify({ ...record, expiresAt: 0 }))
          await this.#connection.call('HSET', key, origin, expired)
        }
      }
      cursor = String(next)
    } while (cursor !== '0')
  }

  async #run(
    name: keyof typeof SCRIPTS,
    words: readonly (string | number)[],
  ): Promise<readonly number[]> {
    // By nobody's session: none is open.
    const args = ['', '', 0, ...words]
    const reply = await this.#connection.run(SCRIPTS[name], [metaKey(this.#name)], args)
    return parseReply(reply).map(Number)
  }
}

function script(name: string): RedisScript {
  return composeScript(name, [...RESTORING, 'known', name], HEAD)
}

/** The frontier must be that crawl's own. */
function refuseOthers(salt: unknown, { job }: NewRecrawl, { shownUrl }: RedisConnection): void {
  const where = `the frontier of crawl ${job.id}`
  if (salt === null || salt === undefined) {
    const text = `${where} is not in Redis (${shownUrl}): run jelajah doctor --rebuild-frontier`
    throw new CrawlerError('store-damaged', text)
  }
  if (Number(salt) === job.salt) return
  const text = `${where} in Redis belongs to another crawl: choose another prefix`
  throw new CrawlerError('store-damaged', text)
}

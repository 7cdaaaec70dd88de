// What goes from one shard of a frontier to another, within one session.
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { numberOf, shardOf } from '../partitions/partition-of.ts'
import { deliveryWords, type Elsewhere, type Handed, type HandedOver } from './elsewhere.ts'
import { HandedLinks } from './handed-links.ts'
import { keyPrefix, shardNames } from './keys.ts'
import type { RedisFrontierOptions } from './options.ts'
import { handedInRuns } from './portions.ts'
import type { RedisFrontier } from './redis-frontier.ts'
import { RedisUrlStates } from './redis-url-states.ts'
import { rulesOf } from './settings-words.ts'
import { shownState } from './url-record.ts'

const MAX_HOPS = 10

export class BetweenShards {
  readonly shards: RedisFrontier[] = []
  readonly handed: HandedLinks
  readonly #options: RedisFrontierOptions
  readonly #count: number
  readonly #words: Parameters<typeof deliveryWords>[1]
  readonly #ledgers: readonly RedisUrlStates[]
  readonly #connection: RedisConnection

  constructor(options: RedisFrontierOptions, count: number) {
    const { connection, job } = options
    const hashUrl = createUrlHasher(job.salt)
    const names = shardNames({ prefix: connection.prefix, crawlId: job.id }, count)
    this.handed = new HandedLinks(connection, names)
    this.#options = options
    this.#count = count
    this.#words = { rules: rulesOf(options), hashUrl }
    this.#ledgers = names.map((name) => new RedisUrlStates(connection, name, hashUrl))
    this.#connection = connection
  }

  of(shard: number): Elsewhere {
    return {
      isElsewhere: (url) => this.#shardOf(url) !== shard,
      handOver: (some) => this.#handOver(shard, some),
      noteHanded: async (all) => {
        for (const { to, words } of all) await this.handed.note(this.#name(shard), to, words)
      },
      handAgain: () => this.handAgain(shard),
      leads: (from, to) => this.#leads(from, to),
    }
  }

  async handAgain(to: number): Promise<void> {
    for await (const words of this.handed.givenTo(to)) await this.shards[to]?.deliver(words)
  }

  async #handOver(from: number, some: readonly HandedOver[]): Promise<readonly Handed[]> {
    const parts = this.shards.map(async (shard, to): Promise<Handed[]> => {
      const theirs = some.flatMap((each) => this.#partFor(each, from, to))
      const given: Handed[] = []
      for (const some of handedInRuns(theirs)) {
        const words = deliveryWords(some, this.#words)
        await shard.deliver(words)
        given.push({ to, words })
      }
      return given
    })
    return (await Promise.all(parts)).flat()
  }

  /** What of a page's links belongs to one shard. */
  #partFor(
    { links, moved, maps, ...page }: HandedOver,
    from: number,
    to: number,
  ): readonly (HandedOver & { readonly number: number | '' })[] {
    const isTheirs = ({ url }: { readonly url: CanonicalUrl }): boolean => this.#shardOf(url) === to
    const theirs = {
      links: links.filter(([link]) => isTheirs(link)),
      moved: moved.filter(isTheirs),
      maps: maps.filter(isTheirs),
    }
    const { length } = [...theirs.links, ...theirs.moved, ...theirs.maps]
    if (length === 0) return []
    const number = page.pageId === 0 ? '' : numberOf(page.pageId, from, this.#count)
    return [{ ...page, ...theirs, number }]
  }

  /** A redirect that is to be visited again may lead elsewhere by now. */
  async #leads(from: CanonicalUrl, to: CanonicalUrl): Promise<boolean> {
    for (let [at, hops] = [from, 0]; hops <= MAX_HOPS; hops += 1) {
      if (at === to) return true
      const shard = this.#shardOf(at)
      const row = (await this.#ledgers[shard]?.row(at)) ?? null
      if (row === null || shownState(row.state) !== 'redirected') return false
      const again = `${keyPrefix(this.#name(shard))}again`
      if ((await this.#connection.call('HEXISTS', again, row.id)) === 1) return false
      at = row.reason as CanonicalUrl
    }
    return false
  }

  #name(shard: number) {
    const { connection, job } = this.#options
    return { prefix: connection.prefix, crawlId: job.id, shard }
  }

  #shardOf(url: CanonicalUrl): number {
    return shardOf(hostOf(url), this.#count)
  }
}

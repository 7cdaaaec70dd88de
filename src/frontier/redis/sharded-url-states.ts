// A frontier that is cut into shards as readers see it.
import type { HostState, UrlCounts } from '../../core/host.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { UrlRecord } from '../../core/url-record.ts'
import { type Refusal, URL_STATES } from '../../core/visit.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import type { RobotsRecord } from '../frontier.ts'
import { idIn, numberOf, shardOf, shardOfNumber } from '../partitions/partition-of.ts'
import type { LearnedState, Outcome, Unreached, UrlStates } from '../url-states.ts'
import { largestFirst } from './host-record.ts'
import type { Listed, RedisUrlStates } from './redis-url-states.ts'
import { addedCounts } from './sharded-frontier.ts'

type ListOptions = Parameters<UrlStates['list']>[0]
const NUMBER = /^\d+$/

export class ShardedUrlStates implements UrlStates {
  readonly #shards: readonly RedisUrlStates[]

  constructor(shards: readonly RedisUrlStates[]) {
    this.#shards = shards
  }

  async find(url: CanonicalUrl): Promise<UrlRecord | null> {
    const record = (await this.#of(url)?.find(url)) ?? null
    return record === null ? null : this.#withFinder(record)
  }

  /** By number over all shards, which is about the order of discovery. */
  async list(options: ListOptions): Promise<readonly Listed[]> {
    const count = this.#shards.length
    const parts = await Promise.all(
      this.#shards.map(async (shard, at) => {
        const after = Math.max(0, Math.floor((options.after - at) / count))
        const some = await shard.list({ ...options, after })
        return some.map((each) => ({ ...each, position: numberOf(each.position, at, count) }))
      }),
    )
    const all = parts.flat().toSorted((a, b) => a.position - b.position)
    return Promise.all(all.slice(0, options.limit).map((each) => this.#withFinder(each)))
  }

  async counts(): Promise<UrlCounts> {
    return addedCounts(await this.#all((shard) => shard.counts()))
  }

  async unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]> {
    return (await this.#all((shard) => shard.unreached(seedHosts))).flat()
  }

  async countRefused(codes: readonly Refusal[]): Promise<number> {
    return sum(await this.#all((shard) => shard.countRefused(codes)))
  }

  async outcomes(): Promise<readonly Outcome[]> {
    const byName = new Map<string, Outcome>()
    for (const outcome of (await this.#all((shard) => shard.outcomes())).flat()) {
      const name = `${outcome.state} ${outcome.code}`
      const known = byName.get(name)
      const count = (known?.count ?? 0) + outcome.count
      byName.set(name, { ...(known ?? outcome), count })
    }
    return [...byName.values()].toSorted(mostFirst)
  }

  async pagesToRevisit(round: number): Promise<number | null> {
    const all = await this.#all((shard) => shard.pagesToRevisit(round))
    return all.includes(null) ? null : sum(all.map((each) => each ?? 0))
  }

  async hosts(limit: number): Promise<readonly HostState[]> {
    return largestFirst((await this.#all((shard) => shard.hosts(limit))).flat(), limit)
  }

  async host(name: string): Promise<HostState | null> {
    return (await this.#shards[shardOf(name, this.#shards.length)]?.host(name)) ?? null
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    return (await this.#of(`${origin}/` as CanonicalUrl)?.robots(origin)) ?? null
  }

  async ahead(url: CanonicalUrl): Promise<number> {
    return (await this.#of(url)?.ahead(url)) ?? 0
  }

  async candidate(url: CanonicalUrl): Promise<Candidate | null> {
    return (await this.#of(url)?.candidate(url)) ?? null
  }

  async learned(): Promise<LearnedState | null> {
    return (await this.#shards[0]?.learned()) ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #of(url: CanonicalUrl): RedisUrlStates | undefined {
    return this.#shards[shardOf(hostOf(url), this.#shards.length)]
  }

  #all<T>(ask: (shard: RedisUrlStates) => Promise<T>): Promise<T[]> {
    return Promise.all(this.#shards.map(ask))
  }

  /** A page in another shard is told by its number. */
  async #withFinder<T extends UrlRecord>(record: T): Promise<T> {
    const { foundOn } = record
    if (foundOn === null || !NUMBER.test(foundOn)) return record
    const count = this.#shards.length
    const shard = this.#shards[shardOfNumber(Number(foundOn), count)]
    const row = await shard?.rowAt(idIn(Number(foundOn), count))
    return { ...record, foundOn: row?.url ?? null }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function mostFirst(a: Outcome, b: Outcome): number {
  const byState = URL_STATES.indexOf(a.state) - URL_STATES.indexOf(b.state)
  return b.count - a.count || byState || (a.code < b.code ? -1 : 1)
}

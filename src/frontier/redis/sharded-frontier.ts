// A frontier that is cut into shards, each a whole frontier of its own over the hosts of some domains, so
// that several nodes of a Cluster share the work. A URL's id says which shard it is in.
//
// Links to other shards are given to them before their page is settled (elsewhere.ts). What is leased next
// is chosen between the best of each shard. All that a crawl keeps to over all hosts (fairness between
// seeds, the limit of pages) is known of the other shards as of the same call; the store has the last
// word on the limit.
import type { HostState, UrlCounts } from '../../core/host.ts'
import type { Found, Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { URL_STATES } from '../../core/visit.ts'
import type { Frontier, HostNote, Lease, Outlook, RobotsRecord, Settlement } from '../frontier.ts'
import type { Word } from './calls.ts'
import type { Elsewhere, HandedOver } from './elsewhere.ts'
import { largestFirst } from './host-record.ts'
import type { RedisFrontierOptions } from './options.ts'
import { openRedisFrontier, type RedisFrontier } from './redis-frontier.ts'
import type { Rank, StaleRow } from './reply.ts'
import { idIn, numberOf, shardOf, shardOfNumber } from './shards.ts'

export async function openShardedFrontier(
  options: RedisFrontierOptions,
  count: number,
): Promise<ShardedFrontier> {
  const shards: RedisFrontier[] = []
  const done: number[][] = Array.from({ length: count }, () => [])
  const handOver = async (
    from: number,
    some: readonly HandedOver[],
    rescoreWords: (row: StaleRow) => readonly Word[],
  ): Promise<void> => {
    await Promise.all(
      shards.map((shard, to) => {
        const theirs = some.flatMap((each) => partFor(each, { from, to, count }))
        if (theirs.length === 0) return null
        return shard.deliver(theirs, done[to]?.splice(0) ?? [], rescoreWords)
      }),
    )
  }
  for (let shard = 0; shard < count; shard++) {
    const elsewhere: Elsewhere = {
      isElsewhere: (url) => shardOf(hostOf(url), count) !== shard,
      handOver: (some, rescoreWords) => handOver(shard, some, rescoreWords),
    }
    shards.push(await openRedisFrontier({ ...options, shard, elsewhere, shards: count }))
  }
  const { maxPages } = options.job.settings
  return new ShardedFrontier(shards, { maxPages, done })
}

/** What of a page's links belongs to one shard. */
function partFor(
  { links, moved, ...page }: HandedOver,
  { from, to, count }: { from: number; to: number; count: number },
): readonly (HandedOver & { readonly number: number | '' })[] {
  const isTheirs = (url: CanonicalUrl): boolean => shardOf(hostOf(url), count) === to
  const theirs = links.filter(([{ url }]) => isTheirs(url))
  const movedThere = moved.filter(({ url }) => isTheirs(url))
  if (theirs.length === 0 && movedThere.length === 0) return []
  const number = page.pageId === 0 ? '' : numberOf(page.pageId, from, count)
  return [{ ...page, number, links: theirs, moved: movedThere }]
}

export class ShardedFrontier implements Frontier {
  readonly #shards: readonly RedisFrontier[]
  readonly #maxPages: number
  /** Of each shard: pages of others that are settled, which it has not heard yet. */
  readonly #done: readonly number[][]

  constructor(
    shards: readonly RedisFrontier[],
    { maxPages, done }: { maxPages: number; done: readonly number[][] },
  ) {
    this.#shards = shards
    this.#maxPages = maxPages
    this.#done = done
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    let added = 0
    for (const [at, shard] of this.#shards.entries()) {
      const theirs = found.filter(({ url }) => this.#shardOf(url) === at)
      if (theirs.length > 0) added += await shard.add(theirs, via)
    }
    return added
  }

  async lease(limit: number, newPages = limit): Promise<readonly Lease[]> {
    const leases: Lease[] = []
    // A shard that gave nothing, though it had something to give, is held back.
    const isAsked = new Set<number>()
    const some = Math.max(1, Math.floor(limit / (2 * this.#shards.length)))
    const ranks = await Promise.all(this.#shards.map((shard) => shard.rank()))
    while (leases.length < limit) {
      const at = bestOf(ranks, isAsked)
      const shard = at === null ? undefined : this.#shards[at]
      if (at === null || shard === undefined) break
      const wanted = Math.min(some, limit - leases.length)
      const given = await this.#leaseFrom(at, wanted, newPages - leases.length, ranks)
      leases.push(...given)
      // What it said with its last lease stays the last word of one that has no more to give.
      if (given.length < wanted) isAsked.add(at)
      else if (leases.length < limit) ranks[at] = await shard.rank()
    }
    return leases
  }

  async #leaseFrom(
    at: number,
    limit: number,
    newPages: number,
    ranks: readonly Rank[],
  ): Promise<readonly Lease[]> {
    const { stored, leased } = this.counts()
    const room = Math.max(0, Math.min(newPages, this.#maxPages - stored - leased))
    const given = await this.#shards[at]?.lease(limit, room, seedsOf(ranks, at))
    return (given ?? []).map((lease) => this.#shown(lease, at))
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    const at = this.#shardOf(url)
    const lease = (await this.#shards[at]?.leaseFor(url)) ?? null
    return lease === null ? null : this.#shown(lease, at)
  }

  holds(lease: Lease): boolean {
    return this.#of(lease).shard.holds(this.#of(lease).own)
  }

  started(lease: Lease): void {
    const { shard, own } = this.#of(lease)
    shard.started(own)
  }

  landed(lease: Lease, note: HostNote): void {
    const { shard, own } = this.#of(lease)
    shard.landed(own, note)
  }

  async settle(settlements: readonly Settlement[]): Promise<number> {
    let taken = 0
    const byShard = Map.groupBy(settlements, ({ lease }) => this.#at(lease.id))
    for (const [at, theirs] of byShard) {
      const own = theirs.map((each) => ({ ...each, lease: this.#of(each.lease).own }) as Settlement)
      taken += (await this.#shards[at]?.settle(own)) ?? 0
      for (const { lease } of theirs) {
        if (lease.kind === 'page') for (const done of this.#done) done.push(lease.id)
      }
    }
    return taken
  }

  async saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void> {
    const { shard, own } = this.#of(lease)
    await shard.saveRobots(own, record, delayMs)
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    const shard = this.#shards[this.#shardOf(`${origin}/` as CanonicalUrl)]
    return (await shard?.robots(origin)) ?? null
  }

  async refuseUnreachable(): Promise<number> {
    let refused = 0
    for (const shard of this.#shards) refused += await shard.refuseUnreachable()
    return refused
  }

  outlook(): Outlook {
    const all = this.#shards.map((shard) => shard.outlook())
    const sum = (of: (outlook: Outlook) => number): number =>
      all.reduce((total, outlook) => total + of(outlook), 0)
    const moments = all.flatMap(({ readyAt }) => (readyAt === null ? [] : [readyAt]))
    const isOver = ({ onlyUnreachable, readyAt }: Outlook): boolean =>
      onlyUnreachable || readyAt === null
    return {
      unsettled: sum(({ unsettled }) => unsettled),
      elsewhere: sum(({ elsewhere }) => elsewhere ?? 0),
      readyAt: moments.length === 0 ? null : Math.min(...moments),
      onlyUnreachable: all.some(({ onlyUnreachable }) => onlyUnreachable) && all.every(isOver),
      revisits: sum(({ revisits }) => revisits),
      revisiting: sum(({ revisiting }) => revisiting),
    }
  }

  counts(): UrlCounts {
    return addedCounts(this.#shards.map((shard) => shard.counts()))
  }

  hosts(limit: number): readonly HostState[] {
    return largestFirst(
      this.#shards.flatMap((shard) => shard.hosts(limit)),
      limit,
    )
  }

  /** Ends as a process that is killed does: nothing is given back. */
  abandon(): void {
    for (const shard of this.#shards) shard.abandon()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const shard of this.#shards) await shard[Symbol.asyncDispose]()
  }

  #shardOf(url: CanonicalUrl): number {
    return shardOf(hostOf(url), this.#shards.length)
  }

  #at(id: number): number {
    return shardOfNumber(id, this.#shards.length)
  }

  #shown(lease: Lease, at: number): Lease {
    return { ...lease, id: numberOf(lease.id, at, this.#shards.length) }
  }

  #of<T extends Pick<Lease, 'id'>>(lease: T): { readonly shard: RedisFrontier; readonly own: T } {
    const shard = this.#shards[this.#at(lease.id)]
    if (shard === undefined) throw new RangeError(`no shard has ${lease.id}`)
    return { shard, own: { ...lease, id: idIn(lease.id, this.#shards.length) } }
  }
}

export function addedCounts(all: readonly UrlCounts[]): UrlCounts {
  const sum = {
    queued: 0,
    leased: 0,
    stored: 0,
    duplicate: 0,
    redirected: 0,
    refused: 0,
    failed: 0,
  }
  for (const counts of all) for (const state of URL_STATES) sum[state] += counts[state]
  return sum
}

/** Where the best is to be had; null when nowhere, or only where nothing was given. */
function bestOf(ranks: readonly Rank[], isAsked: ReadonlySet<number>): number | null {
  let best: number | null = null
  for (const [at, { rank, member }] of ranks.entries()) {
    if (rank === null || isAsked.has(at)) continue
    const known = best === null ? null : ranks[best]
    const isBetter =
      known?.rank === null ||
      known?.rank === undefined ||
      rank < known.rank ||
      (rank === known.rank && member < known.member)
    if (isBetter) best = at
  }
  return best
}

/** Of seeds' domains in all shards but one. */
function seedsOf(ranks: readonly Rank[], but: number): readonly number[] {
  const total = [0, 0, 0, 0]
  for (const [at, { seeds }] of ranks.entries()) {
    const [number = 0, least = 0, sum = 0, squares = 0] = seeds
    if (at === but || number === 0) continue
    total[1] = total[0] === 0 ? least : Math.min(total[1] ?? 0, least)
    total[0] = (total[0] ?? 0) + number
    total[2] = (total[2] ?? 0) + sum
    total[3] = (total[3] ?? 0) + squares
  }
  return total
}

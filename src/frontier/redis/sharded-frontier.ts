// A frontier that is cut into shards, each a whole frontier of its own over the hosts of some domains, so
// that several nodes of a Cluster share the work. A URL's id says which shard it is in.
//
// What leads to other shards is given to them before its page is settled (elsewhere.ts), and again when
// their server was lost (handed-links.ts). What is leased next is chosen between the best of each shard;
// of hosts that are equal any may go first. All that a crawl keeps to over all hosts (fairness between
// seeds, the limit of pages) is known of the other shards as of the same call; the store has the last
// word on the limit.
import { type HostState, NO_COUNTS, type UrlCounts } from '../../core/host.ts'
import type { Found, Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { URL_STATES } from '../../core/visit.ts'
import type {
  Frontier,
  FrontierStatus,
  HostFeedback,
  Lease,
  RobotsRecord,
  Settled,
  Settlement,
} from '../frontier.ts'
import { ROOM_FOR_ALL, type RoomForOthers } from '../pace.ts'
import { newOwner } from '../partitions/owner-name.ts'
import { idIn, numberOf, shardOf, shardOfNumber } from '../partitions/partition-of.ts'
import { BetweenShards } from './between-shards.ts'
import type { HandedLinks } from './handed-links.ts'
import { largestFirst } from './host-record.ts'
import { shardNames } from './keys.ts'
import { LastPages } from './last-pages.ts'
import type { RedisFrontierOptions } from './options.ts'
import { openRedisFrontier, type RedisFrontier, type Wanted } from './redis-frontier.ts'
import type { Rank } from './reply.ts'

/** A server keeps what it was told so long ago: its file is a second behind, its replica hardly more. */
const SAFE_AFTER_MS = 15_000

export async function openShardedFrontier(
  options: RedisFrontierOptions,
  count: number,
): Promise<ShardedFrontier> {
  const { connection, job, session = newOwner() } = options
  const between = new BetweenShards(options, count)
  // The first one last: it says into how many the frontier is cut, and that all are there.
  for (let shard = count - 1; shard >= 0; shard--) {
    const elsewhere = between.of(shard)
    const how = { shard, elsewhere, shards: count, session }
    between.shards[shard] = await openRedisFrontier({ ...options, ...how })
  }
  for (const [shard] of between.shards.entries()) await between.handAgain(shard)
  const [first] = shardNames({ prefix: connection.prefix, crawlId: job.id }, count)
  if (first === undefined) throw new RangeError('a frontier has one shard at least')
  const lastPages = new LastPages(connection, first, session)
  const { maxPages } = job.settings
  return new ShardedFrontier(between.shards, { maxPages, lastPages, handed: between.handed })
}

export class ShardedFrontier implements Frontier {
  readonly #shards: readonly RedisFrontier[]
  readonly #maxPages: number
  readonly #lastPages: LastPages
  readonly #handed: HandedLinks
  readonly #timer: NodeJS.Timeout
  #trimming: Promise<void> = Promise.resolve()

  constructor(
    shards: readonly RedisFrontier[],
    options: { maxPages: number; lastPages: LastPages; handed: HandedLinks },
  ) {
    this.#shards = shards
    this.#maxPages = options.maxPages
    this.#lastPages = options.lastPages
    this.#handed = options.handed
    this.#timer = setInterval(() => {
      this.#trimming = this.trimHanded().catch(() => {})
    }, SAFE_AFTER_MS).unref()
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    let added = 0
    for (const [at, shard] of this.#shards.entries()) {
      const theirs = found.filter(({ url }) => this.#shardOf(url) === at)
      if (theirs.length > 0) added += await shard.add(theirs, via)
    }
    return added
  }

  async lease(
    limit: number,
    newPages = limit,
    room: RoomForOthers = ROOM_FOR_ALL,
  ): Promise<readonly Lease[]> {
    const { stored, leased } = this.counts()
    const wanted = { limit, newPages, room }
    if (!this.#lastPages.areNear(this.#maxPages - stored - leased)) return this.#lease(wanted)
    return (await this.#lastPages.alone(() => this.#lease(wanted))) ?? []
  }

  async #lease({ limit, newPages, room }: Wanted): Promise<readonly Lease[]> {
    const leases: Lease[] = []
    // A shard that gave nothing, though it had something to give, is held back.
    const isAsked = new Set<number>()
    const some = Math.max(1, Math.floor(limit / (2 * this.#shards.length)))
    const ranks = await Promise.all(this.#shards.map((shard) => shard.rank(newPages)))
    while (leases.length < limit) {
      const at = bestOf(ranks, isAsked)
      const shard = at === null ? undefined : this.#shards[at]
      if (at === null || shard === undefined) break
      const wanted = Math.min(some, limit - leases.length)
      const left = { newPages: newPages - leases.length, room: roomAfter(room, leases) }
      const given = await this.#leaseFrom(at, { limit: wanted, ...left }, ranks)
      leases.push(...given)
      // What it said with its last lease stays the last word of one that has no more to give.
      if (given.length < wanted) isAsked.add(at)
      else if (leases.length < limit) ranks[at] = await shard.rank(newPages - leases.length)
    }
    return leases
  }

  async #leaseFrom(at: number, wanted: Wanted, ranks: readonly Rank[]): Promise<readonly Lease[]> {
    const { stored, leased } = this.counts()
    const newPages = Math.max(0, Math.min(wanted.newPages, this.#maxPages - stored - leased))
    const given = await this.#shards[at]?.leaseBeside(seedsOf(ranks, at), { ...wanted, newPages })
    return (given ?? []).map((lease) => this.#shown(lease, at))
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    const at = this.#shardOf(url)
    const lease = (await this.#shards[at]?.leaseFor(url)) ?? null
    return lease === null ? null : this.#shown(lease, at)
  }

  isValid(lease: Lease): boolean {
    return this.#of(lease).shard.isValid(this.#of(lease).own)
  }

  requestSent(lease: Lease): void {
    const { shard, own } = this.#of(lease)
    shard.requestSent(own)
  }

  requestEnded(lease: Lease, note: HostFeedback): void {
    const { shard, own } = this.#of(lease)
    shard.requestEnded(own, note)
  }

  async settle(settlements: readonly Settlement[]): Promise<number> {
    let taken = 0
    const byShard = Map.groupBy(settlements, ({ lease }) => this.#atSettled(lease))
    for (const [at, theirs] of byShard) {
      const own = theirs.map((each) => ({ ...each, lease: this.#of(each.lease).own }) as Settlement)
      taken += (await this.#shards[at]?.settle(own)) ?? 0
    }
    return taken
  }

  async flush(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.flush()))
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

  status(): FrontierStatus {
    const all = this.#shards.map((shard) => shard.status())
    const sum = (of: (status: FrontierStatus) => number): number =>
      all.reduce((total, status) => total + of(status), 0)
    const moments = all.flatMap(({ readyAt }) => (readyAt === null ? [] : [readyAt]))
    const isOver = ({ allUnreachable, readyAt }: FrontierStatus): boolean =>
      allUnreachable || readyAt === null
    return {
      unsettled: sum(({ unsettled }) => unsettled),
      heldByOthers: sum(({ heldByOthers }) => heldByOthers ?? 0),
      readyAt: moments.length === 0 ? null : Math.min(...moments),
      allUnreachable: all.some(({ allUnreachable }) => allUnreachable) && all.every(isOver),
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

  /**
   * Forgets what each shard was given before the last time, and has kept since: `rank` notices a server
   * that was lost, and has it given once more.
   */
  async trimHanded(): Promise<void> {
    for (const [at, shard] of this.#shards.entries()) {
      await shard.rank('')
      await this.#handed.trim(at)
    }
  }

  /** Ends as a process that is killed does: nothing is given back. */
  abandon(): void {
    clearInterval(this.#timer)
    for (const shard of this.#shards) shard.abandon()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#trimming
    for (const shard of this.#shards) await shard[Symbol.asyncDispose]()
  }

  #shardOf(url: CanonicalUrl): number {
    return shardOf(hostOf(url), this.#shards.length)
  }

  #at(id: number): number {
    return shardOfNumber(id, this.#shards.length)
  }

  /** Without a token the URL has the last word. */
  #atSettled({ id, token, url }: Settled): number {
    if (token !== null || url === undefined) return this.#at(id)
    return shardOf(hostOf(url), this.#shards.length)
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

const COUNTED = [...URL_STATES, 'outside'] as const

export function addedCounts(all: readonly UrlCounts[]): UrlCounts {
  const sum = { ...NO_COUNTS }
  for (const counts of all) for (const state of COUNTED) sum[state] += counts[state]
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

function roomAfter(room: RoomForOthers, leases: readonly Lease[]): RoomForOthers {
  const left = { ...room }
  for (const { pace } of leases) if (pace !== undefined) left[pace] -= 1
  return left
}

/** Of seeds' domains in all shards but one. */
function seedsOf(ranks: readonly Rank[], but: number): readonly number[] {
  const total = [0, 0, 0, 0, 0]
  for (const [at, { seeds, requests }] of ranks.entries()) {
    const [number = 0, least = 0, sum = 0, squares = 0] = seeds
    if (at !== but) total[4] = (total[4] ?? 0) + requests
    if (at === but || number === 0) continue
    total[1] = total[0] === 0 ? least : Math.min(total[1] ?? 0, least)
    total[0] = (total[0] ?? 0) + number
    total[2] = (total[2] ?? 0) + sum
    total[3] = (total[3] ?? 0) + squares
  }
  return total
}

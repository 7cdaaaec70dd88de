// The frontier of a crawl that several programs share, as one of them sees it. It owns some partitions and
// decides alone what happens in them; of the others it knows what their owners have reported.
//
//   settle ─▶ the engine of the page's partition ─▶ rows and messages of the next batch ─▶ storage
//                                                                  │
//             the engine of another partition ◀── its inbox ◀──────┘
//
// Invariants
// - A partition's hosts are visited only while this program is certain to own it (membership.ts).
// - Whatever a call has settled is durable when the call resolves, together with its messages.
// - The result of a page whose partition was lost meanwhile is sent to the new owner.
// - The crawl is over when every partition is idle, no message waits, and the next report shows the same.
//
// More than 400 lines: every method of `Frontier` over several partitions, each a few lines that share the same
// fields. Who owns what, writing, and summaries are in files of their own.
import type { HostState, UrlCounts } from '../../core/host.ts'
import type { Found, Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { type Clock, systemTimers, type Timers } from '../../lib/clock.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { FrontierOptions } from '../engine/frontier-options.ts'
import type { OtherPartitions } from '../engine/link-intake.ts'
import { isPatient, OwnerParts } from '../engine/owner-parts.ts'
import { openPartition, pickLeases } from '../engine/partition.ts'
import type {
  Frontier,
  FrontierStatus,
  FrontierUpdate,
  HostFeedback,
  Lease,
  LeaseRef,
  RobotsRecord,
  RoomForOthers,
} from '../frontier.ts'
import type { FrontierStorage, Ownership } from '../storage.ts'
import { CrawlSums } from './crawl-sums.ts'
import { GuestLeases } from './guest-leases.ts'
import { HostTurns } from './host-turns.ts'
import { LateResults, splitMoved } from './late-results.ts'
import type { TurnMail } from './mail.ts'
import { fillCopy, OwnedPartition, type WorkingCopy } from './owned-partition.ts'
import { OwnedPartitions } from './owned-partitions.ts'
import { PageShares, type PagesSeen } from './page-shares.ts'
import { idIn, numberOf, partitionOf, partitionOfNumber, refuseUndivided } from './partition-of.ts'
import { Summaries, seeOthers } from './summary.ts'

/** While nothing can be done here: how old the news of others may be. */
const NEWS_MS = 250
/** A patient crawl compares with the pages of others, so it reports more often. */
const PATIENT_REPORT_MS = 250
/** What others wait for is written after this time, with what came meanwhile. */
const WRITE_SOON_MS = 100
/**
 * How far the rows of leases and clocks may be behind. After a crash every lease is lost anyway, and every host
 * rests; what that loses is in docs/FRONTIER.md. Most leases end sooner, and what they change is written with their results.
 */
const WRITE_BEHIND_MS = 1000

export type PartitionedOptions = Omit<FrontierOptions, 'clock'> & {
  readonly storage: FrontierStorage
  /** The number of partitions, as `divide` returned it. */
  readonly partitions: number
  /** Unique for this program. */
  readonly owner: string
  /** Others may take the partitions of a program that was silent for so long. */
  readonly leaseMs: number
  readonly openCopy: (ownership: Ownership) => WorkingCopy
  /** Set in tests; else the clock of the storage's server. */
  readonly clock?: Clock
  /** As in `PartitionWriterOptions`. */
  readonly roundMs?: number
  readonly maxRoundMs?: number
  readonly busyRoundMs?: number
  /** Set in tests and simulations. */
  readonly timers?: Timers
}

export async function openPartitionedFrontier(
  options: PartitionedOptions,
): Promise<PartitionedFrontier> {
  refuseUndivided(options, options.partitions)
  const frontier = new PartitionedFrontier(options)
  try {
    await frontier.start()
    return frontier
  } catch (error) {
    frontier.abandon()
    throw error
  }
}

export class PartitionedFrontier implements Frontier {
  readonly #options: PartitionedOptions
  readonly #count: number
  readonly #owned: OwnedPartitions
  readonly #shared: OwnerParts
  readonly #guests: GuestLeases
  readonly #turns: HostTurns
  readonly #hashUrl: ReturnType<typeof createUrlHasher>
  readonly clock: Clock
  /** All seeds that were added here, for partitions that are claimed later. */
  readonly #seeds: Found[] = []
  #isSeeded = false
  readonly #timers: Timers
  #stopWriting: (() => void) | null = null
  #stopWritingSoon: (() => void) | null = null
  readonly #pages: PageShares
  readonly #summaries: Summaries
  readonly #late: LateResults
  readonly #sums = new CrawlSums(() => this.#owned.all)

  constructor(options: PartitionedOptions) {
    const { job, storage, owner, leaseMs, partitions, roundMs, maxRoundMs, timers } = options
    this.#options = options
    this.#timers = timers ?? systemTimers
    this.#count = partitions
    this.#pages = new PageShares(owner)
    this.#hashUrl = createUrlHasher(job.salt)
    this.#owned = new OwnedPartitions({
      ...{ storage, crawlId: job.id, owner, leaseMs, roundMs, maxRoundMs, timers },
      busyRoundMs: options.busyRoundMs,
      isBusy: () => this.#readyHere() <= this.clock.now(),
      reportMs: isPatient(options) ? PATIENT_REPORT_MS : undefined,
      open: (ownership) => this.#openOne(ownership),
      onOpened: (partition) => this.#begin(partition),
      onLeaving: (partition) => partition.engine.withdraw(),
      onClosed: (partition) => this.#close(partition),
      onOthers: (isReport) => this.#see(isReport),
    })
    this.clock = options.clock ?? this.#owned.membership.clock
    this.#shared = new OwnerParts({ ...options, clock: this.clock })
    this.#summaries = new Summaries({
      clock: this.clock,
      partitions,
      ...{ seedSites: this.#shared.seedSites, scorer: options.scorer },
    })
    this.#guests = new GuestLeases({
      ...{ clock: this.clock, owner, sender: () => this.#sender() },
      tell: (url, mail) => this.#tellOwner(url, mail),
    })
    this.#turns = new HostTurns({
      ...{ clock: this.clock, timers: this.#timers, timeoutMs: job.settings.timeoutMs },
      certainMs: () => this.#owned.membership.certainMs,
      isOpen: (partition) => this.#owned.get(partition.number) === partition,
      commit: () => void this.#owned.commit().catch(() => {}),
      onError: (error) => this.#owned.fail(error),
    })
    this.#late = new LateResults(this.#owned, (url) => this.#partitionOf(url), this.#timers)
  }

  start(): Promise<void> {
    return this.#owned.start()
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    this.#owned.check()
    if (via === 'seed') this.#seeds.push(...found)
    if (!this.#isSeeded) this.#summariseAll()
    this.#isSeeded = true
    let added = 0
    for (const [partition, theirs] of Map.groupBy(found, ({ url }) => this.#partitionOf(url))) {
      // Whoever owns another partition adds the seeds, too; other URLs are sent there.
      const [any] = via === 'seed' ? [] : this.#owned.all
      const by = this.#owned.get(partition) ?? any
      added += by?.engine.add(theirs, via) ?? 0
    }
    await this.#owned.commit()
    return added
  }

  async lease(limit: number, newPages = limit, room?: RoomForOthers): Promise<readonly Lease[]> {
    this.#owned.check()
    const { membership } = this.#owned
    const isIdle = this.#isIdleHere
    if ((isIdle || this.#pages.areFew) && membership.age > NEWS_MS) await membership.report()
    if (limit > 0 && newPages > 0 && this.#mustReserve) await this.#reserve()
    if (!membership.isCertain) return []
    const engines = [...this.#owned.all].map(({ engine }) => engine)
    const wanted = { limit, newPages: Math.min(newPages, this.#pages.grant), room }
    const refusedBefore = this.#shared.refused
    const leases = pickLeases(this.#shared, engines, wanted)
    this.#pages.leased(leases.length)
    const isUnused = this.#pages.grant <= 0 && this.#pages.showsTooMany
    if (isUnused) this.#showPages()
    // A refusal that a crash loses is found again, so nobody waits for it.
    if (isUnused || this.#shared.refused > refusedBefore) this.#writeSoon()
    if (leases.length > 0) this.#writeBehind()
    return leases.map((lease) => ({ ...lease, id: this.#numberOf(lease) }))
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    this.#owned.check()
    if (!this.#owned.membership.isCertain) return null
    const partition = this.#partitionOf(url)
    const own = this.#owned.get(partition)
    // Also of one that is about to be released: a visit there may need this turn to come to its end.
    if (own === undefined) return this.#guests.lease(url)
    const lease = own.engine.leaseFor(url)
    return lease === null ? null : { ...lease, id: numberOf(lease.id, partition, this.#count) }
  }

  isValid(lease: Lease): boolean {
    if (!this.#owned.membership.isCertain) return false
    if (this.#guests.has(lease)) return this.#guests.isValid(lease)
    const own = this.#owned.get(this.#partitionOf(lease.url))
    return own?.engine.isValid(lease) ?? false
  }

  requestSent(lease: Lease): void {
    if (this.#guests.has(lease)) this.#guests.sent(lease)
    else this.#owned.get(this.#partitionOf(lease.url))?.engine.requestSent(lease)
  }

  requestEnded(lease: Lease, note: HostFeedback): void {
    if (this.#guests.has(lease)) this.#guests.ended(lease, note)
    else this.#owned.get(this.#partitionOf(lease.url))?.engine.requestEnded(lease, note)
    this.#writeBehind()
  }

  async settle(updates: readonly FrontierUpdate[]): Promise<number> {
    this.#owned.check()
    let accepted = 0
    const here: { readonly by: OwnedPartition; readonly updates: readonly FrontierUpdate[] }[] = []
    const away: FrontierUpdate[] = []
    const byHome = Map.groupBy(updates, ({ lease }) => this.#homeOf(lease))
    for (const [partition, all] of byHome) {
      const by = this.#owned.get(partition)
      const own = by === undefined ? [] : all.filter(({ lease }) => this.#isHeld(by, lease))
      if (own.length < all.length) away.push(...all.filter((one) => !own.includes(one)))
      if (by === undefined || own.length === 0) continue
      accepted += by.engine.settle(own.map((update) => this.#ownPart(by, update)))
      here.push({ by, updates: own })
    }
    accepted += await this.#late.forward(away)
    await this.#owned.commit()
    // A partition that was lost before its batch was written has lost these results with it.
    const lost = here.filter(({ by }) => this.#owned.get(by.number) !== by)
    if (lost.length > 0) await this.#late.forward(lost.flatMap((one) => one.updates))
    await this.#rerank()
    return accepted
  }

  /** Only a frontier of one partition has the whole graph. */
  async #rerank(): Promise<void> {
    const [only] = this.#count === 1 ? this.#owned.all : []
    const reranking = only?.engine.parts.reranking
    if (only === undefined || !reranking?.isDue) return
    await reranking.run(only.engine)
    await this.#owned.commit()
  }

  async flush(): Promise<void> {
    await this.#owned.commit()
    await this.#options.storage.flush?.()
  }

  async saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void> {
    this.#owned.check()
    const own = this.#owned.get(this.#partitionOf(lease.url))
    own?.engine.saveRobots(this.#localOf(lease), record, delayMs)
    await this.#owned.commit()
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    const own = this.#owned.get(partitionOf(origin.slice(origin.indexOf('//') + 2), this.#count))
    return own?.engine.parts.robots.read(origin) ?? null
  }

  async refuseUnreachable(): Promise<number> {
    this.#owned.check()
    let refused = 0
    for (const { engine } of this.#owned.all) refused += engine.refuseUnreachable()
    await this.#owned.commit()
    return refused
  }

  status(): FrontierStatus {
    return { ...this.#sums.status(), readyAt: this.#readyAt() }
  }

  counts(): UrlCounts {
    return this.#sums.counts()
  }

  hosts(limit: number): readonly HostState[] {
    const own = [...this.#owned.all].flatMap(({ engine }) => engine.hosts(limit))
    const all = [...own, ...[...this.#owned.others].flatMap(({ hosts }) => hosts)]
    return largestFirst(all).slice(0, limit)
  }

  /** Ends as a program that is killed does: nothing is given back. */
  abandon(): void {
    this.#stopTimers()
    this.#turns.abandon()
    this.#owned.abandon()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns.close()
    this.#stopTimers()
    await this.#owned[Symbol.asyncDispose]()
  }

  #stopTimers(): void {
    this.#stopWriting?.()
    this.#stopWritingSoon?.()
  }

  get #isIdleHere(): boolean {
    return this.#readyHere() === Number.POSITIVE_INFINITY
  }

  /** Earliest moment at which something could be leased here; Infinity if nothing waits. */
  #readyHere(): number {
    const { schedule, rampUp } = this.#shared
    let retryAt = Number.POSITIVE_INFINITY
    for (const { engine } of this.#owned.all)
      retryAt = Math.min(retryAt, engine.parts.retries.nextAt)
    return Math.min(Math.max(schedule.readyAt, rampUp.roomAt), retryAt)
  }

  /** While others work, their links may lead here. */
  #readyAt(): number | null {
    const here = this.#readyHere()
    const { isAlone, isOver, membership } = this.#owned
    const soon = this.clock.now() + NEWS_MS
    // Nothing is leased meanwhile, so there is no hurry.
    const { grant, mustReserve } = this.#pages
    const isHeld = !membership.isCertain || (grant <= 0 && !mustReserve)
    if (isHeld) return here === Number.POSITIVE_INFINITY ? soon : Math.max(soon, here)
    const at = isAlone || isOver ? here : Math.min(here, soon)
    return at === Number.POSITIVE_INFINITY ? null : at
  }

  #partitionOf(url: CanonicalUrl): number {
    return partitionOf(hostOf(url), this.#count)
  }

  #numberOf({ id, url }: Pick<Lease, 'id' | 'url'>): number {
    return this.#count === 1 ? id : numberOf(id, this.#partitionOf(url), this.#count)
  }

  #localOf<T extends LeaseRef>(lease: T): T {
    return this.#count === 1 ? lease : { ...lease, id: idIn(lease.id, this.#count) }
  }

  async #openOne(ownership: Ownership): Promise<OwnedPartition> {
    const { openCopy, storage } = this.#options
    const rows = openCopy(ownership)
    try {
      await fillCopy(storage, ownership, rows)
      const number = ownership.partition
      const otherPartitions = this.#count === 1 ? null : this.#otherPartitions(number, () => owned)
      const needs = { ...this.#options, clock: this.clock, partition: number, otherPartitions }
      const partition = await openPartition(rows, needs, this.#shared)
      const owned: OwnedPartition = new OwnedPartition({
        ...{ ownership, rows, partition, hashUrl: this.#hashUrl },
        onTurn: (mail, to) => this.#takeTurn(mail, to),
        summarise: (engine) => ({
          ...this.#summaries.of(engine, this.#isSeeded),
          reserved: this.#reservedOf(number),
        }),
      })
      return owned
    } catch (error) {
      rows.close()
      throw error
    }
  }

  #otherPartitions(partition: number, by: () => OwnedPartition): OtherPartitions {
    const count = this.#count
    return {
      send: (to, links) => by().sendLinks(to, links),
      follow: (to, way) => by().send(to, { kind: 'way', way }),
      lower: (to, nearer) => by().lower(to, nearer),
      numberOf: (id) => Math.sign(id) * numberOf(Math.abs(id), partition, count),
      placeOf: (number) => ({
        partition: partitionOfNumber(number, count),
        id: idIn(number, count),
      }),
      partitionOf: (url) => {
        const to = this.#partitionOf(url)
        return to === partition ? null : to
      },
    }
  }

  #takeTurn(mail: TurnMail, to: OwnedPartition): void {
    if (mail.kind === 'turn-wanted') this.#turns.want(to, mail)
    else if (mail.kind === 'turn') this.#guests.grant(mail)
    else this.#turns.over(mail)
  }

  #tellOwner(url: CanonicalUrl, mail: TurnMail): void {
    const to = this.#partitionOf(url)
    // If the partition has moved here, nobody else needs the message.
    if (this.#owned.get(to) !== undefined) return
    this.#sender()?.send(to, mail)
    this.#writeSoon()
  }

  /** Every message has a sender. Null if this program has no partition. */
  #sender(): OwnedPartition | null {
    return [...this.#owned.all].find(({ isLeaving }) => !isLeaving) ?? null
  }

  #begin({ number, engine }: OwnedPartition): void {
    const seeds = this.#seeds.filter(({ url }) => this.#partitionOf(url) === number)
    if (seeds.length > 0) engine.add(seeds, 'seed')
    engine.enter()
  }

  #close({ engine, number }: OwnedPartition): void {
    engine.withdraw()
    this.#options.scorer.leave?.(number)
  }

  /** What the others have reported counts here, too. */
  #see(isReport: boolean): void {
    const others = [...this.#owned.others]
    this.#sums.see(others)
    seeOthers(this.#shared, this.#options.scorer, others)
    this.#pages.see(this.#pagesSeen(), isReport)
    if (isReport && this.#pages.showsTooMany) this.#showPages()
  }

  #pagesSeen(): PagesSeen {
    const { owners, now } = this.#owned.membership.view
    const { unsettled, revisiting } = this.status()
    const left = this.#options.job.settings.maxPages - this.counts().stored - unsettled + revisiting
    let reservedByOthers = 0
    for (const { reserved } of this.#owned.others) reservedByOthers += reserved
    return { owners, now, left: Math.max(0, left), reservedByOthers }
  }

  get #mustReserve(): boolean {
    return this.#pages.mustReserve && this.#readyHere() <= this.clock.now()
  }

  #reserve(): Promise<void> {
    return this.#pages.reserve(async () => {
      this.#summariseAll()
      await this.#owned.commit({ isUrgent: true })
      await this.#owned.membership.reportAgain()
      return this.#pagesSeen()
    })
  }

  /** Others see what is reserved no more together with the leases it became. */
  #showPages(): void {
    this.#pages.show()
    this.#summariseAll()
  }

  #summariseAll(): void {
    for (const own of this.#owned.all) own.summariseAgain()
  }

  /** One of the partitions shows what this program has reserved. */
  #reservedOf(partition: number): number {
    const [first] = this.#owned.all
    return first?.number === partition ? this.#pages.reserved : 0
  }

  #isHeld(by: OwnedPartition, lease: LeaseRef): boolean {
    return lease.token === null || by.engine.isHeld(this.#localOf(lease))
  }

  /** An update as its own partition knows it. Duplicates in other partitions are reported there. */
  #ownPart(by: OwnedPartition, update: FrontierUpdate): FrontierUpdate {
    const local: FrontierUpdate = { ...update, lease: this.#localOf(update.lease) }
    if (this.#count === 1) return local
    const { own, others } = splitMoved(local, by.number, (url) => this.#partitionOf(url))
    for (const [to, moved] of others) by.send(to, { kind: 'moved', moved })
    return own
  }

  #writeSoon(): void {
    this.#stopWritingSoon ??= this.#timers.after(WRITE_SOON_MS, () => {
      this.#stopWritingSoon = null
      this.#owned.commit().catch(() => {})
    })
  }

  #writeBehind(): void {
    this.#stopWriting ??= this.#timers.after(WRITE_BEHIND_MS, () => {
      this.#stopWriting = null
      try {
        const engines = [...this.#owned.all].map(({ engine }) => engine)
        for (const engine of engines) engine.writeBehind({ leasedForMs: WRITE_BEHIND_MS })
        this.#owned.commit().catch(() => {})
        if (engines.some(({ parts }) => parts.leases.unmarked.size > 0)) this.#writeBehind()
      } catch (error) {
        this.#owned.fail(error)
      }
    })
  }

  #homeOf({ id, token, url }: LeaseRef): number {
    if (this.#count === 1) return 0
    return token === null && url !== undefined
      ? this.#partitionOf(url)
      : partitionOfNumber(id, this.#count)
  }
}

function largestFirst(hosts: readonly HostState[]): HostState[] {
  const sizeOf = ({ stored, queued, inFlight }: HostState): number => stored + queued + inFlight
  return hosts.toSorted((a, b) => sizeOf(b) - sizeOf(a))
}

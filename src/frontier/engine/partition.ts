// One partition at work: its rows, and the rules that run on them. The rows are the truth. In memory are the
// hashes of all URLs, the heads of the queues and the clocks of the hosts. Leases and clocks are written
// later, everything else in the call that changes it. Every call is synchronous, so none ever sees another
// half done; the caller waits until the rows are durable.
import type { HostState } from '../../core/host.ts'
import type { Found, Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { RoleChange } from '../../core/visit.ts'
import type {
  FrontierStatus,
  FrontierUpdate,
  HostFeedback,
  Lease,
  LeaseRef,
  RobotsRecord,
  RoomForOthers,
} from '../frontier.ts'
import type { SeedSums } from '../policy/host-policy.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import { LargestHosts } from './host-states.ts'
import type { OwnerParts } from './owner-parts.ts'
import { MAX_REFUSED, pick } from './picking.ts'
import { reapplySettings } from './reapply-settings.ts'
import type { StepByStep } from './reranking.ts'
import type { Rows } from './rows.ts'
import { LEASED, QUEUED } from './states.ts'
import { refuseBehind, waitsOnlyBehind } from './unreachable.ts'

/** What a partition adds to the status of its frontier. */
type PartitionStatus = Omit<FrontierStatus, 'heldByOthers' | 'readyAt'> & {
  /** Nothing waits and nothing is under way. */
  readonly isIdle: boolean
}

/** Begins a run on these rows; closes them if that fails. */
export async function openPartition(
  rows: Rows,
  options: EngineOptions,
  owner: OwnerParts,
): Promise<Partition> {
  try {
    const engine = rows.transaction(() => createEngine(rows, options, owner))
    // Run numbers are unique, so the beginning of this run must be durable.
    await rows.commit()
    await rows.flush()
    await reapplySettings({ rows, job: options.job, ...engine })
    return new Partition(rows, engine, owner)
  } catch (error) {
    rows.close()
    throw error
  }
}

export class Partition implements StepByStep {
  readonly parts: Engine
  readonly #rows: Rows
  readonly #owner: OwnerParts
  readonly #largest: LargestHosts
  #isEntered = false
  #isClosed = false
  /** After a failed write, memory and rows differ, so no further call is accepted. */
  #broken: { readonly error: unknown } | null = null

  constructor(rows: Rows, parts: Engine, owner: OwnerParts) {
    this.#rows = rows
    this.parts = parts
    this.#owner = owner
    this.#largest = new LargestHosts(parts.hosts, parts.clock)
    parts.hosts.takeTouched()
  }

  /** Its hosts may be visited from now on. */
  enter(): void {
    this.#isEntered = true
    this.#owner.enter(this.parts)
    for (const host of this.parts.hosts.all()) this.#owner.schedule.place(host)
  }

  /** Its hosts are visited no more. */
  withdraw(): void {
    if (!this.#isEntered) return
    this.#isEntered = false
    for (const host of this.parts.hosts.all()) this.#owner.schedule.withdraw(host)
    this.#owner.leave(this.parts)
  }

  /** Throws the error after which no call is accepted. */
  check(): void {
    if (this.#broken !== null) throw this.#broken.error
  }

  add(found: readonly Found[], via: Via): number {
    const depth = via === 'sitemap' ? 1 : 0
    const source = { foundOn: null, via, depth, hops: 0, page: null }
    return this.change(() => this.parts.intake.add(found, source))
  }

  leaseFor(url: CanonicalUrl): Lease | null {
    this.check()
    const origin = this.parts.hosts.originFor(url, hostOf(url))
    const lease = this.parts.picking.outside(url, origin)
    if (!this.#isEntered) this.#owner.schedule.withdraw(origin.host)
    return lease
  }

  isValid(lease: Lease): boolean {
    return this.parts.leases.isOut(lease)
  }

  /** Whether an update for this lease would be accepted. */
  isHeld(lease: LeaseRef): boolean {
    return this.parts.leases.claim(lease) !== undefined
  }

  requestSent(lease: Lease): void {
    const active = this.parts.leases.requestSent(lease)
    if (active && this.#isEntered) this.#owner.schedule.place(active.origin.host)
  }

  requestEnded(lease: Lease, note: HostFeedback): void {
    const active = this.parts.leases.requestEnded(lease, note)
    if (active && this.#isEntered) this.#owner.schedule.place(active.origin.host)
  }

  /** Returns how many were accepted. */
  settle(updates: readonly FrontierUpdate[]): number {
    const taken = this.change(() => {
      let taken = 0
      for (const update of updates) {
        if (this.parts.settling.settle(update)) taken += 1
      }
      return taken
    })
    this.#owner.rampUp.settled(taken)
    return taken
  }

  /** Changes the states of duplicates whose originals have changed. */
  restate(moved: readonly RoleChange[]): void {
    this.change(() => {
      for (const one of moved) this.parts.settling.restate(one)
    })
  }

  saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): void {
    const { leases, robots, sitemaps, hosts } = this.parts
    const active = leases.claim(lease)
    if (active === undefined) return
    this.change(() => {
      robots.save(active.origin, record)
      if (record.status !== 'unreachable' && active.startedAt !== null) active.origin.noteAnswer()
      sitemaps.addFrom(active.origin, record)
      leases.settle(active)
      if (delayMs !== undefined) leases.slowDown(active.origin.host, delayMs)
      hosts.touch(active.origin.host)
    })
  }

  refuseUnreachable(): number {
    return this.change(() => {
      this.#markLeases()
      return refuseBehind(this.parts)
    })
  }

  status(): PartitionStatus {
    const { leases, revisits } = this.parts
    const { unsettled, revisiting } = leases
    return {
      ...{ unsettled, revisiting, revisits: revisits.waiting },
      isIdle: this.isIdle,
      allUnreachable: unsettled === 0 && waitsOnlyBehind(this.parts),
    }
  }

  /** Nothing waits and nothing is under way. */
  get isIdle(): boolean {
    const { leases, revisits, stateCounts, sitemaps } = this.parts
    return leases.unsettled === 0 && stateCounts.queued + sitemaps.waiting + revisits.waiting === 0
  }

  get unsettled(): number {
    return this.parts.leases.unsettled
  }

  hosts(limit: number): readonly HostState[] {
    return this.#largest.take(limit)
  }

  /** Over the seeds' domains of this partition. */
  seedSums(): SeedSums {
    const sums = { count: 0, least: Number.POSITIVE_INFINITY, sum: 0, squares: 0 }
    for (const { counted } of this.parts.hosts.seedSites) {
      if (counted < 0) continue
      sums.count += 1
      sums.least = Math.min(sums.least, counted)
      sums.sum += counted
      sums.squares += counted * counted
    }
    return sums
  }

  /** Rows of leases that are older than this, and of clocks, that are behind. */
  writeBehind({ leasedForMs = 0 }: { leasedForMs?: number } = {}): void {
    const { leases, hosts, urls, clock } = this.parts
    const upTo = clock.now() - leasedForMs
    const isBehind = leases.oldestUnmarked <= upTo || hosts.areDirty || urls.isBehind
    if (isBehind && this.isOpen) this.change(() => this.#markLeases(upTo))
  }

  /** The last change: leases end with their holder; clocks are saved to the millisecond. */
  saveAll(): void {
    const { leases, urls, stateCounts, seen, writeAll, crawlId } = this.parts
    this.change(() => {
      for (const active of [...leases.pages()]) {
        if (active.marked) urls.unmark(active.id)
        leases.settle(active)
        if (active.revisit) continue
        active.origin.queue.add(active.id, urls.read(active.id).priority)
        stateCounts.move(LEASED, QUEUED)
      }
      seen.merge()
      writeAll()
      this.#rows.crawl.update(crawlId, { clean: 1 })
    })
    this.#isClosed = true
  }

  /** URLs and sitemaps whose time has come. */
  wakeRetries(): void {
    const { retries, urls, sitemaps, hosts, revisits, clock } = this.parts
    const due = retries.due(clock.now())
    if (due.length === 0) return
    this.change(() => {
      for (const { kind, id, origin } of due) {
        hosts.touch(origin.host)
        if (kind === 'sitemap') {
          sitemaps.wake(origin, id)
        } else if (kind === 'revisit') {
          revisits.wake(origin, id)
        } else if (urls.wake(id)) {
          origin.queue.add(id, urls.read(id).priority)
        }
      }
    })
  }

  change<T>(work: () => T): T {
    this.check()
    const { hosts, write } = this.parts
    try {
      const result = this.#rows.transaction(() => {
        const result = work()
        write()
        return result
      })
      for (const host of hosts.takeTouched()) {
        if (this.#isEntered) this.#owner.schedule.place(host)
      }
      return result
    } catch (error) {
      this.#broken = { error }
      throw error
    }
  }

  /** For long work that yields to others: false if it must stop. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#broken === null
  }

  step(work: () => void): void {
    this.change(work)
  }

  #markLeases(upTo = Number.POSITIVE_INFINITY): void {
    const { leases, urls } = this.parts
    for (const active of [...leases.unmarked.values()]) {
      if (active.grantedAt > upTo) return
      urls.mark(active.id, active.tries)
      leases.marked(active)
    }
  }
}

type WantedLeases = {
  readonly limit: number
  readonly newPages: number
  readonly room: RoomForOthers | undefined
}

/** Leases from all partitions of this program, best first. */
export function pickLeases(
  owner: OwnerParts,
  partitions: readonly Partition[],
  { limit, newPages, room }: WantedLeases,
): Lease[] {
  const { schedule, rampUp } = owner
  for (const partition of partitions) partition.wakeRetries()
  const revisits = partitions.some(({ parts }) => parts.revisits.waiting > 0)
  schedule.onlyRevisits = revisits && (newPages <= 0 || schedule.onlyRevisits)
  const atMost = schedule.onlyRevisits ? limit : Math.min(limit, newPages)
  const refusals = { left: MAX_REFUSED }
  // Where the page limit leaves nothing, more connections would not help.
  const lacksConnections = newPages > limit
  const wanted = { limit: Math.min(atMost, rampUp.room), room, refusals, lacksConnections }
  const work = () => pick(schedule, (host) => owner.partsOf(host).picking, wanted)
  // A pick that refuses URLs changes rows.
  const leases = changeAll(
    partitions.filter(({ parts }) => parts.picking.mayRefuse),
    work,
  )
  owner.refused += MAX_REFUSED - refusals.left
  return leases
}

function changeAll<T>([first, ...rest]: readonly Partition[], work: () => T): T {
  return first === undefined ? work() : first.change(() => changeAll(rest, work))
}

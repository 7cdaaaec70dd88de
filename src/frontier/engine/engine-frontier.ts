// A frontier whose rules are decided here, over the rows of one partition. The rows are the truth. In memory
// are the hashes of all URLs, the heads of the queues and the clocks of the hosts. Leases and clocks are
// written later, everything else in the call that changes it. Rows are read and written synchronously, so no
// method ever sees another half done.
import type { HostState, UrlCounts } from '../../core/host.ts'
import type { Found, Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { Clock } from '../../lib/clock.ts'
import type {
  Frontier,
  FrontierStatus,
  HostFeedback,
  Lease,
  RobotsRecord,
  Settlement,
} from '../frontier.ts'
import type { RoomForOthers } from '../pace.ts'
import { createEngine, type Engine, type FrontierOptions } from './engine.ts'
import { LargestHosts } from './host-states.ts'
import { reapplySettings } from './reapply-settings.ts'
import type { StepByStep } from './reranking.ts'
import type { Rows } from './rows.ts'
import { LEASED, QUEUED } from './states.ts'
import { refuseBehind, waitsOnlyBehind } from './unreachable.ts'

/** How far the rows of leases and clocks may be behind. */
const WRITE_BEHIND_MS = 100

/** Begins a run on these rows; closes them if that fails. */
export async function openEngineFrontier(
  rows: Rows,
  options: FrontierOptions,
): Promise<EngineFrontier> {
  const { job, clock } = options
  try {
    const engine = rows.transaction(() => createEngine(rows, options))
    // Run numbers are unique, so the beginning of this run must be durable.
    await rows.commit()
    await rows.flush()
    await reapplySettings({ rows, job, ...engine })
    return new EngineFrontier(rows, engine, clock)
  } catch (error) {
    rows.close()
    throw error
  }
}

export class EngineFrontier implements Frontier, StepByStep {
  readonly #rows: Rows
  readonly #parts: Engine
  readonly #clock: Clock
  readonly #largest: LargestHosts
  #timer: NodeJS.Timeout | null = null
  #closed = false
  /** After a failed write, memory and rows differ, so no further call is accepted. */
  #broken: unknown = null

  constructor(rows: Rows, parts: Engine, clock: Clock) {
    this.#rows = rows
    this.#parts = parts
    this.#clock = clock
    this.#largest = new LargestHosts(parts.hosts, clock)
    parts.hosts.takeTouched()
    for (const host of parts.hosts.all()) parts.schedule.place(host)
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    const source = { foundOn: null, via, depth: 0, hops: 0, page: null }
    const added = this.#change(() => this.#parts.intake.add(found, source))
    await this.#rows.commit()
    return added
  }

  async lease(limit: number, newPages = limit, room?: RoomForOthers): Promise<readonly Lease[]> {
    if (this.#broken !== null) throw this.#broken
    this.#wakeRetries()
    const { picking, pace, schedule, revisits } = this.#parts
    schedule.onlyRevisits = revisits.waiting > 0 && (newPages <= 0 || schedule.onlyRevisits)
    const atMost = schedule.onlyRevisits ? limit : Math.min(limit, newPages)
    const most = Math.min(atMost, pace.room)
    const pick = () => picking.pick(most, room)
    const leases = picking.mayRefuse ? this.#change(pick) : pick()
    if (leases.length > 0) this.#writeSoon()
    return leases
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    if (this.#broken !== null) throw this.#broken
    return this.#parts.picking.outside(url, this.#parts.hosts.originFor(url, hostOf(url)))
  }

  isValid(lease: Lease): boolean {
    return this.#parts.leases.isOut(lease)
  }

  requestSent(lease: Lease): void {
    const hold = this.#parts.leases.started(lease)
    if (hold) this.#parts.schedule.place(hold.origin.host)
  }

  requestEnded(lease: Lease, note: HostFeedback): void {
    const hold = this.#parts.leases.landed(lease, note)
    if (hold === undefined) return
    this.#parts.schedule.place(hold.origin.host)
    this.#writeSoon()
  }

  async settle(settlements: readonly Settlement[]): Promise<number> {
    const taken = this.#change(() => {
      let taken = 0
      for (const settlement of settlements) {
        if (this.#parts.settling.settle(settlement)) taken += 1
      }
      return taken
    })
    const { reranking, pace } = this.#parts
    pace.settled(taken)
    const written = this.#rows.commit()
    if (written !== undefined) await written
    if (reranking?.isDue) await reranking.run(this)
    return taken
  }

  async flush(): Promise<void> {
    if (this.#broken !== null) throw this.#broken
    if (!this.#closed) await this.#rows.flush()
  }

  async saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void> {
    const { leases, robots, sitemaps, hosts } = this.#parts
    const hold = leases.claim(lease)
    if (hold === undefined) return
    this.#change(() => {
      robots.save(hold.origin, record)
      if (record.status !== 'unreachable' && hold.startedAt !== null) hold.origin.noteAnswer()
      sitemaps.addFrom(hold.origin, record)
      leases.settle(hold)
      if (delayMs !== undefined) leases.slowDown(hold.origin.host, delayMs)
      hosts.touch(hold.origin.host)
    })
    await this.#rows.commit()
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    return this.#parts.robots.read(origin)
  }

  async refuseUnreachable(): Promise<number> {
    const refused = this.#change(() => {
      this.#markLeases()
      return refuseBehind(this.#parts)
    })
    await this.#rows.commit()
    return refused
  }

  status(): FrontierStatus {
    const { leases, schedule, retries, pace, revisits } = this.#parts
    const readyAt = Math.min(Math.max(schedule.readyAt, pace.roomAt), retries.nextAt)
    return {
      unsettled: leases.unsettled,
      heldByOthers: 0,
      readyAt: readyAt === Number.POSITIVE_INFINITY ? null : readyAt,
      allUnreachable: leases.unsettled === 0 && waitsOnlyBehind(this.#parts),
      revisits: revisits.waiting,
      revisiting: leases.revisiting,
    }
  }

  counts(): UrlCounts {
    return this.#parts.tally.counts
  }

  hosts(limit: number): readonly HostState[] {
    return this.#largest.take(limit)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    try {
      if (this.#broken === null) this.#saveAll()
      await this.#rows.commit()
    } finally {
      this.#rows.close()
    }
  }

  /** Leases end with their holder; clocks are saved to the millisecond. */
  #saveAll(): void {
    const { leases, urls, tally, seen, writeAll, crawlId } = this.#parts
    this.#change(() => {
      for (const hold of [...leases.pages()]) {
        if (hold.marked) urls.unmark(hold.id)
        leases.settle(hold)
        if (hold.revisit) continue
        hold.origin.queue.add(hold.id, urls.read(hold.id).priority)
        tally.move(LEASED, QUEUED)
      }
      seen.merge()
      writeAll()
      this.#rows.crawl.update(crawlId, { clean: 1 })
    })
  }

  #wakeRetries(): void {
    const { retries, urls, sitemaps, hosts, revisits } = this.#parts
    const due = retries.due(this.#clock.now())
    if (due.length === 0) return
    this.#change(() => {
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

  #change<T>(work: () => T): T {
    if (this.#broken !== null) throw this.#broken
    const { hosts, schedule, write } = this.#parts
    try {
      const result = this.#rows.transaction(() => {
        const result = work()
        write()
        return result
      })
      for (const host of hosts.takeTouched()) schedule.place(host)
      return result
    } catch (error) {
      this.#broken = error
      throw error
    }
  }

  /** For long work that yields to others: false if it must stop. */
  get isOpen(): boolean {
    return !this.#closed && this.#broken === null
  }

  step(work: () => void): void {
    this.#change(work)
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => this.#writeBehind(), WRITE_BEHIND_MS).unref()
  }

  #writeBehind(): void {
    this.#timer = null
    if (this.#broken !== null) return
    try {
      this.#change(() => this.#markLeases())
    } catch {
      // The error is in #broken; the next call reports it.
    }
  }

  #markLeases(): void {
    const { leases, urls } = this.#parts
    for (const hold of [...leases.unmarked.values()]) {
      urls.mark(hold.id, hold.tries)
      leases.marked(hold)
    }
  }
}

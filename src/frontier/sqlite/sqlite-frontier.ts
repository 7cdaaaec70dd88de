// The frontier in one SQLite file, written by one process. The rows are the truth. In memory are the hashes
// of all URLs, the heads of the queues and the clocks of the hosts. Leases and clocks are written later,
// everything else in the call that changes it. SQLite is synchronous, so no method ever sees another half
// done.
import type { DatabaseSync } from 'node:sqlite'
import type { HostState, UrlCounts } from '../../core/host.ts'
import type { Found, Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { inTransaction, openSqlite } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import { LogSync } from '../../db/sqlite-sync.ts'
import type { Clock } from '../../lib/clock.ts'
import { createEngine, type Engine, type FrontierOptions } from '../engine/engine.ts'
import { LargestHosts } from '../engine/host-states.ts'
import { reapplySettings } from '../engine/reapply-settings.ts'
import { recover } from '../engine/recovery.ts'
import type { StepByStep } from '../engine/reranking.ts'
import { LEASED, QUEUED } from '../engine/states.ts'
import { refuseBehind, waitsOnlyBehind } from '../engine/unreachable.ts'
import type {
  Frontier,
  FrontierStatus,
  HostFeedback,
  Lease,
  RobotsRecord,
  Settlement,
} from '../frontier.ts'
import type { RoomForOthers } from '../pace.ts'

/** How far the rows of leases and clocks may be behind. */
const WRITE_BEHIND_MS = 100
/** In pages of 4 KiB. Larger than SQLite's default, since every checkpoint waits for the disk. */
const CHECKPOINT_PAGES = 4000

export async function openSqliteFrontier(options: FrontierOptions): Promise<Frontier> {
  const { path, job, clock } = options
  const db = openSqlite(path, { schema: 'frontier', durability: 'normal', isHot: true })
  try {
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    const run = recover(db, job, clock.now())
    const log = new LogSync(path)
    // Run numbers are unique, and the beginning of this run must be durable.
    await log.run()
    const parts = createEngine(db, run, options)
    await reapplySettings({ db, job, ...parts })
    return new SqliteFrontier({ db, log, parts, clock })
  } catch (error) {
    db.close()
    throw asCrawlerError(error, path)
  }
}

type OpenFile = {
  readonly db: DatabaseSync
  readonly log: LogSync
  readonly parts: Engine
  readonly clock: Clock
}

class SqliteFrontier implements Frontier, StepByStep {
  readonly #db: DatabaseSync
  readonly #log: LogSync
  readonly #parts: Engine
  readonly #clock: Clock
  readonly #largest: LargestHosts
  #timer: NodeJS.Timeout | null = null
  #closed = false
  /** After a failed write, memory and file differ, so no further call is accepted. */
  #broken: unknown = null

  constructor({ db, log, parts, clock }: OpenFile) {
    this.#db = db
    this.#log = log
    this.#parts = parts
    this.#clock = clock
    this.#largest = new LargestHosts(parts.hosts, clock)
    parts.hosts.takeTouched()
    for (const host of parts.hosts.all()) parts.schedule.place(host)
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    const source = { foundOn: null, via, depth: 0, hops: 0, page: null }
    return this.#change(() => this.#parts.intake.add(found, source))
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
    if (reranking?.isDue) await reranking.run(this)
    return taken
  }

  async flush(): Promise<void> {
    if (this.#broken !== null) throw this.#broken
    if (!this.#closed) await this.#log.run()
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
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    return this.#parts.robots.read(origin)
  }

  async refuseUnreachable(): Promise<number> {
    return this.#change(() => {
      this.#markLeases()
      return refuseBehind(this.#db, this.#parts)
    })
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
    } finally {
      this.#log[Symbol.dispose]()
      this.#db.close()
    }
  }

  /** Leases end with their holder; clocks are saved to the millisecond. */
  #saveAll(): void {
    const { leases, urls, tally, seen, writeAll } = this.#parts
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
      this.#db.exec('UPDATE crawl SET clean = 1')
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
      const result = inTransaction(this.#db, () => {
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

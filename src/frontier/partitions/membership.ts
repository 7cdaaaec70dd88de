// A program among the others of a crawl: it reports that it is alive, and sees what they have reported.
//
// The program may act as an owner only while it is sure that no other can have taken its partitions: that
// is, for less than a lease after its last report was sent. Whoever was stopped for longer (a suspended
// machine, a line that was cut) finds `isCertain` false before it sends its next request.
import { type Clock, systemTimers, type Timers } from '../../lib/clock.ts'
import type { CrawlView, FrontierStorage } from '../storage.ts'

/** How often a program reports, unless its lease is short. */
const REPORT_MS = 1000
const REPORTS_PER_LEASE = 5
/** The part of a lease in which a request may begin. The rest is for its way to the host. */
const CERTAIN_SHARE = 0.8

export type MembershipOptions = {
  readonly storage: Pick<FrontierStorage, 'report' | 'leave'>
  readonly crawlId: number
  readonly owner: string
  readonly leaseMs: number
  readonly onView: (view: CrawlView) => Promise<void>
  readonly onError: (error: unknown) => void
  /** Set in tests and simulations. */
  readonly timers?: Timers | undefined
}

export class Membership implements AsyncDisposable {
  readonly #options: MembershipOptions
  readonly #timers: Timers
  readonly clock: ServerClock
  #view: CrawlView = { now: 0, owners: [], partitions: [] }
  #certainUntil = Number.NEGATIVE_INFINITY
  #reportedAt = Number.NEGATIVE_INFINITY
  #reporting: Promise<void> | null = null
  #stop: (() => void) | null = null
  #isOver = false

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#timers = options.timers ?? systemTimers
    this.clock = new ServerClock(this.#timers)
  }

  get view(): CrawlView {
    return this.#view
  }

  /** False if others may have taken the partitions of this program. */
  get isCertain(): boolean {
    return this.#timers.steadyMs() < this.#certainUntil
  }

  /** Milliseconds since the last report was answered. */
  get age(): number {
    return this.#timers.steadyMs() - this.#reportedAt
  }

  async start(): Promise<void> {
    const { leaseMs, onError } = this.#options
    await this.report()
    const everyMs = Math.min(REPORT_MS, leaseMs / REPORTS_PER_LEASE)
    this.#stop = this.#timers.every(everyMs, () => {
      this.report().catch(onError)
    })
  }

  /** One at a time; a report that is under way counts for everybody who asks. */
  report(): Promise<void> {
    if (this.#isOver) return Promise.resolve()
    this.#reporting ??= this.#report().finally(() => {
      this.#reporting = null
    })
    return this.#reporting
  }

  /** Ends as a program that is killed does. */
  abandon(): void {
    this.#isOver = true
    this.#stop?.()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { storage, crawlId, owner } = this.#options
    this.abandon()
    await this.#reporting?.catch(() => {})
    await storage.leave(crawlId, owner)
  }

  async #report(): Promise<void> {
    const { storage, crawlId, owner, leaseMs, onView } = this.#options
    const sentAt = this.#timers.steadyMs()
    const view = await storage.report(crawlId, owner, leaseMs)
    this.#reportedAt = this.#timers.steadyMs()
    this.clock.set(view.now, (sentAt + this.#reportedAt) / 2)
    this.#certainUntil = sentAt + CERTAIN_SHARE * leaseMs
    this.#view = view
    if (!this.#isOver) await onView(view)
  }
}

/**
 * The time of the server at the first report, plus the time that has passed since: setting a clock later, here
 * or there, makes nothing late or early.
 */
export class ServerClock implements Clock {
  readonly #timers: Timers
  #offset: number | null = null

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers
  }

  /** The server's clock showed `now` at that moment of this machine's steady clock. */
  set(now: number, at: number): void {
    this.#offset ??= now - at
  }

  now(): number {
    return Math.floor(this.#timers.steadyMs() + (this.#offset ?? performance.timeOrigin))
  }
}

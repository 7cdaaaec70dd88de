// A program among the others of a crawl: it reports that it is alive, and sees what they have reported.
//
// The program may act as an owner only while it is sure that no other can have taken its partitions: that
// is, for less than a lease after its last report was sent. Whoever was stopped for longer (a suspended
// machine, a line that was cut) finds `isCertain` false before it sends its next request. A steady clock
// stands still while a machine sleeps, and a time of day may be set back, so both count.
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, systemClock, systemTimers, type Timers } from '../../lib/clock.ts'
import type { CrawlView, FrontierStorage } from '../storage.ts'

/** How often a program reports, unless its lease is short. */
const REPORT_MS = 1000
const REPORTS_PER_LEASE = 5
/** The part of a lease in which a request may begin. The rest is for its way to the host. */
const CERTAIN_SHARE = 0.8

/** A machine that slept for less need not know. */
const SLEPT_MS = 1000

type MembershipOptions = {
  readonly storage: Pick<FrontierStorage, 'report' | 'leave'>
  readonly crawlId: number
  readonly owner: string
  readonly leaseMs: number
  /** Between two reports, if they are to be more frequent than usual. */
  readonly reportMs?: number | undefined
  readonly onView: (view: CrawlView) => Promise<void>
  readonly onError: (error: unknown) => void
  /** Set in tests and simulations. */
  readonly timers?: Timers | undefined
  /** The time of day; set in tests. */
  readonly day?: Clock
}

export class Membership implements AsyncDisposable {
  readonly #options: MembershipOptions
  readonly #timers: Timers
  readonly #day: Clock
  readonly clock: ServerClock
  #view: CrawlView = { now: 0, owners: [], partitions: [] }
  #certainUntil = { steady: Number.NEGATIVE_INFINITY, day: Number.NEGATIVE_INFINITY }
  #reportedAt = Number.NEGATIVE_INFINITY
  #reporting: Promise<void> | null = null
  #stop: (() => void) | null = null
  #isOver = false

  constructor(options: MembershipOptions) {
    this.#options = options
    const { timers } = options
    this.#timers = timers ?? systemTimers
    // Simulated time never stands still.
    this.#day =
      options.day ?? (timers === undefined ? systemClock : { now: () => timers.steadyMs() })
    this.clock = new ServerClock(this.#timers, this.#day)
  }

  get view(): CrawlView {
    return this.#view
  }

  /** False if others may have taken the partitions of this program. */
  get isCertain(): boolean {
    const { steady, day } = this.#certainUntil
    return this.#timers.steadyMs() < steady && this.#day.now() < day
  }

  /** For how long that stays so. */
  get certainMs(): number {
    const { steady, day } = this.#certainUntil
    return Math.max(0, Math.min(steady - this.#timers.steadyMs(), day - this.#day.now()))
  }

  /** Milliseconds since the last report was answered. */
  get age(): number {
    return this.#timers.steadyMs() - this.#reportedAt
  }

  async start(): Promise<void> {
    const { leaseMs, reportMs = REPORT_MS, onError } = this.#options
    await this.report()
    const everyMs = Math.min(reportMs, leaseMs / REPORTS_PER_LEASE)
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

  /** A report that begins after this call. */
  async reportAgain(): Promise<void> {
    await this.#reporting?.catch(() => {})
    await this.report()
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
    const [sentAt, sentAtByDay] = [this.#timers.steadyMs(), this.#day.now()]
    const view = await storage.report(crawlId, owner, leaseMs)
    this.#reportedAt = this.#timers.steadyMs()
    this.clock.set(view.now, (sentAt + this.#reportedAt) / 2)
    const certainMs = CERTAIN_SHARE * leaseMs
    this.#certainUntil = { steady: sentAt + certainMs, day: sentAtByDay + certainMs }
    this.#view = view
    if (!this.#isOver) await onView(view)
  }
}

/**
 * The time of the server at the first report, plus the time that has passed since: setting a clock later, here
 * or there, makes nothing late or early. Time that a machine slept is added once the server and this machine's
 * time of day agree on it.
 */
export class ServerClock implements Clock {
  readonly #timers: Pick<Timers, 'steadyMs'>
  readonly #day: Clock
  /** What the server's clock and the time of day are ahead of the steady clock; at the first report. */
  #ahead: { server: number; day: number } | null = null

  constructor(timers: Pick<Timers, 'steadyMs'> = systemTimers, day: Clock = systemClock) {
    this.#timers = timers
    this.#day = day
  }

  /** The server's clock showed `now` at that moment of this machine's steady clock. */
  set(now: number, at: number): void {
    const seen = { server: now - at, day: this.#day.now() - this.#timers.steadyMs() }
    this.#ahead ??= seen
    const sleptMs = Math.min(seen.server - this.#ahead.server, seen.day - this.#ahead.day)
    if (sleptMs < SLEPT_MS) return
    this.#ahead = { server: this.#ahead.server + sleptMs, day: this.#ahead.day + sleptMs }
  }

  now(): number {
    return Math.floor(this.#timers.steadyMs() + (this.#ahead?.server ?? performance.timeOrigin))
  }
}

type Steps = {
  readonly claim: readonly number[]
  readonly release: readonly number[]
}

/** How many partitions a program should own. */
function quotaOf(view: CrawlView, owner: string): number {
  const { owners, partitions } = view
  const at = owners.indexOf(owner)
  if (at < 0) return 0
  const remainder = partitions.length % owners.length
  return Math.floor(partitions.length / owners.length) + (at < remainder ? 1 : 0)
}

/**
 * Which partitions a program should claim or release. Every program decides for itself, from what all of
 * them have reported. The quotas add up to the number of partitions, so the programs agree after a few
 * reports.
 */
export function stepsOf(view: CrawlView, owner: string): Steps {
  const { owners, partitions } = view
  const own = partitions.filter((one) => one.owner === owner).map((one) => one.partition)
  const free = partitions.filter((one) => one.owner === '').map((one) => one.partition)
  const quota = quotaOf(view, owner)
  // Programs that start at the same moment begin at different places, so that few claims collide.
  const before = owners.slice(0, Math.max(0, owners.indexOf(owner)))
  const from = before.reduce((sum, other) => sum + quotaOf(view, other), 0) % (free.length || 1)
  const inTurn = [...free.slice(from), ...free.slice(0, from)]
  return {
    claim: inTurn.slice(0, Math.max(0, quota - own.length)),
    release: own.slice(quota),
  }
}

type OwnerProgram = { readonly machine: string; readonly pid: number }

const MARK_LETTERS = 5
const RANDOM_LETTERS = 7

/**
 * What owners are called. The first letters are the mark of the program they work for, so that people can
 * be told who owns a partition; the rest is random.
 */
export function programMark({ machine, pid }: OwnerProgram): string {
  const hash = createHash('sha256').update(`${pid} ${machine}`)
  return hash.digest('base64url').slice(0, MARK_LETTERS)
}

export function markOf(owner: string): string {
  return owner.slice(0, MARK_LETTERS)
}

/** A frontier is opened by a child of the program that people know. */
export function newOwner(
  program: OwnerProgram = { machine: hostname(), pid: process.ppid },
): string {
  return programMark(program) + randomBytes(9).toString('base64url').slice(0, RANDOM_LETTERS)
}

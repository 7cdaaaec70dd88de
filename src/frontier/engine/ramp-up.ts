// How many pages a patient crawl leases at once. A leased page was chosen without knowing the results of the
// other leased pages. In the beginning almost nothing is known, and a wrong choice is expensive. So the crawl
// begins with one page at a time, and reaches the number of its connections as it learns. A server that hangs
// must not stop it: after a while without a lease, one more is granted anyway.
import type { Clock } from '../../lib/clock.ts'
import type { Schedule } from './schedule.ts'

/** Settled pages for each additional lease. */
const PAGES_PER_STEP = 32

export class RampUp {
  readonly #concurrency: number | null
  readonly #maxWaitMs: number
  readonly #clock: Clock
  readonly #unsettled: () => number
  readonly #schedule: Schedule
  #settled = 0

  /** `concurrency` null means no limit. `unsettled`: leases that are out. */
  constructor(options: {
    readonly concurrency: number | null
    readonly maxWaitMs: number
    readonly clock: Clock
    readonly unsettled: () => number
    readonly schedule: Schedule
  }) {
    this.#maxWaitMs = options.maxWaitMs
    this.#clock = options.clock
    this.#concurrency = options.concurrency
    this.#unsettled = options.unsettled
    this.#schedule = options.schedule
  }

  /** Records that leases were settled, in this run or an earlier one. */
  settled(count: number): void {
    this.#settled += count
  }

  /** When a lease may be granted; -Infinity if now. */
  get roomAt(): number {
    return this.room > 0 ? Number.NEGATIVE_INFINITY : this.#schedule.pickedAt + this.#maxWaitMs
  }

  /** How many more leases may be granted; Infinity without a limit. */
  get room(): number {
    if (this.#concurrency === null) return Number.POSITIVE_INFINITY
    const allowed = 1 + Math.floor(this.#settled / PAGES_PER_STEP)
    const room = Math.min(allowed, this.#concurrency) - this.#unsettled()
    const waited = this.#clock.now() - this.#schedule.pickedAt
    return waited >= this.#maxWaitMs ? Math.max(1, room) : room
  }
}

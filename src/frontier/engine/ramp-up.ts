// How many pages a patient crawl leases at once. A leased page was chosen without knowing the results of the
// other leased pages. In the beginning almost nothing is known, and a wrong choice is expensive. So the crawl
// begins with one page at a time, and reaches the number of its connections as it learns. A server that hangs
// must not stop it: after a while without a lease, one more is granted anyway.
import type { Clock } from '../../lib/clock.ts'
import type { Leases } from './leases.ts'
import type { Schedule } from './schedule.ts'

/** Settled pages for each additional lease. */
const PAGES_PER_STEP = 32

export class RampUp {
  readonly #concurrency: number | null
  readonly #maxWaitMs: number
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #schedule: Schedule
  #settled: number

  /** `concurrency` null means no limit. `settled`: pages of earlier runs. */
  constructor(options: {
    readonly concurrency: number | null
    readonly settled: number
    readonly maxWaitMs: number
    readonly clock: Clock
    readonly leases: Leases
    readonly schedule: Schedule
  }) {
    this.#maxWaitMs = options.maxWaitMs
    this.#clock = options.clock
    this.#concurrency = options.concurrency
    this.#settled = options.settled
    this.#leases = options.leases
    this.#schedule = options.schedule
  }

  /** Records that leases were settled. */
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
    const room = Math.min(allowed, this.#concurrency) - this.#leases.unsettled
    const waited = this.#clock.now() - this.#schedule.pickedAt
    return waited >= this.#maxWaitMs ? Math.max(1, room) : room
  }
}

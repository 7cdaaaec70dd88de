// How many pages a patient crawl has out at once. What is out was chosen without knowing what the
// others out will bring; in the beginning nearly nothing is known, and a wrong turn is dear. So it
// begins one by one, and has as many out as it may have connections when it knows its way. A server
// that hangs must not stop it: after a while without a lease one more is given all the same.
import type { Clock } from '../../lib/clock.ts'
import type { Leases } from './leases.ts'
import type { Schedule } from './schedule.ts'

/** Pages settled for each page more that may be out. */
const PAGES_PER_STEP = 32

export class RampUp {
  readonly #concurrency: number | null
  readonly #maxWaitMs: number
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #schedule: Schedule
  #settled: number

  /** `concurrency` null: as many as there are. `settled`: pages of earlier runs. */
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

  /** Notes what became of leases given before. */
  settled(count: number): void {
    this.#settled += count
  }

  /** When there is room; -Infinity when there is now. */
  get roomAt(): number {
    return this.room > 0 ? Number.NEGATIVE_INFINITY : this.#schedule.pickedAt + this.#maxWaitMs
  }

  /** How many more leases may be given; Infinity when nothing limits them. */
  get room(): number {
    if (this.#concurrency === null) return Number.POSITIVE_INFINITY
    const allowed = 1 + Math.floor(this.#settled / PAGES_PER_STEP)
    const room = Math.min(allowed, this.#concurrency) - this.#leases.unsettled
    const waited = this.#clock.now() - this.#schedule.pickedAt
    return waited >= this.#maxWaitMs ? Math.max(1, room) : room
  }
}

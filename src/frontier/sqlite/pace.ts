// How many pages a patient crawl has out at once. What is out was chosen without knowing what the
// others out will bring; in the beginning nearly nothing is known, and a wrong turn is dear. So it
// begins one by one, and has as many out as it may have connections when it knows its way.
import type { Leases } from './leases.ts'

/** Pages settled for each page more that may be out. */
const PAGES_PER_STEP = 32

export class Pace {
  readonly #concurrency: number | null
  readonly #leases: Leases
  #settled: number

  /** `concurrency` null: as many as there are. `settled`: pages of earlier runs. */
  constructor(options: {
    readonly concurrency: number | null
    readonly settled: number
    readonly leases: Leases
  }) {
    this.#concurrency = options.concurrency
    this.#settled = options.settled
    this.#leases = options.leases
  }

  note(settled: number): void {
    this.#settled += settled
  }

  /** How many more leases may be given; Infinity when nothing limits them. */
  get room(): number {
    if (this.#concurrency === null) return Number.POSITIVE_INFINITY
    const allowed = 1 + Math.floor(this.#settled / PAGES_PER_STEP)
    return Math.min(allowed, this.#concurrency) - this.#leases.unsettled
  }
}

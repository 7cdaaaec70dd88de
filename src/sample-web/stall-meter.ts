// When a process stood still: its event loop was busy, or the machine gave it no time. Who measures times
// of arrival needs it, since what arrives meanwhile is seen only afterwards.

/** Epoch ms with fractions. */
export type Stall = { readonly from: number; readonly to: number }

const TICK_MS = 5
/** Timers are late by about so much on a machine that is idle. */
const USUAL_MS = 3
const MAX_STALLS = 100_000

export class StallMeter implements Disposable {
  /** Oldest first. */
  readonly stalls: Stall[] = []
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #tickedAt: number

  /** From now until it is disposed of. */
  constructor(now: () => number = preciseNow) {
    this.#now = now
    this.#tickedAt = now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /** How much of the time between two moments it stood still. */
  msBetween(from: number, to: number): number {
    return this.stalls.reduce((sum, stall) => {
      return sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from))
    }, 0)
  }

  #tick(): void {
    const from = this.#tickedAt
    const to = this.#now()
    this.#tickedAt = to
    const isLate = to - from > TICK_MS + USUAL_MS
    if (isLate && this.stalls.length < MAX_STALLS) this.stalls.push({ from, to })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}

import type { Clock } from '../lib/clock.ts'

const WINDOW_MS = 2_000

/** How much of a core this process has used lately. */
export class CpuMeter {
  readonly #clock: Clock
  readonly #usedMs: () => number
  #since: { readonly at: number; readonly usedMs: number }
  #share = 0

  constructor(clock: Clock, usedMs = ownCpuMs) {
    this.#clock = clock
    this.#usedMs = usedMs
    this.#since = { at: clock.now(), usedMs: usedMs() }
  }

  /** Share of one core over the last seconds; 1 is a core fully used. */
  share(): number {
    const at = this.#clock.now()
    const passedMs = at - this.#since.at
    if (passedMs < WINDOW_MS) return this.#share
    const usedMs = this.#usedMs()
    this.#share = (usedMs - this.#since.usedMs) / passedMs
    this.#since = { at, usedMs }
    return this.#share
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

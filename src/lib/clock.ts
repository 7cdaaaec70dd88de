// Time as a parameter, so that a test can control it.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** The time of day, for timestamps. It may be set at any moment. */
export const systemClock: Clock = { now: () => Date.now() }

/**
 * The time of day when this process began, plus the time that has passed since. Setting the machine's clock
 * makes nothing late or early. For everything that waits within a run.
 */
export const runClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
}

/** For durations. Unlike the time of day it is never set; only differences have a meaning. */
export function steadyMs(): number {
  return performance.now()
}

/** Waiting as a parameter. */
export interface Timers {
  /** For durations; only differences have a meaning. */
  steadyMs(): number
  sleep(ms: number): Promise<void>
  /** Calls `work` every so often, until the function that it returns is called. */
  every(ms: number, work: () => void): () => void
  /** Calls `work` once, unless the process ends before. */
  after(ms: number, work: () => void): () => void
}

export const systemTimers: Timers = {
  steadyMs,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  every: (ms, work) => {
    const timer = setInterval(work, ms)
    return () => clearInterval(timer)
  },
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** A clock that moves only when a test moves it. */
export class ManualClock implements Clock {
  #now: number

  constructor(startMs = 1_700_000_000_000) {
    this.#now = startMs
  }

  now(): number {
    return this.#now
  }

  advance(byMs: number): void {
    this.#now += byMs
  }
}

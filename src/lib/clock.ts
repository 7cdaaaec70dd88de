// Time as a value that is handed in, so that a test can move it.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** The time of day: for what is written down. It may be set at any moment. */
export const systemClock: Clock = { now: () => Date.now() }

/**
 * The time of day when this process began, and from there the time that passed: whoever sets the clock
 * of the machine makes nothing late, and nothing early. For whatever waits within a run.
 */
export const runClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
}

/** For how long something takes: unlike the time of day it is never set. Only differences mean anything. */
export function steadyMs(): number {
  return performance.now()
}

/** A clock that stands still until it is told to move. */
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

// How long something is ago. A clock on the wall may be set back, and one that only counts stands still
// while a machine is suspended: whichever has moved further is believed.
import type { Clock } from '../../lib/clock.ts'

export type Moment = {
  readonly steady: number
  readonly wall: number
  /** The clock of the machine, where the one that was handed in may be another. */
  readonly day?: number
}

/** `isShared`: the clock handed in is all the time there is. */
export function momentOf(clock: Clock, isShared: boolean): Moment {
  const wall = clock.now()
  return isShared ? { steady: wall, wall } : { steady: performance.now(), wall, day: Date.now() }
}

/** In milliseconds. */
export function between(from: Moment, to: Moment): number {
  const days = (to.day ?? 0) - (from.day ?? 0)
  return Math.max(to.steady - from.steady, to.wall - from.wall, days)
}

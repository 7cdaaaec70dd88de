// How long something is ago. A clock on the wall may be set back, and one that only counts stands still
// while a machine is suspended: whichever has moved further is believed.
import type { Clock } from '../../lib/clock.ts'

export type Moment = { readonly steady: number; readonly wall: number }

/** `isShared`: the clock handed in is all the time there is. */
export function momentOf(clock: Clock, isShared: boolean): Moment {
  const wall = clock.now()
  return { steady: isShared ? wall : performance.now(), wall }
}

/** In milliseconds. */
export function between(from: Moment, to: Moment): number {
  return Math.max(to.steady - from.steady, to.wall - from.wall)
}

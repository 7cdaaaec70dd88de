// How quick a host was when it was last asked, and what follows from that for the others: nobody waits
// for one that takes its time, and such hosts share a part of the places for requests.

/** A request that takes longer than this makes its host a slow one; as long as a patient crawl waits. */
export const SLOW_MS = 2000

/** `new`: it has not given a page in this run. */
export type HostPace = 'new' | 'quick' | 'slow'

/** How many more requests may go to hosts that are not known to be quick. */
export type RoomForOthers = { readonly new: number; readonly slow: number }

export const ROOM_FOR_ALL: RoomForOthers = {
  new: Number.POSITIVE_INFINITY,
  slow: Number.POSITIVE_INFINITY,
}

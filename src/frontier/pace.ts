// The pace of a host at its last request. Nobody waits for a slow host, and slow hosts share a limited part
// of the request slots.

/** A request that takes longer than this makes its host slow. It is as long as a patient crawl waits. */
export const SLOW_MS = 2000

/** `new`: the host has not returned a page in this run. */
export type HostPace = 'new' | 'quick' | 'slow'

/** How many more requests may go to hosts that are not known to be quick. */
export type RoomForOthers = { readonly new: number; readonly slow: number }

export const ROOM_FOR_ALL: RoomForOthers = {
  new: Number.POSITIVE_INFINITY,
  slow: Number.POSITIVE_INFINITY,
}

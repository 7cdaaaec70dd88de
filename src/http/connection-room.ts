// How many connections there is room for: each is an open file, and a process may have only so many.

/** Left for whatever else is opened meanwhile: databases, name servers, files of the system. */
const SPARE_FILES = 16
/** Of the room, for requests; the rest is for connections that wait for their next one. */
const IN_USE = 0.75

export type ConnectionRoom = {
  /** Requests in flight. */
  readonly concurrency: number
  /** Connections kept for later. */
  readonly idle: number
}

/** `limit` of open files, of which `open` are; neither wants nor gives more than is wanted. */
export function connectionRoom(
  wanted: ConnectionRoom,
  { limit, open }: { readonly limit: number; readonly open: number },
): ConnectionRoom {
  const room = Math.max(1, limit - open - SPARE_FILES)
  if (room >= wanted.concurrency + wanted.idle) return wanted
  const concurrency = Math.min(wanted.concurrency, Math.max(1, Math.floor(room * IN_USE)))
  return { concurrency, idle: Math.min(wanted.idle, room - concurrency) }
}

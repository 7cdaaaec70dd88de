// Connections that wait for their next request.

/** What the pool has to know of a lane. */
export interface PooledConnection {
  readonly key: string
  /** Whether its connection goes to one of these addresses. */
  leadsTo(addresses: readonly string[]): boolean
  /** Connected, as far as anybody knows. */
  readonly usable: boolean
  /** When it connected; monotonic. */
  readonly openedAt: number
  discard(): void
}

export type ConnectionPoolOptions = {
  /** Idle lanes kept for one origin, and over all origins. */
  readonly perOrigin: number
  readonly total: number
}

/** By then its host may live elsewhere: the name is asked for again. */
const MAX_AGE_MS = 60_000

export class ConnectionPool<Lane extends PooledConnection> {
  readonly #options: ConnectionPoolOptions
  readonly #byKey = new Map<string, Lane[]>()
  /** All idle lanes, the longest idle first. */
  readonly #idle = new Set<Lane>()
  #closed = false

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /**
   * The lane used last, which is the least likely to be dead by now; null when none is idle that leads
   * to one of the addresses which were vetted for this request.
   */
  take(key: string, addresses: readonly string[]): Lane | null {
    const lanes = this.#byKey.get(key)
    for (let lane = lanes?.at(-1); lane !== undefined; lane = lanes?.at(-1)) {
      this.#remove(lane)
      const isYoung = performance.now() - lane.openedAt < MAX_AGE_MS
      if (isYoung && lane.usable && lane.leadsTo(addresses)) return lane
      lane.discard()
    }
    return null
  }

  put(lane: Lane): void {
    const lanes = this.#byKey.get(lane.key)
    if (this.#closed || (lanes?.length ?? 0) >= this.#options.perOrigin) {
      lane.discard()
      return
    }
    if (lanes === undefined) this.#byKey.set(lane.key, [lane])
    else lanes.push(lane)
    this.#idle.add(lane)
    if (this.#idle.size > this.#options.total) this.#dropOldest()
  }

  /** Its connection is gone; a lane in use is its user's to discard. */
  drop(lane: Lane): void {
    if (!this.#idle.has(lane)) return
    this.#remove(lane)
    lane.discard()
  }

  /** Closes all that are idle. */
  empty(): void {
    for (const lane of this.#idle) lane.discard()
    this.#idle.clear()
    this.#byKey.clear()
  }

  close(): void {
    this.#closed = true
    this.empty()
  }

  #dropOldest(): void {
    const [oldest] = this.#idle
    if (oldest !== undefined) this.drop(oldest)
  }

  #remove(lane: Lane): void {
    this.#idle.delete(lane)
    const lanes = this.#byKey.get(lane.key)
    if (lanes === undefined) return
    lanes.splice(lanes.indexOf(lane), 1)
    if (lanes.length === 0) this.#byKey.delete(lane.key)
  }
}

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

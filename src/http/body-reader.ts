// Reads the body of one response: decides how much to keep, and when to stop.

/** Reading a little more than needed is cheaper than a new connection. */
export const DRAIN_BYTES = 64 * 1024

export class BodyReader {
  readonly body: Uint8Array[] = []
  /** The server had more than was wanted, or than memory allowed. */
  truncated = false
  readonly #wanted: number
  /** The announced length; null if there was none. */
  readonly #length: number | null
  readonly #share: RoomShare | undefined
  #kept = 0
  #dropped = 0
  /** Bytes taken from the shared memory. */
  #taken = 0

  constructor(wanted: number, length: number | null, share?: RoomShare) {
    this.#wanted = wanted
    this.#length = length
    this.#share = share
  }

  /** True if no further byte is needed. */
  get satisfied(): boolean {
    return this.#wanted === 0 || this.truncated
  }

  /** True if the body can be used even if the rest never comes: the rest only matters for its links. */
  get suffices(): boolean {
    return this.satisfied || (this.#share?.isEnough === true && this.#kept >= this.#share.sure)
  }

  /** True if so much unwanted data is left that closing the connection is cheaper. */
  get overfull(): boolean {
    if (!this.satisfied) return false
    // Without a length, an unwanted body is read on, since it may be small; a truncated one is not.
    const unknown = this.truncated ? Number.POSITIVE_INFINITY : 0
    const left = this.#length === null ? unknown : this.#length - this.#kept - this.#dropped
    return this.#dropped + left > DRAIN_BYTES
  }

  add(chunk: Uint8Array): void {
    const room = this.truncated ? 0 : this.#roomFor(chunk.length)
    if (chunk.length <= room) {
      this.#kept += chunk.length
      this.body.push(chunk)
      return
    }
    if (room > 0) this.body.push(chunk.subarray(0, room))
    this.#kept += room
    this.#dropped += chunk.length - room
    this.truncated = this.#wanted > 0
  }

  /** Marks the body as ended; the rest will not come. */
  cutHere(): void {
    this.truncated = this.#wanted > 0
  }

  /** Returns the shared memory: the body now belongs to somebody else, or to nobody. */
  release(): void {
    this.#share?.room.give(this.#taken)
    this.#taken = 0
  }

  /** How many of `bytes` may be kept. */
  #roomFor(bytes: number): number {
    const room = Math.min(bytes, this.#wanted - this.#kept)
    if (this.#share === undefined) return room
    const sure = Math.max(0, this.#share.sure - this.#kept)
    const beyond = room - sure
    if (beyond <= 0) return room
    if (!this.#share.room.take(beyond)) return sure
    this.#taken += beyond
    return room
  }
}

/** For all requests together. */
const ROOM_BYTES = 96 * 1024 * 1024

/**
 * Memory for bodies longer than usual, shared by all requests. Every body has its usual share guaranteed;
 * the rest comes from here. When it is used up, a body is truncated, as if it exceeded the size limit. This
 * loses the last links of a page, but never the crawl.
 */
export class BodyRoom {
  #left: number

  constructor(bytes = ROOM_BYTES) {
    this.#left = bytes
  }

  /** Takes nothing and returns false if there is not enough. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

/** The share of one body. */
export type RoomShare = {
  /** Guaranteed bytes. */
  readonly sure: number
  /** True if the guaranteed bytes suffice when the rest fails to come. */
  readonly isEnough: boolean
  readonly room: BodyRoom
}

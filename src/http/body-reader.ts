// The body of one answer as it comes in: what is kept of it, and when there has been enough.

/** Reading a little more than needed is cheaper than a new connection. */
export const DRAIN_BYTES = 64 * 1024

export class BodyReader {
  readonly body: Uint8Array[] = []
  /** The server had more than was wanted, or than there was room for. */
  truncated = false
  readonly #wanted: number
  /** What the server announced; null when it did not. */
  readonly #length: number | null
  readonly #share: RoomShare | undefined
  #kept = 0
  #dropped = 0
  /** Of the common room. */
  #taken = 0

  constructor(wanted: number, length: number | null, share?: RoomShare) {
    this.#wanted = wanted
    this.#length = length
    this.#share = share
  }

  /** Nothing that may still come is of use. */
  get satisfied(): boolean {
    return this.#wanted === 0 || this.truncated
  }

  /** Enough to go by, should the rest never come: what is beyond is for its links alone. */
  get suffices(): boolean {
    return this.satisfied || (this.#share?.isEnough === true && this.#kept >= this.#share.sure)
  }

  /** So much is still to come, of what is not wanted, that hanging up is cheaper. */
  get overfull(): boolean {
    if (!this.satisfied) return false
    // A small body that nobody wants is read on in hope; a cut one without a length is not.
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

  /** The rest will not come. */
  cutHere(): void {
    this.truncated = this.#wanted > 0
  }

  /** Its bytes are somebody else's now, or nobody's. */
  release(): void {
    this.#share?.room.give(this.#taken)
    this.#taken = 0
  }

  /** How much more may be kept, `bytes` being asked for. */
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

// Memory for bodies that are longer than usual, shared by all requests: every body has its usual share
// for sure, and what is beyond comes from here. When it is used up, a body is cut where it is, as if it
// were longer than is read of one: that loses the last links of a page, and never the crawl.

/** For all requests together. */
const ROOM_BYTES = 96 * 1024 * 1024

export class BodyRoom {
  #left: number

  constructor(bytes = ROOM_BYTES) {
    this.#left = bytes
  }

  /** False, and nothing is taken, when there is not so much. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

/** What one body may have of it. */
export type RoomShare = {
  /** As much as any body may be long. */
  readonly sure: number
  /** Whoever has that can do without the rest, should it fail to come. */
  readonly isEnough: boolean
  readonly room: BodyRoom
}

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

// The body of one answer as it comes in: what is kept of it, and when there has been enough.

/** Reading a little more than needed is cheaper than a new connection. */
export const DRAIN_BYTES = 64 * 1024

export class Intake {
  readonly body: Uint8Array[] = []
  /** The server had more than was wanted. */
  truncated = false
  readonly #wanted: number
  /** What the server announced; null when it did not. */
  readonly #length: number | null
  #kept = 0
  #dropped = 0

  constructor(wanted: number, length: number | null) {
    this.#wanted = wanted
    this.#length = length
  }

  /** Nothing that may still come is of use. */
  get satisfied(): boolean {
    return this.#wanted === 0 || this.truncated
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
    const room = this.#wanted - this.#kept
    if (chunk.length <= room) {
      this.#kept += chunk.length
      this.body.push(chunk)
      return
    }
    if (room > 0) this.body.push(chunk.subarray(0, room))
    this.#kept = this.#wanted
    this.#dropped += chunk.length - room
    this.truncated = this.#wanted > 0
  }
}

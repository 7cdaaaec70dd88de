// Cuts a stream of bytes into lines, none of which may be longer than a limit.

const LINE_FEED = 0x0a

export class LineCutter {
  readonly #maxBytes: number
  #pieces: Buffer[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that are whole now, without their ends; null for one that is too long, which is the last. */
  *push(bytes: Buffer): Generator<string | null> {
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      if (!this.#keep(bytes.subarray(start, end))) return yield null
      start = end + 1
      yield this.#take()
    }
    // The bytes are only lent.
    if (!this.#keep(Buffer.from(bytes.subarray(start)))) yield null
  }

  #keep(piece: Buffer): boolean {
    this.#length += piece.length
    if (this.#length > this.#maxBytes) return false
    this.#pieces.push(piece)
    return true
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString('utf8')
    this.#pieces = []
    this.#length = 0
    return line
  }
}

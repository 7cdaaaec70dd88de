// Splits a stream of bytes into lines of limited length.

const LINE_FEED = 0x0a

export class LineCutter {
  readonly #maxBytes: number
  #pieces: Buffer[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * The lines that are complete now, without line ends. Null for a line that is too long; nothing follows it.
   */
  *push(bytes: Buffer): Generator<string | null> {
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      if (!this.#keep(bytes.subarray(start, end))) return yield null
      start = end + 1
      yield this.#take()
    }
    // Copied: the buffer belongs to the caller.
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

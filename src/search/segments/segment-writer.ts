// Writes a segment: the postings of all its terms, in their order, as one stream of bytes that is cut into
// pieces, and the list of its terms.
import { Bytes } from './bytes.ts'
import { type PostingBuffer, type Worth, writePostings } from './postings.ts'
import { TermBlockWriter, termKey } from './term-block.ts'

/** Bytes of a piece; the last one is shorter. */
export const PIECE = 16_384
/** Bytes that are collected before they are cut. */
const COLLECTED = 16 * PIECE

/** Where a segment is kept. */
export interface SegmentSink {
  /** Replaces the piece if it is there. */
  piece(nth: number, bytes: Uint8Array): void
  /** `at`: where the postings of its terms begin. */
  terms(first: Uint8Array, at: number, block: Uint8Array): void
}

type SegmentWriterOptions = {
  readonly worth: Worth
  /** For a segment that is continued: its bytes so far, and its last piece. */
  readonly written?: number
  readonly rest?: Uint8Array | null
}

export class SegmentWriter {
  /** Bytes written. */
  written: number
  readonly #sink: SegmentSink
  readonly #worth: Worth
  readonly #block = new TermBlockWriter()
  readonly #stream = new Bytes()
  /** Where the stream begins; always at a piece. */
  #begin: number
  #blockAt: number

  constructor(sink: SegmentSink, { worth, written = 0, rest = null }: SegmentWriterOptions) {
    this.#sink = sink
    this.#worth = worth
    this.written = written
    this.#begin = Math.floor(written / PIECE) * PIECE
    if (rest !== null) this.#stream.copy(rest, 0, written - this.#begin)
    this.#blockAt = written
  }

  /** Terms come in order, and each once. */
  add(term: string, postings: PostingBuffer): void {
    if (postings.size === 0) return
    const before = this.#stream.length
    const positionBytes = writePostings(this.#stream, postings, this.#worth)
    const bytes = this.#stream.length - before
    this.written += bytes
    this.#block.add(term, postings.size, bytes - positionBytes, positionBytes)
    if (this.#block.isFull) this.#endBlock()
    if (this.#stream.length > COLLECTED) this.#cut()
  }

  /** Everything that was added is kept afterwards. More may follow. */
  flush(): void {
    if (this.#block.first !== null) this.#endBlock()
    this.#cut()
    const rest = this.#stream.done()
    if (rest.length > 0) this.#sink.piece(this.#begin / PIECE, rest.slice())
  }

  #endBlock(): void {
    const { first } = this.#block
    if (first === null) return
    this.#sink.terms(termKey(first), this.#blockAt, this.#block.take())
    this.#blockAt = this.written
  }

  #cut(): void {
    const bytes = this.#stream.done()
    let cut = 0
    for (; cut + PIECE <= bytes.length; cut += PIECE) {
      this.#sink.piece((this.#begin + cut) / PIECE, bytes.slice(cut, cut + PIECE))
    }
    this.#begin += cut
    this.#stream.shift(cut)
  }
}

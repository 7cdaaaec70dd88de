// Merges neighbouring segments into one, without the pages that went. A merge can stop after any term and go on
// later, in another process.
import { u32At } from './bytes.ts'
import { BlockReader, ENTRY, FIELDS_EACH, PostingBuffer } from './postings.ts'
import { BlockWalk, type SegmentRange, type SegmentReader } from './segment-reader.ts'
import type { SegmentWriter } from './segment-writer.ts'
import type { TermBlock, TermEntry } from './term-block.ts'

type MergeOptions = {
  readonly reader: SegmentReader
  /** Neighbours, in order. */
  readonly sources: readonly SegmentRange[]
  readonly writer: SegmentWriter
  /** True if what a segment has of a page is no longer valid. */
  readonly isGone: (doc: number, segment: SegmentRange) => boolean
  /** The last term that was written before; '' at the beginning. */
  readonly after: string
}

export class Merge {
  readonly #options: MergeOptions
  readonly #walks: readonly TermWalk[]
  readonly #postings = new PostingBuffer()
  readonly #block = new BlockReader()
  #last: string
  /** The term whose postings were collected and are not written; null: none. */
  #taken: string | null = null

  constructor(options: MergeOptions) {
    this.#options = options
    this.#last = options.after
    this.#walks = options.sources.map((range) => new TermWalk(options.reader, range, options.after))
  }

  /** The last term that was written. */
  get last(): string {
    return this.#last
  }

  /**
   * Goes on until about so many bytes are written. True at the end. If something cannot be read yet, this throws; called
   * again, it goes on there.
   */
  step(bytes: number): boolean {
    const { writer } = this.#options
    const until = writer.written + bytes
    while (writer.written < until) {
      const term = this.#taken ?? this.#next()
      if (term === null) {
        writer.flush()
        return true
      }
      if (this.#taken === null) this.#collect(term)
      this.#taken = term
      for (const walk of this.#walks) if (walk.term === term) walk.next()
      writer.add(term, this.#postings)
      this.#last = term
      this.#taken = null
    }
    writer.flush()
    return false
  }

  #collect(term: string): void {
    this.#postings.clear()
    for (const { segment, term: own, entry } of this.#walks) {
      if (own === term && entry !== null) this.#take(segment, entry)
    }
    this.#postings.sort()
  }

  #next(): string | null {
    let first: string | null = null
    for (const { term } of this.#walks) {
      if (term !== null && (first === null || term < first)) first = term
    }
    return first
  }

  #take(range: SegmentRange, entry: TermEntry): void {
    const { reader } = this.#options
    const segment = range.id
    const list = reader.read(segment, entry.at, entry.bytes)
    const positions =
      entry.positionBytes === 0
        ? null
        : reader.read(segment, entry.at + entry.bytes, entry.positionBytes)
    const blocks = Math.ceil(entry.pages / 128)
    const begin = blocks > 1 ? blocks * ENTRY : 0
    let [at, position] = [begin, 0]
    for (let nth = 0; nth < blocks; nth++) {
      this.#block.readAll(list, at)
      position = this.#takeBlock(range, positions, position)
      if (blocks > 1) at = u32At(list, nth * ENTRY + 4)
    }
  }

  /** Returns where the positions of the next block begin. */
  #takeBlock(range: SegmentRange, positions: Uint8Array | null, begin: number): number {
    const { isGone } = this.#options
    const { size, docs, counts } = this.#block
    const postings = this.#postings
    let from = begin
    for (let nth = 0; nth < size; nth++) {
      let [to, left] = [from, 0]
      const first = nth * FIELDS_EACH
      if (positions !== null) {
        for (let field = 0; field < FIELDS_EACH; field++) left += counts[first + field] ?? 0
        for (; left > 0; to++) if ((positions[to] ?? 0) < 128) left--
      }
      const doc = docs[nth] ?? 0
      if (!isGone(doc, range)) {
        const at = postings.add(doc)
        for (let field = 0; field < FIELDS_EACH; field++) {
          postings.counts[at * FIELDS_EACH + field] = counts[first + field] ?? 0
        }
        if (positions !== null) postings.positions.copy(positions, from, to)
        postings.ends[at] = postings.positions.length
      }
      from = to
    }
    return from
  }
}

/** Walks through the terms of one segment. */
class TermWalk {
  readonly segment: SegmentRange
  /** Null after the last one. */
  term: string | null = null
  readonly #blocks: BlockWalk
  #block: TermBlock | null = null
  #place = 0

  constructor(reader: SegmentReader, segment: SegmentRange, after: string) {
    this.segment = segment
    this.#blocks = new BlockWalk(reader, segment.id, after)
    do this.next()
    while (this.term !== null && this.term <= after)
  }

  get entry(): TermEntry | null {
    return this.#block?.entry(this.#place) ?? null
  }

  next(): void {
    const place = this.#place + 1
    const isInside = this.#block !== null && place < this.#block.names.length
    if (!isInside) this.#block = this.#blocks.next()
    this.#place = isInside ? place : 0
    this.term = this.#block?.names[this.#place] ?? null
  }
}

// Reads segments: finds terms, and the bytes of their postings. Segments never change, so what was read stays
// valid; the most recently used parts are kept.
import { PIECE } from './segment-writer.ts'
import { damaged, TermBlock, type TermEntry, termKey } from './term-block.ts'

export type StoredBlock = {
  /** Of its first term. */
  readonly key: Uint8Array
  readonly at: number
  readonly bytes: Uint8Array
}

/** Pieces of a segment are numbered below this: 64 GiB. */
const PIECES = 2 ** 22

/** The number of a piece among those of all segments. */
export function pieceKey(segment: number, nth: number): number {
  return segment * PIECES + nth
}

/** Where segments are kept. */
export interface SegmentSource {
  /** Null if there is none. */
  piece(segment: number, nth: number): Uint8Array | null
  /** The pieces from one to another, in order, if reading them together takes less time; missing otherwise. */
  pieces?(segment: number, first: number, last: number): readonly Uint8Array[]
  /** Called before all pieces from one to another are read; throws if they cannot be read yet. */
  expect?(segment: number, first: number, last: number): void
  /** The last block whose first term is not after a key; null if there is none. */
  blockAt(segment: number, key: Uint8Array): StoredBlock | null
  /** The next few blocks whose first term is after a key, in order. */
  blocksAfter(segment: number, key: Uint8Array, limit: number): readonly StoredBlock[]
}

/** A segment has the pages from `base` up to, not including, `end`. */
export type SegmentRange = { readonly id: number; readonly base: number; readonly end: number }

const KEPT_ENTRIES = 20_000
const KEPT_LISTS_BYTES = 64 * 1024 * 1024
const KEPT_PIECES = 4096
/** Pieces of a long list that are read together. */
const TOGETHER = 16
/** More segments than an index usually has. */
const KEPT_LAST = 64

export class SegmentReader {
  readonly #source: SegmentSource
  readonly #entries = new Recent<string, TermEntry | null>(KEPT_ENTRIES)
  readonly #pieces = new Recent<string, Uint8Array>(KEPT_PIECES)
  readonly #lists = new Map<string, Uint8Array>()
  /** By segment: the piece that was read last. */
  readonly #last = new Map<number, { readonly nth: number; readonly piece: Uint8Array }>()
  #listBytes = 0

  constructor(source: SegmentSource) {
    this.#source = source
  }

  /** After a transaction that failed: the next segment may have the number of one that was read in it. */
  forget(): void {
    this.#entries.clear()
    this.#pieces.clear()
    this.#lists.clear()
    this.#last.clear()
    this.#listBytes = 0
  }

  /** Null if no page of the segment has the term. */
  find(segment: number, term: string): TermEntry | null {
    const key = `${segment} ${term}`
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry = this.#find(segment, term)
    this.#entries.set(key, entry)
    return entry
  }

  #find(segment: number, term: string): TermEntry | null {
    const block = this.blockOf(segment, term)
    if (block === null) return null
    const place = block.placeOf(term)
    return block.names[place] === term ? block.entry(place) : null
  }

  /** The blocks of terms from the one on that may have this term, in order. */
  *blocksFrom(segment: number, from: string): Generator<TermBlock> {
    const walk = new BlockWalk(this, segment, from)
    for (let block = walk.next(); block !== null; block = walk.next()) yield block
  }

  /** The block that may have a term; null if all terms are after it. */
  blockOf(segment: number, term: string): TermBlock | null {
    const stored = this.#source.blockAt(segment, termKey(term))
    return stored === null ? null : new TermBlock(stored.bytes, stored.at)
  }

  blocksAfter(segment: number, key: Uint8Array, limit: number): readonly StoredBlock[] {
    return this.#source.blocksAfter(segment, key, limit)
  }

  /** The entries and blocks of a term. */
  list(segment: number, { at, bytes }: TermEntry): Uint8Array {
    // Short ones take part of a piece, which is kept itself.
    if (bytes < PIECE) return this.read(segment, at, bytes)
    const key = `${segment} ${at}`
    const known = this.#lists.get(key)
    if (known !== undefined) {
      this.#lists.delete(key)
      this.#lists.set(key, known)
      return known
    }
    const list = this.read(segment, at, bytes)
    this.#lists.set(key, list)
    this.#listBytes += bytes
    for (const [oldest, each] of this.#lists) {
      if (this.#listBytes <= KEPT_LISTS_BYTES) break
      this.#lists.delete(oldest)
      this.#listBytes -= each.length
    }
    return list
  }

  /** Throws if not all pieces from one to another can be read yet. */
  expect(segment: number, first: number, last: number): void {
    this.#source.expect?.(segment, first, last)
  }

  /** Some bytes of a segment; not to be changed. */
  read(segment: number, at: number, length: number): Uint8Array {
    const first = Math.floor(at / PIECE)
    const begin = at - first * PIECE
    if (begin + length <= PIECE) {
      const piece = this.#keptPiece(segment, first)
      if (begin + length > piece.length) throw damaged()
      return piece.subarray(begin, begin + length)
    }
    const last = Math.floor((at + length - 1) / PIECE)
    this.#source.expect?.(segment, first, last)
    // Longer ones would take the place of all others, and long lists are kept whole.
    const isKept = length < PIECE
    // Its last piece must be there, before much room is made.
    if (!isKept) this.#pieceOf(segment, last)
    const all = new Uint8Array(length)
    for (let [done, nth, from] = [0, first, begin]; done < length; ) {
      const pieces = isKept ? [this.#recentPiece(segment, nth)] : this.#piecesIn(segment, nth, last)
      for (const piece of pieces) {
        const part = piece.subarray(from, Math.min(piece.length, from + length - done))
        if (part.length === 0 && done < length) throw damaged()
        all.set(part, done)
        done += part.length
        from = 0
        nth++
      }
    }
    return all
  }

  #keptPiece(segment: number, nth: number): Uint8Array {
    // Short lists of neighbouring terms are in one piece.
    const last = this.#last.get(segment)
    if (last?.nth === nth) return last.piece
    const piece = this.#recentPiece(segment, nth)
    if (this.#last.size >= KEPT_LAST) this.#last.clear()
    this.#last.set(segment, { nth, piece })
    return piece
  }

  #recentPiece(segment: number, nth: number): Uint8Array {
    const key = `${segment} ${nth}`
    const known = this.#pieces.get(key)
    if (known !== undefined) return known
    const piece = this.#pieceOf(segment, nth)
    this.#pieces.set(key, piece)
    return piece
  }

  /** The first of them at least. */
  #piecesIn(segment: number, first: number, last: number): readonly Uint8Array[] {
    const to = Math.min(last, first + TOGETHER - 1)
    const pieces = this.#source.pieces?.(segment, first, to) ?? [this.#pieceOf(segment, first)]
    if (pieces.length === 0) throw damaged()
    return pieces
  }

  /** A search sees one state of the index, so a piece that is not there was lost. */
  #pieceOf(segment: number, nth: number): Uint8Array {
    const piece = this.#source.piece(segment, nth)
    if (piece === null) throw damaged()
    return piece
  }
}

/** The blocks of terms from the one on that may have a term. If one cannot be read yet, `next` may be called again. */
export class BlockWalk {
  readonly #reader: SegmentReader
  readonly #segment: number
  readonly #from: string
  #after: Uint8Array | null = null
  #ahead: StoredBlock[] = []
  /** Few words begin alike, but a merge reads all blocks. */
  #limit = 4

  constructor(reader: SegmentReader, segment: number, from: string) {
    this.#reader = reader
    this.#segment = segment
    this.#from = from
  }

  /** Null after the last one. */
  next(): TermBlock | null {
    if (this.#after === null) {
      const first = this.#reader.blockOf(this.#segment, this.#from)
      this.#after = termKey(this.#from)
      if (first !== null) return first
    }
    if (this.#ahead.length === 0) this.#read(this.#after)
    const block = this.#ahead.shift()
    return block === undefined ? null : new TermBlock(block.bytes, block.at)
  }

  #read(after: Uint8Array): void {
    this.#ahead = [...this.#reader.blocksAfter(this.#segment, after, this.#limit)]
    this.#after = this.#ahead.at(-1)?.key ?? after
    this.#limit = Math.min(64, 2 * this.#limit)
  }
}

/** Keeps the most recently used values. */
class Recent<K, V> {
  readonly #limit: number
  readonly #values = new Map<K, V>()

  constructor(limit: number) {
    this.#limit = limit
  }

  clear(): void {
    this.#values.clear()
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#values.set(key, value)
    if (this.#values.size <= this.#limit) return
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest)
      return
    }
  }
}

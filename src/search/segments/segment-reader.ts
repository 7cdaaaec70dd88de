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

/** Where segments are kept. */
export interface SegmentSource {
  /** Null if there is none. */
  piece(segment: number, nth: number): Uint8Array | null
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

export class SegmentReader {
  readonly #source: SegmentSource
  readonly #entries = new Recent<string, TermEntry | null>(KEPT_ENTRIES)
  readonly #pieces = new Recent<string, Uint8Array>(KEPT_PIECES)
  readonly #lists = new Map<string, Uint8Array>()
  #last: { segment: number; nth: number; piece: Uint8Array } | null = null
  #listBytes = 0

  constructor(source: SegmentSource) {
    this.#source = source
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
    const stored = this.#source.blockAt(segment, termKey(term))
    if (stored === null) return null
    const block = new TermBlock(stored.bytes, stored.at)
    const place = block.placeOf(term)
    return block.names[place] === term ? block.entry(place) : null
  }

  /** The blocks of terms from the one on that may have this term, in order. */
  *blocksFrom(segment: number, from: string): Generator<TermBlock> {
    let key = termKey(from)
    const first = this.#source.blockAt(segment, key)
    if (first !== null) yield new TermBlock(first.bytes, first.at)
    // Few words begin alike, but a merge reads all blocks.
    for (let limit = 4; ; limit = Math.min(64, 2 * limit)) {
      const blocks = this.#source.blocksAfter(segment, key, limit)
      for (const { bytes, at } of blocks) yield new TermBlock(bytes, at)
      const last = blocks.at(-1)
      if (last === undefined) return
      key = last.key
    }
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

  /** Some bytes of a segment; not to be changed. */
  read(segment: number, at: number, length: number): Uint8Array {
    const first = Math.floor(at / PIECE)
    const begin = at - first * PIECE
    if (begin + length <= PIECE) {
      const piece = this.#keptPiece(segment, first)
      if (begin + length > piece.length) throw damaged()
      return piece.subarray(begin, begin + length)
    }
    // Longer ones would take the place of all others, and long lists are kept whole.
    const isKept = length < PIECE
    // Its last piece must be there, before much room is made.
    if (!isKept) this.#pieceOf(segment, Math.floor((at + length - 1) / PIECE))
    const all = new Uint8Array(length)
    for (let done = 0, nth = first; done < length; nth++) {
      const piece = isKept ? this.#recentPiece(segment, nth) : this.#pieceOf(segment, nth)
      const from = nth === first ? begin : 0
      const part = piece.subarray(from, Math.min(piece.length, from + length - done))
      if (part.length === 0) throw damaged()
      all.set(part, done)
      done += part.length
    }
    return all
  }

  #keptPiece(segment: number, nth: number): Uint8Array {
    // Short lists of neighbouring terms are in one piece.
    const last = this.#last
    if (last?.segment === segment && last.nth === nth) return last.piece
    const piece = this.#recentPiece(segment, nth)
    this.#last = { segment, nth, piece }
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

  #pieceOf(segment: number, nth: number): Uint8Array {
    const piece = this.#source.piece(segment, nth)
    if (piece === null) throw new GoneError()
    return piece
  }
}

/** A segment was merged and removed after a search had begun: the search begins again. */
export class GoneError extends Error {}

/** Keeps the most recently used values. */
class Recent<K, V> {
  readonly #limit: number
  readonly #values = new Map<K, V>()

  constructor(limit: number) {
    this.#limit = limit
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

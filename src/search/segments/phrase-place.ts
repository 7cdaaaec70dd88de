// One place of a phrase: a word, a pair of words, or one of the words with a prefix. It moves from page to page, and
// reads positions only where they are asked for.
import { type DocBits, eachDoc, hasSome } from './doc-bits.ts'
import { ListWalk } from './list-walk.ts'
import { FieldCounts } from './postings.ts'
import type { ByteRange, StoredPostings } from './postings-list.ts'

/** Where a phrase may begin in a field, in order. */
export class Starts {
  size = 0
  positions = new Int32Array(256)

  add(position: number): void {
    if (this.size === this.positions.length) {
      const larger = new Int32Array(this.size * 2)
      larger.set(this.positions)
      this.positions = larger
    }
    this.positions[this.size++] = position
  }
}

/** One place of a phrase. */
export interface PhrasePlace {
  readonly pages: number
  /** One of them has each page that has a word for this place. */
  readonly lists: readonly StoredPostings[]
  /** Moves to a page, in ascending order. Returns the fields that have such a word there, as bits. */
  load(doc: number): number
  /** Adds where the positions of pages are, each of which has such a word. */
  addRanges(docs: DocBits, ranges: ByteRange[]): void
  /** Adds where the phrase begins if the word is in this place. */
  startsIn(field: number, starts: Starts): void
  /** Keeps those after which the word is in this place. */
  keepIn(field: number, starts: Starts): void
}

export class OneWord implements PhrasePlace {
  readonly pages: number
  /** Words of the phrase before this one. */
  readonly #offset: number
  readonly #walk: ListWalk<StoredPostings>
  readonly #counts = new FieldCounts()
  /** The block that was counted. */
  #block = -1
  /** The block whose range was added. */
  #ranged = -1
  /** The positions of a block. */
  #bytes: Uint8Array = new Uint8Array(0)
  #fours: Int32Array = new Int32Array(0)
  #read = -1
  /** How many of them were passed, and where the next one is. They are only read forwards. */
  #passed = 0
  #at = 0

  constructor(postings: StoredPostings, offset: number) {
    this.pages = postings.pages
    this.#offset = offset
    this.#walk = new ListWalk(postings)
  }

  get lists(): readonly StoredPostings[] {
    return [this.#walk.postings]
  }

  load(doc: number): number {
    const walk = this.#walk
    if (walk.nextFrom(doc) !== doc) return 0
    if (this.#block !== walk.block) {
      walk.postings.readFields(walk.block, walk.reader, this.#counts)
      this.#block = walk.block
    }
    return this.#counts.fields[walk.at] ?? 0
  }

  addRanges(docs: DocBits, ranges: ByteRange[]): void {
    const { postings } = this.#walk
    for (let block = 0, from = 0; block < postings.lasts.length; block++) {
      const last = postings.lasts[block] ?? 0
      if (hasSome(docs, from, Math.min(last, docs.length * 32 - 1))) this.#addRange(block, ranges)
      from = last + 1
    }
  }

  /** The same for one page, which may be without the word. Pages are asked for in ascending order. */
  addRangeOf(doc: number, ranges: ByteRange[]): void {
    const walk = this.#walk
    if (walk.nextFrom(doc) !== doc || walk.block === this.#ranged) return
    this.#ranged = walk.block
    this.#addRange(walk.block, ranges)
  }

  #addRange(block: number, ranges: ByteRange[]): void {
    const range = this.#walk.postings.positionRange(block)
    if (range !== null) ranges.push(range)
  }

  startsIn(field: number, starts: Starts): void {
    const count = this.#moveTo(field)
    const bytes = this.#bytes
    let at = this.#at
    let position = -this.#offset
    for (let nth = 0; nth < count; nth++) {
      let byte = bytes[at++] ?? 0
      position += byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        position += (byte & 127) << shift
      }
      if (position >= 0) starts.add(position)
    }
    this.#at = at
    this.#passed += count
  }

  keepIn(field: number, starts: Starts): void {
    const count = this.#moveTo(field)
    const bytes = this.#bytes
    const { positions, size } = starts
    let [at, read, kept, nth] = [this.#at, 0, 0, 0]
    let start = positions[0] ?? 0
    let position = -this.#offset
    while (read < count) {
      read++
      let byte = bytes[at++] ?? 0
      position += byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        position += (byte & 127) << shift
      }
      if (position < start) continue
      while (start < position && ++nth < size) start = positions[nth] ?? 0
      if (nth >= size) break
      if (start === position) positions[kept++] = start
    }
    starts.size = kept
    this.#at = at
    this.#passed += read
  }

  /** Moves to the positions in a field of the loaded page; returns their number. */
  #moveTo(field: number): number {
    const { block, at: nth, postings } = this.#walk
    if (this.#read !== block) {
      this.#bytes = postings.positionsOf(block)
      this.#fours = foursOf(this.#bytes)
      this.#read = block
      this.#passed = 0
      this.#at = 0
    }
    const counts = this.#counts
    const fields = counts.fields[nth] ?? 0
    if ((fields & (1 << field)) === 0) return 0
    const earlier = fields & ((1 << field) - 1)
    let first = counts.before[nth] ?? 0
    for (let each = 0; earlier >>> each !== 0; each++) {
      if ((earlier & (1 << each)) !== 0) first += counts.countOf(nth, each)
    }
    this.#at = afterNumbers(this.#bytes, this.#fours, this.#at, first - this.#passed)
    this.#passed = first
    return counts.countOf(nth, field)
  }
}

/** The highest bits of four bytes: only the last byte of a number has it clear. */
const GOES_ON = 0x8080_8080 | 0

/** Where the bytes are that follow so many numbers. `fours`: the same bytes, from a place that is divisible by four. */
function afterNumbers(bytes: Uint8Array, fours: Int32Array, begin: number, count: number): number {
  let [at, left] = [begin, count]
  const shift = bytes.byteOffset & 3
  for (; left > 0 && ((at + shift) & 3) !== 0; at++) if ((bytes[at] ?? 0) < 128) left--
  // No four bytes have more than four numbers.
  for (let nth = (at + shift) >>> 2; left >= 4 && nth < fours.length; nth++, at += 4) {
    const ends = ~(fours[nth] ?? 0) & GOES_ON
    left -= Math.imul(ends >>> 7, 0x0101_0101) >>> 24
  }
  for (; left > 0; at++) if ((bytes[at] ?? 0) < 128) left--
  return at
}

function foursOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  const begin = byteOffset & ~3
  return new Int32Array(buffer, begin, (byteOffset + length - begin) >>> 2)
}

/** Words with the same prefix. */
export class SomeWords implements PhrasePlace {
  readonly pages: number
  readonly #words: readonly OneWord[]
  /** Those that the loaded page has. */
  #loaded: OneWord[] = []

  constructor(words: readonly OneWord[]) {
    this.#words = words
    this.pages = words.reduce((sum, { pages }) => sum + pages, 0)
  }

  get lists(): readonly StoredPostings[] {
    return this.#words.flatMap(({ lists }) => lists)
  }

  load(doc: number): number {
    let mask = 0
    this.#loaded = []
    for (const word of this.#words) {
      const fields = word.load(doc)
      if (fields === 0) continue
      mask |= fields
      this.#loaded.push(word)
    }
    return mask
  }

  addRanges(docs: DocBits, ranges: ByteRange[]): void {
    eachDoc(docs, (doc) => {
      for (const word of this.#words) word.addRangeOf(doc, ranges)
    })
  }

  startsIn(field: number, starts: Starts): void {
    for (const word of this.#loaded) word.startsIn(field, starts)
    starts.positions.subarray(0, starts.size).sort()
  }

  keepIn(field: number, starts: Starts): void {
    const own = new Starts()
    this.startsIn(field, own)
    const has = new Set(own.positions.subarray(0, own.size))
    const kept = starts.positions.subarray(0, starts.size).filter((start) => has.has(start))
    starts.positions.set(kept)
    starts.size = kept.length
  }
}

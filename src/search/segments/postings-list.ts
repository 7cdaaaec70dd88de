// The postings of one term over all segments, as one list of blocks in the order of pages; and lists that are
// made for one search: of a phrase, of words with a prefix, of a word in some fields.
import { MOST_WORTH } from './bm25.ts'
import { floatAt, u32At } from './bytes.ts'
import { addTo, type DocBits, noDocs } from './doc-bits.ts'
import type { IndexView } from './index-view.ts'
import { BLOCK, BlockReader, ENTRY, type FieldCounts } from './postings.ts'
import type { TermEntry } from './term-block.ts'

/** A term is kept as bits if one of so many pages has it. */
const SPARSE = 32

export interface Postings {
  /** Pages that have it, with those that went. */
  readonly pages: number
  /** No page of a block is after this one. */
  readonly lasts: Int32Array
  /** What the term is worth in no page of a block exceeds this. */
  readonly mosts: Float64Array
  /** All its pages, if they are many, and known or worth to be: `looked` pages are looked up. */
  bitsFor(looked: number): DocBits | null
  readDocs(block: number, into: BlockReader): void
  /** What the term weighs, without the pages. */
  readWeights(block: number, into: BlockReader): void
  read(block: number, into: BlockReader): void
}

/** Where a term is in one segment. */
export type FoundTerm = {
  readonly segment: IndexView['segments'][number]
  readonly entry: TermEntry
}

/** The blocks of a term in one segment: their number, and where the first begins. */
export function blocksIn({ pages }: TermEntry): { readonly count: number; readonly begin: number } {
  const count = Math.ceil(pages / BLOCK)
  return { count, begin: count > 1 ? count * ENTRY : 0 }
}

/** By segment. */
export function findTerm(view: IndexView, term: string): FoundTerm[] {
  return view.segments.flatMap((segment) => {
    const entry = view.reader.find(segment.id, term)
    return entry === null ? [] : [{ segment, entry }]
  })
}

/** Some bytes of a segment. */
export type ByteRange = { readonly segment: number; readonly at: number; readonly length: number }

type Part = {
  readonly segment: number
  readonly entry: TermEntry
  readonly bytes: Uint8Array
}

/** The blocks of a term, by their numbers. */
type Blocks = {
  readonly parts: Part[]
  readonly lasts: Int32Array
  readonly mosts: Float64Array
  /** By block. */
  readonly partOf: Uint32Array
  readonly begins: Uint32Array
  readonly positions: Uint32Array
}

export class StoredPostings implements Postings {
  readonly pages: number
  readonly #view: IndexView
  readonly #found: readonly FoundTerm[]
  /** The name of its bits among those that are kept; null if its pages are few. */
  readonly #dense: string | null
  /** Null until they are asked for: of a word that other lists have, too, only the bits may be needed. */
  #blocks: Blocks | null = null

  constructor(view: IndexView, found: readonly FoundTerm[]) {
    this.#view = view
    this.#found = found
    this.pages = found.reduce((sum, { entry }) => sum + entry.pages, 0)
    const isDense = this.pages * SPARSE >= view.end
    this.#dense = isDense ? found.map(({ segment, entry }) => [segment.id, entry.at]).join() : null
  }

  get lasts(): Int32Array {
    return this.#all.lasts
  }

  get mosts(): Float64Array {
    return this.#all.mosts
  }

  get #all(): Blocks {
    this.#blocks ??= blocksOf(this.#view, this.#found)
    return this.#blocks
  }

  readDocs(block: number, into: BlockReader): void {
    into.readDocs(this.#bytesOf(block), this.#all.begins[block] ?? 0)
  }

  readWeights(block: number, into: BlockReader): void {
    into.readWeights(this.#bytesOf(block), this.#all.begins[block] ?? 0)
  }

  read(block: number, into: BlockReader): void {
    into.read(this.#bytesOf(block), this.#all.begins[block] ?? 0)
  }

  bitsFor(looked: number): DocBits | null {
    if (this.#dense === null) return null
    const { bits } = this.#view
    // Of so few pages not every block has one.
    if (looked * BLOCK < this.pages) return bits.get(this.#dense) ?? null
    return bits.get(this.#dense) ?? bits.keep(this.#dense, this.#allBits())
  }

  #allBits(): DocBits {
    const [bits, reader] = [noDocs(this.#view.end), new BlockReader()]
    for (let block = 0; block < this.lasts.length; block++) {
      this.readDocs(block, reader)
      addTo(bits, reader.docs, reader.size)
    }
    return bits
  }

  /** Of the block that `from` read last. */
  readFields(block: number, from: BlockReader, into: FieldCounts): void {
    from.readFields(this.#bytesOf(block), into)
  }

  /** The positions of a block, page by page and field by field. */
  positionsOf(block: number): Uint8Array {
    const range = this.positionRange(block)
    return range === null ? NOTHING : this.#view.reader.read(range.segment, range.at, range.length)
  }

  /** Where they are; null if there are none. */
  positionRange(block: number): ByteRange | null {
    const { parts, partOf, positions, lasts } = this.#all
    const part = parts[partOf[block] ?? 0]
    if (part === undefined) return null
    const { segment, entry } = part
    const isLast = partOf[block + 1] !== partOf[block] || block + 1 >= lasts.length
    const begin = positions[block] ?? 0
    const end = isLast ? entry.positionBytes : (positions[block + 1] ?? 0)
    return { segment, at: entry.at + entry.bytes + begin, length: end - begin }
  }

  #bytesOf(block: number): Uint8Array {
    const { parts, partOf } = this.#all
    return parts[partOf[block] ?? 0]?.bytes ?? NOTHING
  }
}

function blocksOf(view: IndexView, found: readonly FoundTerm[]): Blocks {
  const mean = view.length / Math.max(1, view.pages)
  const count = found.reduce((sum, { entry }) => sum + blocksIn(entry).count, 0)
  const blocks: Blocks = {
    parts: [],
    lasts: new Int32Array(count),
    mosts: new Float64Array(count),
    partOf: new Uint32Array(count),
    begins: new Uint32Array(count),
    positions: new Uint32Array(count + 1),
  }
  let nth = 0
  for (const { segment, entry } of found) {
    const bytes = view.reader.list(segment.id, entry)
    blocks.parts.push({ segment: segment.id, entry, bytes })
    // Written when pages were shorter on average: by so much may more be worth now.
    const grown = Math.max(1, mean / Math.max(1, segment.meanLength))
    nth = addPart(blocks, { entry, bytes, end: segment.end, grown }, nth)
  }
  return blocks
}

function addPart(
  { parts, lasts, mosts, partOf, begins, positions }: Blocks,
  { entry, bytes, end, grown }: Pick<Part, 'entry' | 'bytes'> & { end: number; grown: number },
  first: number,
): number {
  const { count, begin } = blocksIn(entry)
  const part = parts.length - 1
  if (count === 1) {
    lasts[first] = end - 1
    mosts[first] = MOST_WORTH
    partOf[first] = part
    return first + 1
  }
  for (let nth = 0, from = begin, position = 0; nth < count; nth++) {
    const [at, block] = [nth * ENTRY, first + nth]
    lasts[block] = u32At(bytes, at)
    mosts[block] = Math.min(MOST_WORTH, floatAt(bytes, at + 12) * grown)
    partOf[block] = part
    begins[block] = from
    positions[block] = position
    from = u32At(bytes, at + 4)
    position = u32At(bytes, at + 8)
  }
  return first + count
}

const NOTHING = new Uint8Array(0)

/** Made for one search. Pages are added in order. */
export class MadePostings implements Postings {
  pages = 0
  lasts = new Int32Array(0)
  mosts = new Float64Array(0)
  #docs = new Int32Array(1024)
  #texts = new Int32Array(1024)
  #heads = new Int32Array(1024)

  bitsFor(): null {
    return null
  }

  add(doc: number, text: number, head: number): void {
    if (this.pages === this.#docs.length) {
      this.#docs = doubled(this.#docs)
      this.#texts = doubled(this.#texts)
      this.#heads = doubled(this.#heads)
    }
    const at = this.pages++
    this.#docs[at] = doc
    this.#texts[at] = text
    this.#heads[at] = head
  }

  /** To be called after the last page. */
  done(worth: (doc: number, text: number, head: number) => number): this {
    const blocks = Math.ceil(this.pages / BLOCK)
    this.lasts = new Int32Array(blocks)
    this.mosts = new Float64Array(blocks)
    for (let block = 0; block < blocks; block++) {
      const [from, to] = [block * BLOCK, Math.min(this.pages, (block + 1) * BLOCK)]
      this.lasts[block] = this.#docs[to - 1] ?? 0
      let most = 0
      for (let at = from; at < to; at++) {
        const each = worth(this.#docs[at] ?? 0, this.#texts[at] ?? 0, this.#heads[at] ?? 0)
        if (each > most) most = each
      }
      this.mosts[block] = most
    }
    return this
  }

  readDocs(block: number, into: BlockReader): void {
    this.read(block, into)
  }

  readWeights(block: number, into: BlockReader): void {
    this.read(block, into)
  }

  read(block: number, into: BlockReader): void {
    const [from, to] = [block * BLOCK, Math.min(this.pages, (block + 1) * BLOCK)]
    into.size = to - from
    into.docs.set(this.#docs.subarray(from, to))
    into.texts.set(this.#texts.subarray(from, to))
    into.heads.set(this.#heads.subarray(from, to))
  }
}

function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const all = new Int32Array(numbers.length * 2)
  all.set(numbers)
  return all
}

// The postings of one term: which pages have it, how often in each field, and where.
//
//   entries     one of 16 bytes per block, if there are several: last page, end of the block, end of its
//               positions, and the most that the term is worth in a page of the block
//   blocks      up to 128 pages each: their number, how the rest is coded, the first page, the distances of
//               the others, and for each field how often each page has the term there
//   positions   for each page and field: the first position, and the distances of the others; stems have none
//
// Pages are numbered in the order in which they came. A search passes over blocks by their entries, without
// reading them. Counts take no space where all are 0 or 1, and three bytes each where few are not 0.
//
// More than 400 lines: what writes blocks and what reads them know the same codes.
import type { Field, OwnField } from '../../core/search-field.ts'
import { HEAD_WEIGHTS } from '../page-columns.ts'
import { Bytes } from './bytes.ts'

export const BLOCK = 128
export const ENTRY = 16
export const PAGE_FIELDS = [
  ...(['text', 'title', 'keywords', 'description', 'url', 'host'] as const),
] as const satisfies readonly OwnField[]
/** Texts of links stand in segments of their own. */
export const POSTING_FIELDS = [...PAGE_FIELDS, 'anchor'] as const satisfies readonly Field[]
export const ANCHOR = PAGE_FIELDS.length
export const FIELDS_EACH = POSTING_FIELDS.length
/** Occurrences in one field that count. */
export const MAX_COUNT = 0xffff
/** Before the codes of a block: number of pages, codes, first page. */
const BLOCK_HEAD = 8

const [ZERO, ONE, BYTE, WORD, SPARSE] = [0, 1, 2, 3, 4] as const

/** What an occurrence in each field adds to the head of a page; in texts of links, occurrences are counted. */
export const HEAD_OF = [...PAGE_FIELDS.map((field) => HEAD_WEIGHTS[field]), 1]

/** The postings of one term, to be written. It is filled again for each term. */
export class PostingBuffer {
  size = 0
  docs = new Int32Array(1024)
  /** Per page, as many as there are fields. */
  counts = new Uint16Array(1024 * FIELDS_EACH)
  /** Where the positions of each page end. */
  ends = new Int32Array(1024)
  readonly positions = new Bytes()

  clear(): void {
    this.size = 0
    this.positions.clear()
  }

  /** Adds a page without occurrences; returns its place. */
  add(doc: number): number {
    if (this.size === this.docs.length) this.#grow()
    const at = this.size++
    this.docs[at] = doc
    this.counts.fill(0, at * FIELDS_EACH, (at + 1) * FIELDS_EACH)
    this.ends[at] = this.positions.length
    return at
  }

  /** Puts the pages in order; each is there once. */
  sort(): void {
    const { size, docs, counts, ends } = this
    let isSorted = true
    for (let at = 1; at < size && isSorted; at++) isSorted = (docs[at - 1] ?? 0) < (docs[at] ?? 0)
    if (isSorted) return
    const order = Uint32Array.from({ length: size }, (_, at) => at)
    order.sort((a, b) => (docs[a] ?? 0) - (docs[b] ?? 0))
    const positions = this.positions.done().slice()
    const before = {
      ...{ docs: docs.slice(0, size), counts: counts.slice(0, size * FIELDS_EACH) },
      ends: ends.slice(0, size),
    }
    this.clear()
    for (const from of order) {
      const at = this.add(before.docs[from] ?? 0)
      const first = from * FIELDS_EACH
      this.counts.set(before.counts.subarray(first, first + FIELDS_EACH), at * FIELDS_EACH)
      this.positions.copy(
        positions,
        from === 0 ? 0 : (before.ends[from - 1] ?? 0),
        before.ends[from] ?? 0,
      )
      this.ends[at] = this.positions.length
    }
  }

  #grow(): void {
    const [docs, counts, ends] = [this.docs, this.counts, this.ends]
    this.docs = new Int32Array(docs.length * 2)
    this.docs.set(docs)
    this.counts = new Uint16Array(counts.length * 2)
    this.counts.set(counts)
    this.ends = new Int32Array(ends.length * 2)
    this.ends.set(ends)
  }
}

/** What a term is worth in a page, but for its rarity. */
export type Worth = (doc: number, text: number, head: number) => number

/** Writes the postings; returns how many of the bytes are positions. */
export function writePostings(out: Bytes, postings: PostingBuffer, worth: Worth): number {
  const begin = out.length
  const { size, docs, ends, positions } = postings
  const blocks = Math.ceil(size / BLOCK)
  const entries = blocks > 1 ? out.leave(blocks * ENTRY) : 0
  for (let nth = 0; nth < blocks; nth++) {
    const [from, to] = [nth * BLOCK, Math.min(size, (nth + 1) * BLOCK)]
    writeBlock(out, postings, from, to)
    if (blocks === 1) break
    const entry = entries + nth * ENTRY
    out.set32(entry, docs[to - 1] ?? 0)
    out.set32(entry + 4, out.length - begin)
    out.set32(entry + 8, ends[to - 1] ?? 0)
    out.setFloat(entry + 12, mostIn(postings, from, to, worth))
  }
  if (positions.length > 0) out.copy(positions.done())
  return positions.length
}

/** A little more, since it is rounded to 32 bits. */
const ROUNDED = 1 + 1e-6

function mostIn(postings: PostingBuffer, from: number, to: number, worth: Worth): number {
  const { docs, counts } = postings
  let most = 0
  for (let at = from; at < to; at++) {
    const first = at * FIELDS_EACH
    let head = 0
    for (let field = 1; field < FIELDS_EACH; field++) {
      head += (counts[first + field] ?? 0) * (HEAD_OF[field] ?? 0)
    }
    most = Math.max(most, worth(docs[at] ?? 0, counts[first] ?? 0, head))
  }
  return most * ROUNDED
}

function writeBlock(out: Bytes, { docs, counts }: PostingBuffer, from: number, to: number): void {
  out.u8(to - from - 1)
  const codesAt = out.leave(3)
  out.u32(docs[from] ?? 0)
  let codes = writeDistances(out, docs, from, to)
  for (let field = 0; field < FIELDS_EACH; field++) {
    codes |= writeCounts(out, counts, { from, to, field }) << (2 + 3 * field)
  }
  out.set8(codesAt, codes)
  out.set8(codesAt + 1, codes >>> 8)
  out.set8(codesAt + 2, codes >>> 16)
}

/** Returns the bytes per distance; none if the pages follow each other. */
function writeDistances(out: Bytes, docs: Int32Array, from: number, to: number): number {
  let most = 1
  for (let at = from + 1; at < to; at++)
    most = Math.max(most, (docs[at] ?? 0) - (docs[at - 1] ?? 0))
  if (most === 1) return 0
  const width = most < 256 ? 1 : most < 65_536 ? 2 : 3
  for (let at = from + 1; at < to; at++) {
    const distance = (docs[at] ?? 0) - (docs[at - 1] ?? 0)
    if (width === 1) out.u8(distance)
    else if (width === 2) out.u16(distance)
    else out.u32(distance)
  }
  return width
}

function writeCounts(
  out: Bytes,
  counts: Uint16Array,
  { from, to, field }: { readonly from: number; readonly to: number; readonly field: number },
): number {
  let [most, least, some] = [0, MAX_COUNT, 0]
  for (let at = from; at < to; at++) {
    const count = counts[at * FIELDS_EACH + field] ?? 0
    if (count > most) most = count
    if (count < least) least = count
    if (count > 0) some++
  }
  if (most === 0) return ZERO
  if (most === 1 && least === 1) return ONE
  const width = most < 256 ? 1 : 2
  if (1 + 3 * some < width * (to - from)) {
    out.u8(some)
    for (let at = from; at < to; at++) {
      const count = counts[at * FIELDS_EACH + field] ?? 0
      if (count === 0) continue
      out.u8(at - from)
      out.u16(count)
    }
    return SPARSE
  }
  for (let at = from; at < to; at++) {
    const count = counts[at * FIELDS_EACH + field] ?? 0
    if (width === 1) out.u8(count)
    else out.u16(count)
  }
  return width === 1 ? BYTE : WORD
}

/** How often each field of the pages of a block has a term. */
export class FieldCounts {
  /** Per page, the fields that have it, as bits. */
  readonly fields = new Uint8Array(BLOCK)
  /** Per page, how often all pages of the block before it have the term. */
  readonly before = new Int32Array(BLOCK)
  readonly #counts = new Uint16Array(BLOCK * FIELDS_EACH)

  /** Only for a field that has it. */
  countOf(nth: number, field: number): number {
    return this.#counts[field * BLOCK + nth] ?? 0
  }

  clear(size: number): void {
    this.fields.fill(0, 0, size)
    this.before.fill(0, 0, size)
  }

  add(field: number, counted: Int32Array, size: number): void {
    const { fields, before } = this
    const [counts, first, bit] = [this.#counts, field * BLOCK, 1 << field]
    for (let nth = 0; nth < size; nth++) {
      const count = counted[nth] ?? 0
      if (count === 0) continue
      counts[first + nth] = count
      fields[nth] = (fields[nth] ?? 0) | bit
      before[nth] = (before[nth] ?? 0) + count
    }
  }

  /** After all fields. */
  sum(size: number): void {
    const { before } = this
    for (let [nth, sum] = [0, 0]; nth < size; nth++) {
      const own = before[nth] ?? 0
      before[nth] = sum
      sum += own
    }
  }
}

/** Decodes one block at a time. */
export class BlockReader {
  size = 0
  readonly docs = new Int32Array(BLOCK)
  /** How often each page has the term in its text, and the weight of the others. */
  readonly texts = new Int32Array(BLOCK)
  readonly heads = new Int32Array(BLOCK)
  /** Only after `readSome`. */
  readonly others = new Int32Array(BLOCK)
  /** Per page, as many as there are fields; only after `readAll`. */
  readonly counts = new Uint16Array(BLOCK * FIELDS_EACH)
  #codes = 0
  #at = 0

  /** The pages alone. */
  readDocs(bytes: Uint8Array, begin: number): void {
    const size = (bytes[begin] ?? 0) + 1
    const codes =
      (bytes[begin + 1] ?? 0) | ((bytes[begin + 2] ?? 0) << 8) | ((bytes[begin + 3] ?? 0) << 16)
    let doc =
      (bytes[begin + 4] ?? 0) |
      ((bytes[begin + 5] ?? 0) << 8) |
      ((bytes[begin + 6] ?? 0) << 16) |
      ((bytes[begin + 7] ?? 0) << 24)
    const { docs } = this
    docs[0] = doc
    let at = begin + BLOCK_HEAD
    const width = codes & 3
    if (width === 0) for (let nth = 1; nth < size; nth++) docs[nth] = ++doc
    else if (width === 1) {
      for (let nth = 1; nth < size; nth++) {
        doc += bytes[at++] ?? 0
        docs[nth] = doc
      }
    } else if (width === 2) {
      for (let nth = 1; nth < size; nth++, at += 2) {
        doc += (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
        docs[nth] = doc
      }
    } else {
      for (let nth = 1; nth < size; nth++, at += 4) {
        doc +=
          (bytes[at] ?? 0) |
          ((bytes[at + 1] ?? 0) << 8) |
          ((bytes[at + 2] ?? 0) << 16) |
          ((bytes[at + 3] ?? 0) << 24)
        docs[nth] = doc
      }
    }
    this.size = size
    this.#codes = codes >>> 2
    this.#at = at
  }

  /** The pages, and what the term weighs in them. */
  read(bytes: Uint8Array, begin: number): void {
    this.readDocs(bytes, begin)
    this.#readWeights(bytes)
  }

  /** What the term weighs, for whoever knows the pages. */
  readWeights(bytes: Uint8Array, begin: number): void {
    const size = (bytes[begin] ?? 0) + 1
    const codes =
      (bytes[begin + 1] ?? 0) | ((bytes[begin + 2] ?? 0) << 8) | ((bytes[begin + 3] ?? 0) << 16)
    const width = codes & 3
    this.size = size
    this.#codes = codes >>> 2
    this.#at = begin + BLOCK_HEAD + (size - 1) * (width === 3 ? 4 : width)
    this.#readWeights(bytes)
  }

  #readWeights(bytes: Uint8Array): void {
    const { size, texts, heads } = this
    texts.fill(0, 0, size)
    heads.fill(0, 0, size)
    this.#addTo(texts, bytes, { code: this.#codes & 7, weight: 1 })
    let codes = this.#codes >>> 3
    for (let field = 1; codes !== 0; field++, codes >>>= 3) {
      const code = codes & 7
      if (code !== ZERO) this.#addTo(heads, bytes, { code, weight: HEAD_OF[field] ?? 0 })
    }
  }

  /** The pages, and what the term weighs in some of their fields; `others` counts fields that weigh nothing. */
  readSome(bytes: Uint8Array, begin: number, wanted: readonly boolean[]): void {
    this.readDocs(bytes, begin)
    const { size, texts, heads, others } = this
    texts.fill(0, 0, size)
    heads.fill(0, 0, size)
    others.fill(0, 0, size)
    let codes = this.#codes
    for (let field = 0; codes !== 0; field++, codes >>>= 3) {
      const code = codes & 7
      if (code === ZERO) continue
      const weight = HEAD_OF[field] ?? 0
      if (wanted[field] !== true) this.#pass(bytes, code)
      else if (field === 0) this.#addTo(texts, bytes, { code, weight: 1 })
      else if (weight === 0) this.#addTo(others, bytes, { code, weight: 1 })
      else this.#addTo(heads, bytes, { code, weight })
    }
  }

  /** Where the block that was read ends, if all of it was. */
  get end(): number {
    return this.#at
  }

  #pass(bytes: Uint8Array, code: number): void {
    if (code === BYTE) this.#at += this.size
    else if (code === WORD) this.#at += 2 * this.size
    else if (code === SPARSE) this.#at += 1 + 3 * (bytes[this.#at] ?? 0)
  }

  /** The pages, and how often each of their fields has the term. */
  readAll(bytes: Uint8Array, begin: number): void {
    this.readDocs(bytes, begin)
    const { size, counts, texts } = this
    counts.fill(0, 0, size * FIELDS_EACH)
    let codes = this.#codes
    for (let field = 0; codes !== 0; field++, codes >>>= 3) {
      const code = codes & 7
      if (code === ZERO) continue
      texts.fill(0, 0, size)
      this.#addTo(texts, bytes, { code, weight: 1 })
      for (let nth = 0; nth < size; nth++) counts[nth * FIELDS_EACH + field] = texts[nth] ?? 0
    }
  }

  /** How often each field of the pages that `readDocs` read has the term. */
  readFields(bytes: Uint8Array, into: FieldCounts): void {
    const { size } = this
    into.clear(size)
    let codes = this.#codes
    for (let field = 0; codes !== 0; field++, codes >>>= 3) {
      const code = codes & 7
      if (code === ZERO) continue
      const { texts } = this
      texts.fill(0, 0, size)
      this.#addTo(texts, bytes, { code, weight: 1 })
      into.add(field, texts, size)
    }
    into.sum(size)
  }

  #addTo(
    sums: Int32Array,
    bytes: Uint8Array,
    { code, weight }: { readonly code: number; readonly weight: number },
  ): void {
    const { size } = this
    let at = this.#at
    if (code === ONE) {
      for (let nth = 0; nth < size; nth++) sums[nth] = (sums[nth] ?? 0) + weight
    } else if (code === BYTE) {
      for (let nth = 0; nth < size; nth++)
        sums[nth] = (sums[nth] ?? 0) + weight * (bytes[at++] ?? 0)
    } else if (code === WORD) {
      for (let nth = 0; nth < size; nth++, at += 2) {
        const count = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
        sums[nth] = (sums[nth] ?? 0) + weight * count
      }
    } else if (code === SPARSE) {
      const some = bytes[at++] ?? 0
      for (let nth = 0; nth < some; nth++, at += 3) {
        const place = bytes[at] ?? 0
        const count = (bytes[at + 1] ?? 0) | ((bytes[at + 2] ?? 0) << 8)
        sums[place] = (sums[place] ?? 0) + weight * count
      }
    }
    this.#at = at
  }
}

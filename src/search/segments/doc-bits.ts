// Sets of pages as bits, by their numbers: a million pages take 125 kB, and two sets are joined in a moment.

/** Pages that are looked at together. */
export const WINDOW = 1024
const BITS = 32

export type DocBits = Int32Array

/** An empty set of pages below `end`. */
export function noDocs(end: number): DocBits {
  return new Int32Array((Math.ceil(end / WINDOW) * WINDOW) / BITS)
}

export function allDocs(end: number): DocBits {
  const bits = noDocs(end)
  bits.fill(-1, 0, end >>> 5)
  if (end % BITS > 0) bits[end >>> 5] = (1 << (end & 31)) - 1
  return bits
}

/** The pages from `from` up to, not including, `to`, of those below `end`. */
export function docsBetween(from: number, to: number, end: number): DocBits {
  const bits = noDocs(end)
  bits.set(allDocs(to))
  const earlier = allDocs(from)
  for (let at = 0; at < earlier.length; at++) bits[at] = (bits[at] ?? 0) & ~(earlier[at] ?? 0)
  return bits
}

/** Adds the first `size` of some pages. */
export function addTo(bits: DocBits, docs: Int32Array, size: number): void {
  for (let nth = 0; nth < size; nth++) {
    const doc = docs[nth] ?? 0
    bits[doc >>> 5] = (bits[doc >>> 5] ?? 0) | (1 << (doc & 31))
  }
}

/** True if one is in it from a page to another. */
export function hasSome(bits: DocBits, from: number, to: number): boolean {
  if (to < from) return false
  const [first, last] = [from >>> 5, to >>> 5]
  const [head, tail] = [-1 << (from & 31), -1 >>> (31 - (to & 31))]
  if (first === last) return ((bits[first] ?? 0) & head & tail) !== 0
  if (((bits[first] ?? 0) & head) !== 0) return true
  for (let at = first + 1; at < last; at++) if (bits[at] !== 0) return true
  return ((bits[last] ?? 0) & tail) !== 0
}

/** True if all of `some` are in `bits`. */
export function isWithin(bits: DocBits, some: DocBits): boolean {
  for (let at = 0; at < some.length; at++) {
    if (((some[at] ?? 0) & ~(bits[at] ?? 0)) !== 0) return false
  }
  return true
}

/** The bits of a number that are set. */
export function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

export function countOf(bits: DocBits): number {
  let count = 0
  for (let at = 0; at < bits.length; at++) if (bits[at] !== 0) count += onesIn(bits[at] ?? 0)
  return count
}

/** In order. */
export function eachDoc(bits: DocBits, visit: (doc: number) => void): void {
  for (let at = 0; at < bits.length; at++) {
    for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) {
      visit(at * BITS + 31 - Math.clz32(word & -word))
    }
  }
}

const KEPT_BYTES = 16 * 1024 * 1024

/** Sets that are made once: the words that many pages have are asked for most often. */
export class KeptBits {
  readonly #kept = new Map<string, DocBits>()
  #bytes = 0

  get(name: string): DocBits | undefined {
    const bits = this.#kept.get(name)
    if (bits !== undefined && this.#kept.delete(name)) this.#kept.set(name, bits)
    return bits
  }

  keep(name: string, bits: DocBits): DocBits {
    this.#kept.set(name, bits)
    this.#bytes += bits.byteLength
    for (const [oldest, each] of this.#kept) {
      if (this.#bytes <= KEPT_BYTES || oldest === name) break
      this.#kept.delete(oldest)
      this.#bytes -= each.byteLength
    }
    return bits
  }
}

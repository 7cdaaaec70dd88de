// The terms of a segment, in order, in blocks of up to 64: their names, their numbers of pages, and the lengths
// of their postings, which follow each other. A block is found by its first term.
import { CrawlerError } from '../../core/errors.ts'
import { Bytes, u32At } from './bytes.ts'

const TERMS = 64

/** The order of terms as bytes: the one in which strings compare. */
export function termKey(term: string): Uint8Array {
  return Buffer.from(term, 'utf16le').swap16()
}

export class TermBlockWriter {
  readonly #names: string[] = []
  readonly #numbers = new Bytes()

  get isFull(): boolean {
    return this.#names.length === TERMS
  }

  get first(): string | null {
    return this.#names[0] ?? null
  }

  add(term: string, pages: number, bytes: number, positionBytes: number): void {
    this.#names.push(term)
    this.#numbers.varint(pages)
    this.#numbers.varint(bytes)
    this.#numbers.varint(positionBytes)
  }

  /** The block; the next one is empty. */
  take(): Uint8Array {
    const out = new Bytes()
    const names = Buffer.from(this.#names.join('\n'))
    out.u32(names.length)
    out.copy(names)
    out.copy(this.#numbers.done())
    this.#names.length = 0
    this.#numbers.clear()
    return out.done().slice()
  }
}

/** Where the postings of a term are, in the bytes of their segment. */
export type TermEntry = {
  readonly pages: number
  readonly at: number
  /** Entries and blocks. */
  readonly bytes: number
  /** They follow. */
  readonly positionBytes: number
}

export class TermBlock {
  readonly names: readonly string[]
  readonly #numbers: Float64Array
  readonly #ends: Float64Array

  /** `at`: where the postings of its first term begin. */
  constructor(bytes: Uint8Array, at: number) {
    const end = 4 + u32At(bytes, 0)
    if (bytes.length < 4 || end > bytes.length) throw damaged()
    this.names = Buffer.from(bytes.buffer, bytes.byteOffset + 4, end - 4)
      .toString()
      .split('\n')
    this.#numbers = numbersIn(bytes, end, this.names.length * 3)
    this.#ends = new Float64Array(this.names.length + 1)
    this.#ends[0] = at
    for (let nth = 0; nth < this.names.length; nth++) {
      const length = (this.#numbers[nth * 3 + 1] ?? 0) + (this.#numbers[nth * 3 + 2] ?? 0)
      this.#ends[nth + 1] = (this.#ends[nth] ?? 0) + length
    }
  }

  /** The place of the first term that is not before another; as many as there are if all are. */
  placeOf(term: string): number {
    let [low, high] = [0, this.names.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.names[middle] ?? '') < term) low = middle + 1
      else high = middle
    }
    return low
  }

  pagesAt(place: number): number {
    return this.#numbers[place * 3] ?? 0
  }

  entry(place: number): TermEntry {
    return {
      pages: this.#numbers[place * 3] ?? 0,
      at: this.#ends[place] ?? 0,
      bytes: this.#numbers[place * 3 + 1] ?? 0,
      positionBytes: this.#numbers[place * 3 + 2] ?? 0,
    }
  }
}

function numbersIn(bytes: Uint8Array, begin: number, count: number): Float64Array {
  const numbers = new Float64Array(count)
  let at = begin
  for (let nth = 0; nth < count; nth++) {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) throw damaged()
      value += (byte & 127) * factor
      if (byte < 128) break
      factor *= 128
    }
    numbers[nth] = value
  }
  return numbers
}

/** What an index says of itself does not fit. */
export class Damage extends Error {}

/** The index is then built again. */
export function damaged(): CrawlerError {
  const cause = new Damage('a segment does not fit its list of terms')
  return new CrawlerError('store-damaged', 'the search index is damaged', { cause })
}

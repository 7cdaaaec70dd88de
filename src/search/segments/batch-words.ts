// The words of a batch of pages, by term. Words are numbers here, in arrays: an object for each occurrence would
// cost more than all the rest.
import type { OwnField } from '../../core/search-field.ts'
import type { LinkWords } from '../link-texts.ts'
import { type Column, type PageColumns, STEMS_OF } from '../page-columns.ts'
import { type CommonWords, type CountedWord, makePair, NO_COMMON_WORDS } from './common-words.ts'
import { isJoined, isPairable, pairTerm, prefixTermOf } from './joined-terms.ts'
import { ANCHOR, FIELDS_EACH, MAX_COUNT, PAGE_FIELDS, PostingBuffer } from './postings.ts'
import type { SegmentWriter } from './segment-writer.ts'
import { sortedTerms } from './sorted-terms.ts'

/** In the place of a position: stems and prefixes have none. */
const NOWHERE = -1
/** Bits for the field beside the page. */
const FIELD_BITS = 3
/** Of a word: that no prefix stands for it. */
const NO_TERM = -1

/** Where no word is: above all levels. */
const NO_PAIRS = 1 << 16

export class BatchWords {
  readonly #numbers = new Map<string, number>()
  /** By the number of a word: that of its prefix, and with what it makes pairs; of words that came so far. */
  readonly #prefixes: (number | undefined)[] = []
  readonly #pairings: (number | undefined)[] = []
  readonly #common: CommonWords
  #size = 0
  #terms = new Int32Array(1 << 16)
  /** Page and field of each occurrence. */
  #where = new Int32Array(1 << 16)
  #places = new Int32Array(1 << 16)
  readonly #docs: number[] = []

  /** `common`: words whose pairs are terms, beside stop words and short ones. */
  constructor(common: CommonWords = NO_COMMON_WORDS) {
    this.#common = common
  }

  /** Pages come in the order of their numbers. Returns the number of words and stems. */
  add(doc: number, columns: PageColumns): number {
    const page = this.#docs.push(doc) - 1
    let length = 0
    for (const [field, name] of PAGE_FIELDS.entries()) {
      const where = (page << FIELD_BITS) | field
      length += this.#addWords(where, columns[name])
      const stems = stemsOf(name)
      if (stems !== undefined) length += this.#addStems(where, columns[stems])
    }
    return length
  }

  /** What links say about a page. */
  addLinks(doc: number, { words, stems }: LinkWords): void {
    const where = ((this.#docs.push(doc) - 1) << FIELD_BITS) | ANCHOR
    this.#addWords(where, words)
    this.#addStems(where, stems)
  }

  writeTo(writer: SegmentWriter): void {
    const starts = this.#startsByTerm()
    const sorted = this.#sortedBy(starts)
    const postings = new PostingBuffer()
    for (const term of sortedTerms([...this.#numbers.keys()])) {
      const number = this.#numbers.get(term) ?? 0
      postings.clear()
      this.#collect(postings, sorted, starts[number] ?? 0, starts[number + 1] ?? 0)
      writer.add(term, postings)
    }
  }

  /** Words, not stems, and how many pages have them. */
  counted(): CountedWord[] {
    const [terms, wheres, size] = [this.#terms, this.#where, this.#size]
    const pages = new Int32Array(this.#numbers.size)
    const last = new Int32Array(this.#numbers.size).fill(-1)
    for (let at = 0; at < size; at++) {
      const [term, page] = [terms[at] ?? 0, (wheres[at] ?? 0) >> FIELD_BITS]
      if (last[term] === page) continue
      last[term] = page
      pages[term] = (pages[term] ?? 0) + 1
    }
    return [...this.#numbers]
      .filter(([term]) => !term.includes('_') && !isJoined(term))
      .map(([word, number]) => ({ word, pages: pages[number] ?? 0 }))
  }

  /** Adds words, with their prefixes and the pairs of common ones; returns how many words there are. */
  #addWords(where: number, words: readonly string[]): number {
    this.#makeRoom(3 * words.length)
    let [count, before, earlier] = [0, '', NO_PAIRS]
    for (let nth = 0; nth < words.length; nth++) {
      const word = words[nth] ?? ''
      if (word === '') {
        earlier = NO_PAIRS
        continue
      }
      count++
      const number = this.#numberOf(word)
      this.#push(number, where, nth)
      const prefix = this.#prefixOf(number, word)
      if (prefix !== NO_TERM) this.#push(prefix, where, NOWHERE)
      const pairing = this.#pairingOf(number, word)
      if (arePaired(earlier, pairing)) {
        this.#push(this.#numberOf(pairTerm(before, word)), where, nth - 1)
      }
      before = word
      earlier = pairing
    }
    return count
  }

  #addStems(where: number, stems: readonly string[]): number {
    this.#makeRoom(stems.length)
    const before = this.#size
    for (const stem of stems) if (stem !== '') this.#push(this.#numberOf(stem), where, NOWHERE)
    return this.#size - before
  }

  #push(term: number, where: number, place: number): void {
    const at = this.#size++
    this.#terms[at] = term
    this.#where[at] = where
    this.#places[at] = place
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(term, number)
    this.#prefixes.push(undefined)
    this.#pairings.push(undefined)
    return number
  }

  #prefixOf(number: number, word: string): number {
    const known = this.#prefixes[number]
    if (known !== undefined) return known
    const term = prefixTermOf(word)
    const prefix = term === null ? NO_TERM : this.#numberOf(term)
    this.#prefixes[number] = prefix
    return prefix
  }

  #pairingOf(number: number, word: string): number {
    const known = this.#pairings[number]
    if (known !== undefined) return known
    const pairing = (this.#common.levelOf(word) << 1) | Number(isPairable(word))
    this.#pairings[number] = pairing
    return pairing
  }

  #startsByTerm(): Int32Array {
    const [terms, size] = [this.#terms, this.#size]
    const starts = new Int32Array(this.#numbers.size + 1)
    for (let at = 0; at < size; at++) {
      const next = (terms[at] ?? 0) + 1
      starts[next] = (starts[next] ?? 0) + 1
    }
    for (let at = 1; at < starts.length; at++)
      starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
    return starts
  }

  /** All occurrences by term; those of a term in the order in which they came. */
  #sortedBy(starts: Int32Array): Int32Array {
    const [terms, size] = [this.#terms, this.#size]
    const next = starts.slice()
    const sorted = new Int32Array(size)
    for (let at = 0; at < size; at++) {
      const term = terms[at] ?? 0
      const place = next[term] ?? 0
      sorted[place] = at
      next[term] = place + 1
    }
    return sorted
  }

  /** Adds the occurrences of one term, which are from one place to another in `sorted`. */
  #collect(postings: PostingBuffer, sorted: Int32Array, from: number, to: number): void {
    const [wheres, places, docs] = [this.#where, this.#places, this.#docs]
    const { positions } = postings
    let [before, posting, last] = [-1, -1, 0]
    for (let nth = from; nth < to; nth++) {
      const at = sorted[nth] ?? 0
      const where = wheres[at] ?? 0
      if (where !== before) {
        if (where >> FIELD_BITS !== before >> FIELD_BITS || before < 0) {
          posting = postings.add(docs[where >> FIELD_BITS] ?? 0)
        }
        before = where
        last = 0
      }
      const count = posting * FIELDS_EACH + (where & ((1 << FIELD_BITS) - 1))
      const known = postings.counts[count] ?? 0
      if (known === MAX_COUNT) continue
      postings.counts[count] = known + 1
      const place = places[at] ?? 0
      if (place === NOWHERE) continue
      positions.varint(place - last)
      last = place
      postings.ends[posting] = positions.length
    }
  }

  #makeRoom(more: number): void {
    if (this.#size + more <= this.#terms.length) return
    const length = Math.max(this.#size + more, this.#terms.length * 2)
    const larger = (numbers: Int32Array) => {
      const all = new Int32Array(length)
      all.set(numbers)
      return all
    }
    this.#terms = larger(this.#terms)
    this.#where = larger(this.#where)
    this.#places = larger(this.#places)
  }
}

/** Both are the level of a word, with a lowest bit that says whether it is a stop word or a short one. */
function arePaired(one: number, other: number): boolean {
  return (one & other & 1) === 1 || makePair(one >> 1, other >> 1)
}

function stemsOf(field: OwnField): Column | undefined {
  return STEMS_OF[field]
}

// The pages that have words in a row. Only pages that have all the words are looked at, and positions are read
// only where such a page is: first those of the rarest word, then of each other one as far as they may matter.
import type { Field } from '../../core/search-field.ts'
import type { IndexView } from './index-view.ts'
import { isPairable, pairTerm } from './joined-terms.ts'
import { END, ListWalk } from './list-walk.ts'
import { fieldSet, worthIn } from './made-lists.ts'
import { BlockReader, FIELDS_EACH, HEAD_OF } from './postings.ts'
import { findTerm, MadePostings, StoredPostings } from './postings-list.ts'
import { termsWith } from './terms-with.ts'

/** The most words with a prefix that are looked up at the end of a phrase: the most common ones. */
const MAX_PREFIXED = 200

export type Phrase = {
  readonly words: readonly string[]
  /** The last word is a prefix. */
  readonly prefix: boolean
  readonly fields: readonly Field[] | null
}

export function phraseOf(view: IndexView, phrase: Phrase): MadePostings {
  const made = new MadePostings()
  const wanted = fieldSet(phrase.fields).has.reduce(
    (mask, has, field) => mask | (Number(has) << field),
    0,
  )
  const places = placesOf(view, phrase).sort((a, b) => a.pages - b.pages)
  const starts = new Starts()
  for (let doc = 0; ; doc++) {
    doc = commonFrom(places, doc)
    if (doc === END) break
    let mask = wanted
    for (let at = 0; at < places.length; at++) mask &= places[at]?.load(doc) ?? 0
    let [text, head, some] = [0, 0, 0]
    for (let field = 0; mask !== 0; field++, mask >>>= 1) {
      if ((mask & 1) === 0) continue
      const count = inARow(places, field, starts)
      if (count === 0) continue
      some += count
      if (field === 0) text = count
      else head += count * (HEAD_OF[field] ?? 0)
    }
    if (some > 0) made.add(doc, text, head)
  }
  return made.done(worthIn(view))
}

/** Two common words in a row are one place: all pages have both, but few have them together. */
function placesOf(view: IndexView, { words, prefix }: Phrase): PhrasePlace[] {
  const last = words.length - 1
  const pairs = (at: number) => at >= 0 && !(prefix && at === last) && isPairable(words[at] ?? '')
  const places: PhrasePlace[] = []
  const addTerm = (term: string, offset: number) =>
    places.push(new OneWord(new StoredPostings(view, findTerm(view, term)), offset))
  for (let at = 0; at <= last; at++) {
    const [word = '', next = ''] = [words[at], words[at + 1]]
    if (pairs(at) && at < last && pairs(at + 1)) addTerm(pairTerm(word, next), at++)
    // The word before is in a pair already; this one makes another with it.
    else if (pairs(at) && pairs(at - 1)) addTerm(pairTerm(words[at - 1] ?? '', word), at - 1)
    else if (prefix && at === last) {
      const terms = termsWith(view, word, MAX_PREFIXED)
      const words = terms.map((each) => new OneWord(new StoredPostings(view, each), at))
      places.push(new SomeWords(words))
    } else addTerm(word, at)
  }
  return places
}

/** The first page from one on that all have. */
function commonFrom(places: readonly PhrasePlace[], from: number): number {
  let doc = from
  for (let at = 0; at < places.length; ) {
    const next = places[at]?.nextFrom(doc) ?? END
    if (next === END) return END
    // The first word has to have this one, too.
    if (next > doc && at > 0) at = 0
    else at++
    doc = next
  }
  return doc
}

/** How often the words follow each other in a field of the page that was loaded. */
function inARow(places: readonly PhrasePlace[], field: number, starts: Starts): number {
  starts.size = 0
  places[0]?.startsIn(field, starts)
  for (let at = 1; at < places.length && starts.size > 0; at++) places[at]?.keepIn(field, starts)
  return starts.size
}

/** Where a phrase may begin in a field, in order. */
class Starts {
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
interface PhrasePlace {
  readonly pages: number
  /** The first page from one on that has a word for this place. */
  nextFrom(doc: number): number
  /** Moves to a page that was asked for last. Returns the fields that have such a word there, as bits. */
  load(doc: number): number
  /** Adds where the phrase begins if the word is in this place. */
  startsIn(field: number, starts: Starts): void
  /** Keeps those after which the word is in this place. */
  keepIn(field: number, starts: Starts): void
}

class OneWord implements PhrasePlace {
  readonly pages: number
  /** Words of the phrase before this one. */
  readonly #offset: number
  readonly #walk: ListWalk<StoredPostings>
  readonly #reader = new BlockReader()
  #block = -1
  #bytes: Uint8Array = new Uint8Array(0)
  /** The page whose positions were found last, by its place in the block, and where they begin. */
  #nth = 0
  #begin = 0

  constructor(postings: StoredPostings, offset: number) {
    this.pages = postings.pages
    this.#offset = offset
    this.#walk = new ListWalk(postings, { withWeights: false })
  }

  nextFrom(doc: number): number {
    return this.#walk.nextFrom(doc)
  }

  load(doc: number): number {
    const walk = this.#walk
    if (walk.reader.docs[walk.at] !== doc) return 0
    if (this.#block !== walk.block) {
      walk.postings.readAll(walk.block, this.#reader)
      this.#bytes = walk.postings.positionsOf(walk.block)
      this.#block = walk.block
      this.#nth = 0
      this.#begin = 0
    }
    const { counts } = this.#reader
    const first = walk.at * FIELDS_EACH
    let mask = 0
    for (let field = 0; field < FIELDS_EACH; field++) {
      if ((counts[first + field] ?? 0) > 0) mask |= 1 << field
    }
    return mask
  }

  startsIn(field: number, starts: Starts): void {
    const [bytes, offset] = [this.#bytes, this.#offset]
    let at = this.#positionsOf(field)
    let left = this.#reader.counts[this.#nth * FIELDS_EACH + field] ?? 0
    for (let position = -offset; left > 0; left--) {
      let byte = bytes[at++] ?? 0
      position += byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        position += (byte & 127) << shift
      }
      if (position >= 0) starts.add(position)
    }
  }

  keepIn(field: number, starts: Starts): void {
    const [bytes, offset, { positions, size }] = [this.#bytes, this.#offset, starts]
    let at = this.#positionsOf(field)
    let left = this.#reader.counts[this.#nth * FIELDS_EACH + field] ?? 0
    let [kept, nth, start] = [0, 0, positions[0] ?? 0]
    for (let position = -offset; left > 0; left--) {
      let byte = bytes[at++] ?? 0
      position += byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        position += (byte & 127) << shift
      }
      while (start < position && ++nth < size) start = positions[nth] ?? 0
      if (nth >= size) break
      if (start === position) positions[kept++] = start
    }
    starts.size = kept
  }

  /** Where the positions in a field of the loaded page begin. */
  #positionsOf(field: number): number {
    const nth = this.#walk.at
    if (this.#nth < nth) {
      this.#begin = this.#after(this.#begin, this.#nth * FIELDS_EACH, nth * FIELDS_EACH)
      this.#nth = nth
    }
    const first = nth * FIELDS_EACH
    return field === 0 ? this.#begin : this.#after(this.#begin, first, first + field)
  }

  /** Passes over the positions of some counts. */
  #after(begin: number, from: number, to: number): number {
    const [{ counts }, bytes] = [this.#reader, this.#bytes]
    let left = 0
    for (let at = from; at < to; at++) left += counts[at] ?? 0
    let at = begin
    for (; left > 0; at++) if ((bytes[at] ?? 0) < 128) left--
    return at
  }
}

/** Words with the same prefix. */
class SomeWords implements PhrasePlace {
  readonly pages: number
  readonly #words: readonly OneWord[]
  /** Those that the loaded page has. */
  #loaded: OneWord[] = []

  constructor(words: readonly OneWord[]) {
    this.#words = words
    this.pages = words.reduce((sum, { pages }) => sum + pages, 0)
  }

  nextFrom(doc: number): number {
    let next = END
    for (const word of this.#words) next = Math.min(next, word.nextFrom(doc))
    return next
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

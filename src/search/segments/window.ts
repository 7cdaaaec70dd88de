// Scores the pages that match a query, in windows of 1,024. In each window the lists of the query add their scores to an
// array, list by list: a page needs no object and no call. The rarest words come first. A page that cannot be one
// of the best any more is passed over, and blocks without a page that is left are not read.
import { type Norm, worthOf } from './bm25.ts'
import { addTo, countOf, type DocBits, hasSome, isWithin, onesIn, WINDOW } from './doc-bits.ts'
import { COLUMN_PIECE } from './doc-columns.ts'
import type { IndexView } from './index-view.ts'
import { LinkWalk } from './link-list.ts'
import { END, ListWalk } from './list-walk.ts'
import { rarestFirst, type ScoredList, type Wanted } from './matching-docs.ts'

/** The lists of one term. */
type Walks = readonly {
  readonly walk: ListWalk
  /** All pages of the list, if they are many. */
  readonly bits: DocBits | null
  readonly links: LinkWalk | null
  readonly idf: number
}[]

export type Scoring = {
  readonly norm: Norm
  readonly rankWeight: number
}

/** Sums of bounds are rounded, and must not be too low. */
const ROUNDED = 1 + 1e-9

export class ScoredWindows {
  /** The first page of the window. */
  base = -WINDOW
  /** The pages of the window that may be among the best, as bits, and their scores. */
  readonly left: DocBits = new Int32Array(WINDOW / 32)
  readonly scores = new Float64Array(WINDOW)
  readonly #view: IndexView
  readonly #docs: DocBits
  readonly #norm: Norm
  readonly #rankWeight: number
  readonly #terms: readonly Walks[]
  /** By term: the most that it and all after it may add in the window. */
  readonly #rests: Float64Array
  /** Pages that no earlier list of the same term has, and those that the present one has. */
  readonly #open: DocBits = new Int32Array(WINDOW / 32)
  readonly #counted: DocBits = new Int32Array(WINDOW / 32)
  /** The standings of the pages, from this place on. */
  #standings: Float64Array = new Float64Array(0)
  #lengths: Uint32Array = new Uint32Array(0)
  #offset = 0
  /** The pages between which some are left, as places in the window. */
  #low = 0
  #high = 0

  /** `docs`: the pages that match. */
  constructor(
    view: IndexView,
    { groups, light }: Wanted,
    docs: DocBits,
    { norm, rankWeight }: Scoring,
  ) {
    this.#view = view
    this.#docs = docs
    this.#norm = norm
    this.#rankWeight = rankWeight
    const looked = countOf(docs)
    this.#terms = [...rarestFirst(groups).flat(), ...light].map(({ lists }) =>
      countingLists(lists, looked).map((list) => walksOf(list, looked)),
    )
    this.#rests = new Float64Array(this.#terms.length + 1)
  }

  /** Moves to the next window in which a page may score `least`; false if there is none. */
  next(least: number): boolean {
    const { end } = this.#view
    for (let base = this.base + WINDOW; base < end; base += WINDOW) {
      if (!hasSome(this.#docs, base, base + WINDOW - 1)) continue
      this.base = base
      if (this.#fill(least)) return true
    }
    return false
  }

  /** What the standing of a page multiplies its score by. */
  factorOf(place: number): number {
    return 1 + this.#rankWeight * (this.#standings[this.#offset + place] ?? 0)
  }

  /** True if some page is left. */
  #fill(least: number): boolean {
    const { base, left } = this
    const piece = Math.floor(base / COLUMN_PIECE)
    this.#standings = this.#view.columns.piece('standing', piece)
    this.#lengths = this.#view.columns.piece('length', piece)
    this.#offset = base % COLUMN_PIECE
    left.set(this.#docs.subarray(base >>> 5, (base + WINDOW) >>> 5))
    const isBounded = least > 0
    if (isBounded) {
      this.#bound()
      const highest = 1 + this.#rankWeight * highestIn(this.#standings, this.#offset)
      if ((this.#rests[0] ?? 0) * highest * ROUNDED < least) return false
    }
    this.#narrow()
    this.scores.fill(0)
    for (const [nth, term] of this.#terms.entries()) {
      this.#addTerm(term)
      if (isBounded && !this.#prune(least, this.#rests[nth + 1] ?? 0)) return false
    }
    return true
  }

  /** What each term may add, without decoding anything. */
  #bound(): void {
    const { base } = this
    const [last, rests] = [base + WINDOW - 1, this.#rests]
    // Blocks tell their worth by the highest share of the head.
    const mostOwn = 1 + this.#norm.headShare
    for (let nth = this.#terms.length - 1; nth >= 0; nth--) {
      let most = 0
      for (const { walk, links, idf } of this.#terms[nth] ?? []) {
        const said = links?.mostIn(base, last) ?? 0
        most = Math.max(most, idf * (Math.min(mostOwn, walk.mostIn(base, last)) + said))
      }
      rests[nth] = most + (rests[nth + 1] ?? 0)
    }
  }

  /** Pages that cannot score `least`, with `rest` to come, are left out; false if none is left. */
  #prune(least: number, rest: number): boolean {
    const { left, scores } = this
    const slack = rest > 0 ? ROUNDED : 1
    let some = 0
    for (let at = 0; at < left.length; at++) {
      let kept = left[at] ?? 0
      for (let word = kept; word !== 0; word &= word - 1) {
        const bit = word & -word
        const place = at * 32 + 31 - Math.clz32(bit)
        const most = ((scores[place] ?? 0) + rest) * this.factorOf(place) * slack
        if (most < least) kept ^= bit
      }
      left[at] = kept
      some |= kept
    }
    if (some === 0) return false
    this.#narrow()
    return true
  }

  #narrow(): void {
    const { left } = this
    let [first, last] = [0, left.length - 1]
    while (first < last && left[first] === 0) first++
    while (last > first && left[last] === 0) last--
    this.#low = first * 32
    this.#high = last * 32 + 31
  }

  #addTerm(walks: Walks): void {
    const [open, counted] = [this.#open, this.#counted]
    open.set(this.left)
    for (const each of walks) {
      counted.fill(0)
      if (each.bits === null) this.#addFew(each)
      else this.#addMany(each, each.bits)
      if (each.links !== null) this.#addLinks(each.links, each.idf)
      let some = 0
      for (let at = 0; at < open.length; at++) {
        open[at] = (open[at] ?? 0) & ~(counted[at] ?? 0)
        some |= open[at] ?? 0
      }
      if (some === 0) return
    }
  }

  #addFew({ walk, idf }: Walks[number]): void {
    const { base, scores } = this
    const [open, counted] = [this.#open, this.#counted]
    const [lengths, offset] = [this.#lengths, this.#offset]
    const { fixed, perWord, headShare } = this.#norm
    const [first, last] = [base + this.#low, base + this.#high]
    const { docs, texts, heads } = walk.reader
    while (walk.toBlock(first)) {
      const end = walk.lastOf
      if (hasSome(open, Math.max(walk.firstOf, first) - base, Math.min(end, last) - base)) {
        walk.decode()
        const { size } = walk.reader
        let { at } = walk
        while (at < size && (docs[at] ?? 0) < first) at++
        for (; at < size; at++) {
          const place = (docs[at] ?? 0) - base
          if (place >= WINDOW) break
          const bit = 1 << (place & 31)
          if (((open[place >>> 5] ?? 0) & bit) === 0) continue
          counted[place >>> 5] = (counted[place >>> 5] ?? 0) | bit
          const length = fixed + perWord * (lengths[offset + place] ?? 0)
          const worth = worthOf(texts[at] ?? 0, heads[at] ?? 0, length, headShare)
          scores[place] = (scores[place] ?? 0) + idf * worth
        }
        walk.at = at
      }
      if (end >= base + WINDOW) break
      walk.skip()
    }
  }

  /** The same for a list whose pages are known: only what it weighs is read. */
  #addMany({ walk, idf }: Walks[number], bits: DocBits): void {
    const [base, open] = [this.base, this.#open]
    const [first, last] = [base + this.#low, base + this.#high]
    while (walk.toBlock(first)) {
      const end = walk.lastOf
      if (hasSome(open, Math.max(walk.firstOf, first) - base, Math.min(end, last) - base)) {
        walk.decode()
        this.#addBlock(walk, idf, bits)
      }
      if (end >= base + WINDOW) break
      walk.skip()
    }
  }

  #addBlock({ firstOf, lastOf, reader }: ListWalk, idf: number, bits: DocBits): void {
    const { base, scores } = this
    const [open, counted] = [this.#open, this.#counted]
    const [lengths, offset, { texts, heads }] = [this.#lengths, this.#offset, reader]
    const { fixed, perWord, headShare } = this.#norm
    const end = Math.min(lastOf, base + this.#high) >>> 5
    const before = base >>> 5
    // Pages of the block before the present word.
    let passed = 0
    for (let at = firstOf >>> 5; at <= end; at++) {
      let having = bits[at] ?? 0
      if (at === firstOf >>> 5) having &= -1 << (firstOf & 31)
      if (having === 0) continue
      let word = at < before ? 0 : having & (open[at - before] ?? 0)
      if (at === lastOf >>> 5) word &= -1 >>> (31 - (lastOf & 31))
      if (word !== 0) counted[at - before] = (counted[at - before] ?? 0) | word
      for (; word !== 0; word &= word - 1) {
        const bit = word & -word
        const place = (at - before) * 32 + 31 - Math.clz32(bit)
        const nth = passed + onesIn(having & (bit - 1))
        const length = fixed + perWord * (lengths[offset + place] ?? 0)
        const worth = worthOf(texts[nth] ?? 0, heads[nth] ?? 0, length, headShare)
        scores[place] = (scores[place] ?? 0) + idf * worth
      }
      passed += onesIn(having)
    }
  }

  /** What links say is added to what the page says by the same list. */
  #addLinks(walk: LinkWalk, idf: number): void {
    const { base, scores } = this
    const [open, counted] = [this.#open, this.#counted]
    const { docs, worths } = walk.list
    walk.nextFrom(base + this.#low, END)
    let { at } = walk
    for (; at < docs.length; at++) {
      const place = (docs[at] ?? 0) - base
      if (place >= WINDOW) break
      const bit = 1 << (place & 31)
      if (((open[place >>> 5] ?? 0) & bit) === 0) continue
      counted[place >>> 5] = (counted[place >>> 5] ?? 0) | bit
      scores[place] = (scores[place] ?? 0) + idf * (worths[at] ?? 0)
    }
    walk.at = at
  }
}

/** `looked`: so many pages are looked up. */
function walksOf({ postings, links, idf }: ScoredList, looked: number): Walks[number] {
  const bits = postings.bitsFor(looked)
  return {
    walk: new ListWalk(postings, bits === null ? 'both' : 'weights'),
    bits,
    links: links.docs.length > 0 ? new LinkWalk(links) : null,
    idf,
  }
}

/** Without lists whose pages all count by an earlier one: mostly, those of a word whose stem is looked up, too. */
function countingLists(lists: readonly ScoredList[], looked: number): readonly ScoredList[] {
  const [first] = lists
  if (first === undefined || lists.length === 1) return lists
  const bits = first.postings.bitsFor(looked)
  if (bits === null) return lists
  const known = bits.slice()
  addTo(known, first.links.docs, first.links.docs.length)
  return lists.filter(({ postings, links }, nth) => {
    if (nth === 0) return true
    const own = postings.bitsFor(looked)
    if (own === null || !isWithin(known, own)) return true
    return links.docs.some((doc) => !hasSome(known, doc, doc))
  })
}

/** The highest value of a window, kept by piece. */
function highestIn(values: Float64Array, offset: number): number {
  let known = HIGHEST.get(values)
  if (known === undefined) {
    known = new Float64Array(COLUMN_PIECE / WINDOW)
    for (let at = 0; at < values.length; at++) {
      const window = Math.floor(at / WINDOW)
      known[window] = Math.max(known[window] ?? 0, values[at] ?? 0)
    }
    HIGHEST.set(values, known)
  }
  return known[offset / WINDOW] ?? 0
}

const HIGHEST = new WeakMap<Float64Array, Float64Array>()

// Looks through the pages in windows of 1,024. In each window the lists of a query add their scores to arrays,
// list by list: a page needs no object and no call. Lists are ordered so that few pages are left early, and the
// later ones are read only where pages are left. A window whose blocks cannot be worth enough is passed over.
import { type Norm, worthOf } from './bm25.ts'
import { COLUMN_PIECE } from './doc-columns.ts'
import type { Filter } from './filter.ts'
import type { IndexView } from './index-view.ts'
import { type LinkList, LinkWalk } from './link-list.ts'
import { END, ListWalk } from './list-walk.ts'
import type { BlockReader } from './postings.ts'
import type { Postings } from './postings-list.ts'

export const WINDOW = 1024
const OUT = 0xffff

/** A page counts by the first of these lists that has it. */
export type Alternatives = {
  readonly lists: readonly ScoredList[]
}
export type ScoredList = {
  readonly postings: Postings
  /** Pages about which links say the same; what that is worth is added. */
  readonly links: LinkList
  readonly idf: number
}
/** A page must be in one of them. */
type Group = readonly Alternatives[]

export type Wanted = {
  /** A page must match all of them. */
  readonly groups: readonly Group[]
  /** Pages that match get a score for them, too. */
  readonly light: Group
  readonly none: readonly Postings[]
  readonly filter: Filter
}

type Walks = readonly {
  readonly walk: ListWalk
  readonly links: LinkWalk | null
  readonly idf: number
}[]

export class WindowWalk {
  /** The first page of the window. */
  base = 0
  /** Of each page in the window; only those that `matches`. */
  readonly scores = new Float64Array(WINDOW)
  /** The pages between which matches are, as places in the window. */
  low = 0
  high = 0
  readonly #view: IndexView
  readonly #norm: Norm | null
  readonly #groups: readonly (readonly Walks[])[]
  readonly #light: readonly Walks[]
  readonly #none: readonly ListWalk[]
  readonly #filter: Filter
  /** True if no page went, and none is left out. */
  readonly #isOpen: boolean
  /** How many groups a page has matched so far. */
  readonly #stages = new Uint16Array(WINDOW)
  /** By which list a page was counted last. */
  readonly #countedBy = new Uint16Array(WINDOW)

  /** Without `norm`, pages get no scores. */
  constructor(view: IndexView, { groups, light, none, filter }: Wanted, norm: Norm | null) {
    this.#view = view
    this.#norm = norm
    this.#filter = filter
    this.#isOpen = filter.isOpen && view.gone === 0
    const withWeights = norm !== null
    const rarestFirst = groups.toSorted((a, b) => pagesOf(a) - pagesOf(b))
    const walksOf = ({ lists }: Alternatives) =>
      lists.map(({ postings, links, idf }) => ({
        walk: new ListWalk(postings, { withWeights }),
        links: links.docs.length > 0 ? new LinkWalk(links) : null,
        idf,
      }))
    this.#groups = rarestFirst.map((group) => group.map(walksOf))
    this.#light = withWeights ? light.map(walksOf) : []
    this.#none = none.map((postings) => new ListWalk(postings, { withWeights: false }))
  }

  /** Moves to the first window from a page on that may have a match; false if there is none. */
  moveTo(doc: number): boolean {
    const [first] = this.#groups
    let next = doc
    if (first !== undefined) {
      next = END
      for (const walks of first)
        for (const { walk, links } of walks) {
          next = Math.min(next, walk.nextFrom(doc))
          if (links !== null) next = Math.min(next, links.nextFrom(doc, END))
        }
    }
    if (next >= this.#view.end) return false
    this.base = next - (next % WINDOW)
    return true
  }

  /** The most that a page of the window scores, but for its rank. */
  most(): number {
    // Blocks tell their worth by the highest share of the head.
    const mostOwn = 1 + (this.#norm?.headShare ?? 0)
    let sum = 0
    for (const group of [...this.#groups, this.#light]) {
      for (const walks of group) {
        let most = 0
        for (const { walk, links, idf } of walks) {
          const last = this.base + WINDOW - 1
          const said = links?.mostIn(this.base, last) ?? 0
          most = Math.max(most, idf * (Math.min(mostOwn, walk.mostIn(this.base, last)) + said))
        }
        sum += most
      }
    }
    return sum
  }

  /** Finds the matches of the window. */
  fill(): void {
    this.#stages.fill(0)
    this.#countedBy.fill(0)
    if (this.#norm !== null) this.scores.fill(0)
    this.low = 0
    this.high = Math.min(WINDOW, this.#view.end - this.base) - 1
    let list = 0
    for (const [stage, group] of this.#groups.entries()) {
      const [from, to] = [this.low, this.high]
      this.low = WINDOW
      this.high = -1
      list = this.#addGroup(group, { stage, next: stage + 1, list, from, to })
      if (this.high < this.low) return
    }
    const [from, to, stage] = [this.low, this.high, this.#groups.length]
    this.#addGroup(this.#light, { stage, next: stage, list, from, to })
    for (const walk of this.#none) this.#exclude(walk)
  }

  /** `list`: the number of the list before; returns that of the last one. */
  #addGroup(group: readonly Walks[], { list: before, ...where }: Omit<Within, 'first'>): number {
    let list = before
    for (const walks of group) {
      const first = list + 1
      const isOnce = where.next > where.stage || walks.length === 1
      const isAlone = group.length === 1 && isOnce && walks.every(({ links }) => links === null)
      for (const each of walks) {
        const within = { ...where, list: ++list, first }
        if (isAlone) this.#addAlone(each, within)
        else this.#add(each, within)
        if (each.links !== null) this.#addLinks(each.links, each.idf, within)
      }
    }
    return list
  }

  /** True if the page at a place of the window is a match. */
  matches(place: number): boolean {
    if (this.#stages[place] !== this.#groups.length) return false
    return this.#isOpen || this.#filter.allows(this.base + place)
  }

  /** The number of matches in the window. */
  count(): number {
    let count = 0
    for (let place = this.low; place <= this.high; place++) if (this.matches(place)) count++
    return count
  }

  /** As below, where a page that was counted in this stage is not counted again. Most lists are like that. */
  #addAlone({ walk, idf }: Walks[number], { stage, next, from, to }: Within): void {
    const { base } = this
    const { docs } = walk.reader
    while (walk.toBlock(base + from)) {
      walk.decode()
      const { size } = walk.reader
      let { at } = walk
      while (at < size && (docs[at] ?? 0) < base + from) at++
      let end = size
      while (end > at && (docs[end - 1] ?? 0) > base + to) end--
      if (this.#norm === null) this.#mark(walk.reader, { stage, next, at, end })
      else this.#score(walk.reader, { stage, next, at, end }, idf, this.#norm)
      walk.at = end
      if (end < size) break
      walk.skip()
    }
  }

  #mark({ docs }: BlockReader, { stage, next, at, end }: Part): void {
    const [base, stages] = [this.base, this.#stages]
    let { low, high } = this
    for (let nth = at; nth < end; nth++) {
      const place = (docs[nth] ?? 0) - base
      if (stages[place] !== stage) continue
      stages[place] = next
      if (place < low) low = place
      if (place > high) high = place
    }
    this.low = low
    this.high = high
  }

  #score(reader: BlockReader, { stage, next, at, end }: Part, idf: number, norm: Norm): void {
    const { docs, texts, heads } = reader
    const [base, stages, scores] = [this.base, this.#stages, this.scores]
    const lengths = this.#view.columns.piece('length', Math.floor(base / COLUMN_PIECE))
    const offset = base % COLUMN_PIECE
    const { fixed, perWord, headShare } = norm
    let { low, high } = this
    for (let nth = at; nth < end; nth++) {
      const place = (docs[nth] ?? 0) - base
      if (stages[place] !== stage) continue
      stages[place] = next
      if (place < low) low = place
      if (place > high) high = place
      const length = fixed + perWord * (lengths[offset + place] ?? 0)
      const worth = worthOf(texts[nth] ?? 0, heads[nth] ?? 0, length, headShare)
      scores[place] = (scores[place] ?? 0) + idf * worth
    }
    this.low = low
    this.high = high
  }

  #add({ walk, idf }: Walks[number], { stage, next, list, first, from, to }: Within): void {
    const { base, scores } = this
    const [stages, countedBy, norm] = [this.#stages, this.#countedBy, this.#norm]
    const { docs, texts, heads } = walk.reader
    const piece = Math.floor(base / COLUMN_PIECE)
    const lengths = norm === null ? NO_LENGTHS : this.#view.columns.piece('length', piece)
    const offset = base % COLUMN_PIECE
    const [fixed, perWord] = [norm?.fixed ?? 0, norm?.perWord ?? 0]
    let { low, high } = this
    while (walk.toBlock(base + from)) {
      walk.decode()
      const { size } = walk.reader
      let { at } = walk
      for (; at < size; at++) {
        const place = (docs[at] ?? 0) - base
        if (place < from) continue
        if (place > to) break
        if ((stages[place] ?? 0) < stage || (countedBy[place] ?? 0) >= first) continue
        stages[place] = next
        countedBy[place] = list
        if (place < low) low = place
        if (place > high) high = place
        if (norm === null) continue
        const worth = worthOf(
          texts[at] ?? 0,
          heads[at] ?? 0,
          fixed + perWord * (lengths[offset + place] ?? 0),
          norm.headShare,
        )
        scores[place] = (scores[place] ?? 0) + idf * worth
      }
      walk.at = at
      if (at < size) break
      walk.skip()
    }
    this.low = low
    this.high = high
  }

  /** What links say is added to what the page says by the same list. */
  #addLinks(walk: LinkWalk, idf: number, { stage, next, list, first, from, to }: Within): void {
    const { base, scores } = this
    const [stages, countedBy, { docs, worths }] = [this.#stages, this.#countedBy, walk.list]
    walk.nextFrom(base + from, END)
    let { at } = walk
    for (; at < docs.length; at++) {
      const place = (docs[at] ?? 0) - base
      if (place > to) break
      const by = countedBy[place] ?? 0
      if ((stages[place] ?? 0) < stage || (by >= first && by !== list)) continue
      stages[place] = next
      countedBy[place] = list
      if (place < this.low) this.low = place
      if (place > this.high) this.high = place
      if (this.#norm !== null) scores[place] = (scores[place] ?? 0) + idf * (worths[at] ?? 0)
    }
    walk.at = at
  }

  #exclude(walk: ListWalk): void {
    const { base, low, high } = this
    for (let doc = walk.nextFrom(base + low); doc <= base + high; doc = walk.nextFrom(doc + 1)) {
      this.#stages[doc - base] = OUT
    }
  }
}

/** Pages of a block, from one to another. */
type Part = {
  readonly stage: number
  readonly next: number
  readonly at: number
  readonly end: number
}

type Within = {
  /** The groups that a page has matched before, and with these lists. */
  readonly stage: number
  readonly next: number
  /** The number of the list, and that of the first list of its term. */
  readonly list: number
  readonly first: number
  /** The places in the window. */
  readonly from: number
  readonly to: number
}

const NO_LENGTHS = new Uint32Array(0)

function pagesOf(group: Group): number {
  let pages = 0
  for (const { lists } of group)
    for (const { postings, links } of lists) pages += postings.pages + links.docs.length
  return pages
}

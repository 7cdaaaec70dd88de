// The link graph of a growing crawl: takes pages in any order, with the URLs they link to, and can compute
// ranks at any time. A link counts as soon as both pages are known, whichever came first. A duplicate page is
// folded onto its original, and a redirected URL counts as its target, as for readers of the store
// (`store/graph-reader.ts`).
//
// A URL is known by a hash and a number. It takes about 30 bytes, whether it is a page or only linked to; a
// link takes four, a page 24 more. Ranks are computed from the last ones, which saves most rounds if little
// has changed.
import { SeenSet } from '../lib/seen-set.ts'
import { StretchHash } from '../lib/url-hash.ts'
import { foldRepeats, type PageGraph } from './graph.ts'
import { type PageRanks, pageRank } from './pagerank.ts'

export type LinkedPage = {
  readonly id: number
  readonly url: string
  /** The page it duplicates; null: none. */
  readonly duplicateOf: number | null
  /** The URLs it links to, with repeats. */
  readonly links: UrlStretches
}

/** URLs as ranges of longer texts: creating millions of substrings takes longer than looking them up. */
type UrlStretches = {
  /** Each is `text` from `from` to `end`, exclusive. */
  each(visit: (text: string, from: number, end: number) => void): void
}

/** Ranks with the pages they belong to, by node. */
export type RankedPages = PageRanks & PageGraph

/** Limit of redirects in a row; the scouter's limit is the same. */
const MAX_HOPS = 10
/** Links of replaced or removed pages may take as much room as those that count, plus this. */
const SPARE_LINKS = 100_000

export class GrowingGraph {
  readonly #hash = new StretchHash()
  /** Hash of a URL → its number, counted from 1. */
  readonly #urls = new SeenSet()
  /** By URL number: the row of its page, counted from 1; 0: none. Index 0 is unused. */
  readonly #rowAt = new NumberList()
  /** By URL number: the number of its redirect target. */
  readonly #ledTo = new Map<number, number>()
  /** Id of a page → its row, counted from 1. */
  readonly #rows = new SeenSet()
  /** By row. A removed page has no URL; its row stays and is reused if it comes back. */
  readonly #ids: number[] = []
  readonly #urlOf = new NumberList()
  readonly #repeats = new Map<number, number>()
  readonly #firstLink = new NumberList()
  readonly #linkCount = new NumberList()
  #links = new NumberList()
  /** Number of links in the list that belong to no page any more. */
  #spare = 0
  #pages = 0
  /** The last result, by row. */
  #lastRanks = new Float64Array(0)

  constructor() {
    this.#rowAt.push(0)
  }

  /** Number of pages, duplicates included. */
  get pages(): number {
    return this.#pages
  }

  /** Number of links, including those to URLs that are no pages. */
  get links(): number {
    return this.#links.length - this.#spare
  }

  /** Adds a page; replaces a page with the same id. */
  add({ id, url, duplicateOf, links }: LinkedPage): void {
    const row = this.#rowOf(id)
    this.#drop(row)
    const number = this.#numberOf(url)
    this.#rowAt.set(number, row + 1)
    this.#urlOf.set(row, number)
    if (duplicateOf !== null) this.#repeats.set(row, this.#rowOf(duplicateOf))
    const first = this.#links.length
    links.each((text, from, end) => {
      this.#links.push(this.#numberOf(text, from, end))
    })
    this.#firstLink.set(row, first)
    this.#linkCount.set(row, this.#links.length - first)
    this.#pages++
  }

  /** Removes a page, if it is known; links to it no longer count. */
  remove(id: number): void {
    const row = this.#rows.get(...keyOf(id)) - 1
    if (row >= 0) this.#drop(row)
  }

  /** Links to `from` count as links to `to`, unless `from` is a page itself. */
  redirect(from: string, to: string): void {
    this.#ledTo.set(this.#numberOf(from), this.#numberOf(to))
  }

  /** The current graph; nodes are in the order in which their pages were first added. */
  graph(): PageGraph {
    const { ids, nodeOf } = this.#nodes()
    const nodeAt = this.#nodesOfUrls(nodeOf)
    const offsets = new Uint32Array(ids.length + 1)
    this.#eachLink(nodeOf, nodeAt, (source) => {
      offsets[source + 1] = (offsets[source + 1] ?? 0) + 1
    })
    for (let node = 0; node < ids.length; node++) {
      offsets[node + 1] = (offsets[node + 1] ?? 0) + (offsets[node] ?? 0)
    }
    const next = offsets.slice()
    const targets = new Uint32Array(offsets.at(-1) ?? 0)
    this.#eachLink(nodeOf, nodeAt, (source, target) => {
      const at = next[source] ?? 0
      targets[at] = target
      next[source] = at + 1
    })
    return { graph: foldRepeats(ids.length, offsets, targets), ids }
  }

  /** The current PageRank, computed from the last result. */
  ranks(): RankedPages {
    const found = this.graph()
    const rowOf = this.#rowsOf(found.ids)
    const start = Float64Array.from(rowOf, (row) => this.#lastRanks[row] ?? 0)
    const ranked = pageRank(found.graph, { start })
    this.#lastRanks = new Float64Array(this.#ids.length)
    for (const [node, row] of rowOf.entries()) this.#lastRanks[row] = ranked.ranks[node] ?? 0
    return { ...found, ...ranked }
  }

  #drop(row: number): void {
    const number = this.#urlOf.at(row)
    if (number === 0) return
    if (this.#rowAt.at(number) === row + 1) this.#rowAt.set(number, 0)
    this.#urlOf.set(row, 0)
    this.#repeats.delete(row)
    this.#spare += this.#linkCount.at(row)
    this.#linkCount.set(row, 0)
    this.#pages--
    if (this.#spare > SPARE_LINKS && this.#spare * 2 > this.#links.length) this.#closeGaps()
  }

  #closeGaps(): void {
    const kept = new NumberList()
    for (let row = 0; row < this.#ids.length; row++) {
      const first = this.#firstLink.at(row)
      const end = first + this.#linkCount.at(row)
      this.#firstLink.set(row, kept.length)
      for (let at = first; at < end; at++) kept.push(this.#links.at(at))
    }
    this.#links = kept
    this.#spare = 0
  }

  #rowOf(id: number): number {
    const known = this.#rows.claim(...keyOf(id), this.#ids.length + 1)
    if (known > 0) return known - 1
    for (const column of [this.#urlOf, this.#firstLink, this.#linkCount]) column.push(0)
    return this.#ids.push(id) - 1
  }

  #numberOf(text: string, from?: number, end?: number): number {
    const { hi, lo } = this.#hash.take(text, from, end)
    const known = this.#urls.claim(hi, lo, this.#rowAt.length)
    return known === 0 ? this.#rowAt.push(0) : known
  }

  /** The row of a URL's page; null if there is none. */
  #pageOf(number: number): number | null {
    let at = number
    for (let hop = 0; hop < MAX_HOPS && this.#rowAt.at(at) === 0; hop++) {
      at = this.#ledTo.get(at) ?? 0
    }
    const row = this.#rowAt.at(at) - 1
    return row < 0 ? null : this.#original(row)
  }

  /** A duplicate of a removed page counts as itself. */
  #original(row: number): number {
    const first = this.#repeats.get(row) ?? row
    return this.#urlOf.at(first) === 0 ? row : first
  }

  /** Rows of original pages become nodes; duplicates have the node of their original. */
  #nodes(): { readonly ids: readonly number[]; readonly nodeOf: Int32Array } {
    const nodeOf = new Int32Array(this.#ids.length).fill(-1)
    const ids: number[] = []
    for (const [row, id] of this.#ids.entries()) {
      if (this.#urlOf.at(row) === 0 || this.#original(row) !== row) continue
      nodeOf[row] = ids.length
      ids.push(id)
    }
    for (const row of this.#repeats.keys()) nodeOf[row] = nodeOf[this.#original(row)] ?? -1
    return { ids, nodeOf }
  }

  /** By URL number: its node; -1: none. */
  #nodesOfUrls(nodeOf: Int32Array): Int32Array {
    const nodes = new Int32Array(this.#rowAt.length).fill(-1)
    for (let number = 1; number < nodes.length; number++) {
      const row = this.#rowAt.at(number) - 1
      if (row >= 0) nodes[number] = nodeOf[row] ?? -1
    }
    for (const number of this.#ledTo.keys()) {
      const row = this.#pageOf(number)
      if (row !== null) nodes[number] = nodeOf[row] ?? -1
    }
    return nodes
  }

  #eachLink(
    nodeOf: Int32Array,
    nodeAt: Int32Array,
    visit: (source: number, target: number) => void,
  ): void {
    for (const [row, source] of nodeOf.entries()) {
      if (source < 0) continue
      const first = this.#firstLink.at(row)
      const end = first + this.#linkCount.at(row)
      for (let at = first; at < end; at++) {
        const target = nodeAt[this.#links.at(at)] ?? -1
        if (target >= 0) visit(source, target)
      }
    }
  }

  #rowsOf(ids: readonly number[]): Uint32Array {
    return Uint32Array.from(ids, (id) => this.#rows.get(...keyOf(id)) - 1)
  }
}

/** Ids are consecutive, but the hash table needs scattered keys. */
function keyOf(id: number): readonly [hi: number, lo: number] {
  return [id >>> 0, Math.imul(id, 0x9e3779b1) >>> 0]
}

const BITS = 18
const CHUNK = 2 ** BITS
const REST = CHUNK - 1

/** A growing list of whole numbers from 0 to 2³² − 1: four bytes each, and growing copies nothing. */
export class NumberList {
  readonly #chunks: Uint32Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  /** 0 beyond the end. */
  at(place: number): number {
    return this.#chunks[place >>> BITS]?.[place & REST] ?? 0
  }

  /** Returns its index. */
  push(value: number): number {
    const place = this.#length++
    if ((place & REST) === 0) this.#chunks.push(new Uint32Array(place === 0 ? 1024 : CHUNK))
    else if (place === this.#chunks[0]?.length) this.#growFirst()
    this.set(place, value)
    return place
  }

  /** Only for existing indexes. */
  set(place: number, value: number): void {
    const chunk = this.#chunks[place >>> BITS]
    if (chunk !== undefined) chunk[place & REST] = value
  }

  /** Most lists are short: the first chunk starts small. */
  #growFirst(): void {
    const [first] = this.#chunks
    if (first === undefined || first.length === CHUNK) return
    const larger = new Uint32Array(Math.min(CHUNK, first.length * 8))
    larger.set(first)
    this.#chunks[0] = larger
  }
}

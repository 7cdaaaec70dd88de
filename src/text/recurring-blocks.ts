// Finds blocks that a site repeats on many pages: notices, licences, "back to the contents", menus that were
// taken for text. They are found by counting over all pages of the site, and can be removed from a page's
// text.
//
// A paragraph recurs if it is on 30 % of the site's pages, and on at least five, identical apart from spaces.
// Short ones stay: most of them are headings. Single lines stay too, as lines of code recur, unless nearly
// all of a long list recurs; then its recurring lines are removed and the others stay. Nothing else is ever
// removed, and a text of nothing else stays whole. The figures were chosen by eye on the pages of two hundred
// sites of documentation, translated and in many versions.
//
// Memory is bounded: the first pass over the pages counts every block in a sketch, which never counts too
// few; the second pass counts exactly the blocks that may recur, so that no two are confused.
import { mixed } from './text.ts'
import { blocksOf, siteSeed, type TextBlock, type TextLine } from './text-blocks.ts'

/** Share of a site's pages. */
const SHARE = 0.3
const MIN_PAGES = 5
const MIN_CHARS = 24
const LIST_LINES = 8
/** Share of a list's characters. */
const LIST_SHARE = 0.9
/** Measured on real pages; only the size of the sketch depends on it. */
const BLOCKS_PER_PAGE = 64

type WithoutRecurring = {
  readonly text: string
  /** Number of paragraphs and lines removed. */
  readonly blocks: number
}

/** Needs three passes over the same pages: `estimate`, then `confirm`, then `without`. */
export class RecurringBlocks {
  readonly #sites = new Map<string, number>()
  readonly #exact = new KeyCounts()
  #sketch: KeySketch | null

  /** `pages` is an estimate. */
  constructor(pages: number) {
    this.#sketch = new KeySketch(pages * BLOCKS_PER_PAGE)
  }

  estimate(site: string, text: string): void {
    this.#sites.set(site, (this.#sites.get(site) ?? 0) + 1)
    for (const key of keysOf(text, site)) this.#sketch?.add(key)
  }

  confirm(site: string, text: string): void {
    const needed = this.#needed(site)
    if (needed === null) return
    for (const key of keysOf(text, site)) {
      if ((this.#sketch?.atMost(key) ?? 0) >= needed) this.#exact.add(key)
    }
  }

  /** Called after all pages are confirmed: frees the memory needed only for that. */
  confirmed(): void {
    this.#sketch = null
  }

  without(site: string, text: string): WithoutRecurring {
    const needed = this.#needed(site)
    if (needed === null) return { text, blocks: 0 }
    const recurs = ({ key }: TextBlock | TextLine): boolean => this.#exact.count(key) >= needed
    const blocks = blocksOf(text, siteSeed(site))
    return cutOut(
      text,
      blocks.flatMap((block) => recurringOf(block, recurs)),
    )
  }

  /** Number of pages that a block must be on; null if the site has too few pages. */
  #needed(site: string): number | null {
    const pages = this.#sites.get(site) ?? 0
    return pages < MIN_PAGES ? null : Math.max(MIN_PAGES, Math.ceil(SHARE * pages))
  }
}

/** The keys of a page, each once. */
function keysOf(text: string, site: string): Set<number> {
  const keys = new Set<number>()
  for (const block of blocksOf(text, siteSeed(site))) {
    if (block.chars >= MIN_CHARS) keys.add(block.key)
    if (isList(block)) for (const line of block.lines) keys.add(line.key)
  }
  return keys
}

function isList({ lines }: TextBlock): boolean {
  return lines.length >= LIST_LINES
}

function recurringOf(
  block: TextBlock,
  recurs: (of: TextBlock | TextLine) => boolean,
): readonly (TextBlock | TextLine)[] {
  if (block.chars >= MIN_CHARS && recurs(block)) return [block]
  if (!isList(block)) return []
  const found = block.lines.filter(recurs)
  if (found.length === block.lines.length) return [block]
  return charsOf(found) >= LIST_SHARE * charsOf(block.lines) ? found : []
}

function charsOf(lines: readonly TextLine[]): number {
  return lines.reduce((sum, { chars }) => sum + chars, 0)
}

function cutOut(text: string, gone: readonly (TextBlock | TextLine)[]): WithoutRecurring {
  if (gone.length === 0) return { text, blocks: 0 }
  let kept = ''
  let at = 0
  for (const { start, end } of gone) {
    kept += text.slice(at, start)
    at = end
  }
  kept = (kept + text.slice(at)).trimEnd()
  return kept === '' ? { text, blocks: 0 } : { text: kept, blocks: gone.length }
}

const SEEN_AT_MOST = 65_535
/** Twelve bytes a slot; three quarters of the slots are used. */
const MAX_PLACES = 1 << 21
const FIRST_PLACES = 1 << 12
/** Keys often share their low bits, so other bits choose the slot. */
const ROUNDS = [0x9e3779b1, 0xc2b2ae3d, 0x27d4eb2f] as const

/**
 * How often keys were seen, as upper bounds in fixed memory: keys share slots, so a count may be too high.
 * Keys are whole numbers of up to 53 bits, made by text-blocks.ts.
 */
class KeySketch {
  readonly #counts: Uint16Array
  readonly #mask: number

  /** `keys` is an estimate of the different keys. At most 128 megabytes. */
  constructor(keys: number) {
    const bits = Math.min(26, Math.max(16, Math.ceil(Math.log2(keys + 1)) + 1))
    this.#counts = new Uint16Array(2 ** bits)
    this.#mask = 2 ** bits - 1
  }

  add(key: number): void {
    const next = this.atMost(key) + 1
    if (next > SEEN_AT_MOST) return
    for (const round of ROUNDS) {
      const place = this.#place(key, round)
      // Only lower counters must grow: a higher one also counts another key.
      if ((this.#counts[place] ?? 0) < next) this.#counts[place] = next
    }
  }

  atMost(key: number): number {
    let least = SEEN_AT_MOST
    for (const round of ROUNDS) {
      least = Math.min(least, this.#counts[this.#place(key, round)] ?? 0)
    }
    return least
  }

  #place(key: number, round: number): number {
    return mixed(Math.imul(hashed(key), round)) & this.#mask
  }
}

/** Exact counts for some of the keys; beyond a million and a half, further keys are not counted. */
class KeyCounts {
  #keys = new Float64Array(FIRST_PLACES)
  #counts = new Uint32Array(FIRST_PLACES)
  #used = 0

  add(key: number): void {
    let place = this.#placeOf(key)
    if ((this.#counts[place] ?? 0) === 0) {
      if (4 * (this.#used + 1) > 3 * this.#keys.length && !this.#grow()) return
      place = this.#placeOf(key)
      this.#keys[place] = key
      this.#used++
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }

  count(key: number): number {
    return this.#counts[this.#placeOf(key)] ?? 0
  }

  /** The slot of the key, or where it would be inserted. */
  #placeOf(key: number): number {
    const mask = this.#keys.length - 1
    let place = mixed(hashed(key)) & mask
    while ((this.#counts[place] ?? 0) > 0 && this.#keys[place] !== key) place = (place + 1) & mask
    return place
  }

  #grow(): boolean {
    if (this.#keys.length >= MAX_PLACES) return false
    const [keys, counts] = [this.#keys, this.#counts]
    this.#keys = new Float64Array(2 * keys.length)
    this.#counts = new Uint32Array(2 * keys.length)
    for (const [at, key] of keys.entries()) {
      const count = counts[at] ?? 0
      if (count === 0) continue
      const place = this.#placeOf(key)
      this.#keys[place] = key
      this.#counts[place] = count
    }
    return true
  }
}

function hashed(key: number): number {
  return Math.imul(Math.floor(key / 0x100000000), 0x85ebca77) ^ (key | 0)
}

// Facts about each container of a page: its ancestors, the class names of it and its ancestors, its
// share of the page's text, and how often a similar container is repeated.
import type { WordTable } from '../content/hints.ts'
import type { Outline } from '../content/outline.ts'
import { ELEMENT } from '../html/html-names.ts'
import type { BlockShapes } from './block-shapes.ts'
import { HINT_GROUPS } from './hint-words.ts'

/** Elements with a meaning for their content, one bit each; inherited. */
export const PATH_ELEMENTS = [
  'nav',
  'header',
  'footer',
  'aside',
  'main',
  'article',
  'section',
  'form',
  'table',
  'ul',
  'ol',
  'figure',
  'select',
  'pre',
] as const
export const ELEMENT_BITS = new Int32Array(256)
for (const [at, name] of PATH_ELEMENTS.entries()) ELEMENT_BITS[ELEMENT[name]] = 1 << at
/** The bit above those of the hint groups: the element or an ancestor is hidden. */
export const HIDDEN_BIT = 1 << HINT_GROUPS.length
/** Packing of a hint word's value: its groups in the low bits, its learned score above. */
export const HINT_SCORE_SHIFT = HINT_GROUPS.length

/** A block that reads like prose: long enough, and not mostly links. */
const GOOD_WORDS = 8
const GOOD_LINKS = 0.35
const FIRST_ROWS = 1024

export class ContainerFacts {
  /** Bits of PATH_ELEMENTS of it and its ancestors. */
  elements = new Int32Array(FIRST_ROWS)
  /** Bits of HINT_GROUPS of it and its ancestors. */
  hints = new Int32Array(FIRST_ROWS)
  /** Bits of its own words only. */
  ownHints = new Int32Array(FIRST_ROWS)
  depth = new Float32Array(FIRST_ROWS)
  /** Learned scores of its words: the nearest on the path, and the sum and minimum over the path. */
  nearScore = new Float32Array(FIRST_ROWS)
  sumScore = new Float32Array(FIRST_ROWS)
  minScore = new Float32Array(FIRST_ROWS)
  maxScore = new Float32Array(FIRST_ROWS)
  /** The group of similar siblings with the most text that contains it or an ancestor; -1 for none. */
  group = new Int32Array(FIRST_ROWS)
  /** Running totals over the blocks before each. */
  words = new Float64Array(FIRST_ROWS)
  goodWords = new Float64Array(FIRST_ROWS)
  bytes = new Float64Array(FIRST_ROWS)
  linkBytes = new Float64Array(FIRST_ROWS)
  /** Per group: the number of containers, their words, their blocks. */
  groupCount = new Int32Array(FIRST_ROWS)
  groupWords = new Float64Array(FIRST_ROWS)
  groupGoodWords = new Float64Array(FIRST_ROWS)
  groupBlocks = new Int32Array(FIRST_ROWS)
  groups = 0
  #ownGroup = new Int32Array(FIRST_ROWS)
  #slots = new Int32Array(2 * FIRST_ROWS)
  #slotParent = new Int32Array(2 * FIRST_ROWS)
  #slotSignature = new Int32Array(2 * FIRST_ROWS)
  readonly #hintWords: WordTable

  constructor(hintWords: WordTable) {
    this.#hintWords = hintWords
  }

  read(outline: Outline, shapes: BlockShapes): void {
    this.#grow(outline)
    this.#readTotals(outline, shapes)
    this.#readPaths(outline)
    this.#readGroups(outline)
  }

  /** The deepest container with this share of the page's prose. */
  dominant(outline: Outline, share: number): number {
    const { containers, blocks } = outline
    const wanted = share * (this.goodWords[blocks.count] ?? 0)
    let found = 0
    for (let row = 1; row < containers.count; row++) {
      if (this.over(this.goodWords, outline, row) >= wanted && containers.parent[row] === found) {
        found = row
      }
    }
    return found
  }

  /** The difference of a running total over a container. */
  over(total: Float64Array, { containers }: Outline, row: number): number {
    return (total[containers.blockTo[row] ?? 0] ?? 0) - (total[containers.blockFrom[row] ?? 0] ?? 0)
  }

  #readTotals({ blocks }: Outline, shapes: BlockShapes): void {
    for (let row = 0; row < blocks.count; row++) {
      const words = shapes.words[row] ?? 0
      const bytes = (blocks.textTo[row] ?? 0) - (blocks.textFrom[row] ?? 0)
      const linkBytes = blocks.linkBytes[row] ?? 0
      const isGood = words >= GOOD_WORDS && linkBytes < GOOD_LINKS * bytes
      this.words[row + 1] = (this.words[row] ?? 0) + words
      this.goodWords[row + 1] = (this.goodWords[row] ?? 0) + (isGood ? words : 0)
      this.bytes[row + 1] = (this.bytes[row] ?? 0) + bytes
      this.linkBytes[row + 1] = (this.linkBytes[row] ?? 0) + linkBytes
    }
  }

  #readPaths({ containers }: Outline): void {
    for (let row = 0; row < containers.count; row++) {
      const parent = containers.parent[row] ?? -1
      const around = Math.max(parent, 0)
      const inherits = parent >= 0
      let bits = containers.hidden[row] === 1 ? HIDDEN_BIT : 0
      let score = 0
      let known = 0
      for (let at = containers.wordFrom[row] ?? 0; at < (containers.wordTo[row] ?? 0); at++) {
        const value = this.#hintWords.get(containers.words[at] ?? 0)
        if (value === 0) continue
        bits |= value & (HIDDEN_BIT - 1)
        const own = value >> HINT_SCORE_SHIFT
        if (own !== 0) known++
        score += own
      }
      const own = known > 0 ? score / known : 0
      this.elements[row] =
        (inherits ? (this.elements[around] ?? 0) : 0) |
        (ELEMENT_BITS[containers.element[row] ?? 0] ?? 0)
      this.hints[row] = (inherits ? (this.hints[around] ?? 0) : 0) | bits
      this.ownHints[row] = bits
      this.depth[row] = inherits ? (this.depth[around] ?? 0) + 1 : 0
      this.nearScore[row] = known > 0 ? own : inherits ? (this.nearScore[around] ?? 0) : 0
      this.sumScore[row] = (inherits ? (this.sumScore[around] ?? 0) : 0) + own
      this.minScore[row] = Math.min(inherits ? (this.minScore[around] ?? 0) : 0, own)
      this.maxScore[row] = Math.max(inherits ? (this.maxScore[around] ?? 0) : 0, own)
    }
  }

  #readGroups(outline: Outline): void {
    const { containers } = outline
    let groups = 0
    this.#slots.fill(-1)
    const mask = this.#slots.length - 1
    for (let row = 1; row < containers.count; row++) {
      const parent = containers.parent[row] ?? 0
      const signature = containers.signature[row] ?? 0
      const from = containers.blockFrom[row] ?? 0
      const to = containers.blockTo[row] ?? 0
      this.#ownGroup[row] = -1
      if (from === to) continue
      let slot = ((Math.imul(parent, 0x9e3779b1) ^ Math.imul(signature, 0x85ebca6b)) >>> 7) & mask
      while (
        (this.#slots[slot] ?? 0) >= 0 &&
        (this.#slotParent[slot] !== parent || this.#slotSignature[slot] !== signature)
      ) {
        slot = (slot + 1) & mask
      }
      let group = this.#slots[slot] ?? -1
      if (group < 0) {
        group = groups++
        this.#slots[slot] = group
        this.#slotParent[slot] = parent
        this.#slotSignature[slot] = signature
        this.groupCount[group] = 0
        this.groupWords[group] = 0
        this.groupGoodWords[group] = 0
        this.groupBlocks[group] = 0
      }
      this.#ownGroup[row] = group
      this.groupCount[group] = (this.groupCount[group] ?? 0) + 1
      this.groupWords[group] = (this.groupWords[group] ?? 0) + this.over(this.words, outline, row)
      this.groupGoodWords[group] =
        (this.groupGoodWords[group] ?? 0) + this.over(this.goodWords, outline, row)
      this.groupBlocks[group] = (this.groupBlocks[group] ?? 0) + to - from
    }
    this.groups = groups
    this.#inheritGroups(outline)
  }

  #inheritGroups({ containers }: Outline): void {
    this.group[0] = -1
    for (let row = 1; row < containers.count; row++) {
      const around = this.group[containers.parent[row] ?? 0] ?? -1
      const own = this.#ownGroup[row] ?? -1
      const repeats = own >= 0 && (this.groupCount[own] ?? 0) >= 3
      const isBetter =
        repeats && (around < 0 || (this.groupWords[own] ?? 0) > (this.groupWords[around] ?? 0))
      this.group[row] = isBetter ? own : around
    }
  }

  #grow({ containers, blocks }: Outline): void {
    if (this.words.length <= blocks.count) {
      const rows = 2 ** Math.ceil(Math.log2(blocks.count + 1))
      this.words = new Float64Array(rows)
      this.goodWords = new Float64Array(rows)
      this.bytes = new Float64Array(rows)
      this.linkBytes = new Float64Array(rows)
    }
    if (this.depth.length >= containers.count) return
    const rows = 2 ** Math.ceil(Math.log2(containers.count))
    const int32 = (): Int32Array<ArrayBuffer> => new Int32Array(rows)
    const float32 = (): Float32Array<ArrayBuffer> => new Float32Array(rows)
    this.elements = int32()
    this.hints = int32()
    this.ownHints = int32()
    this.depth = float32()
    this.nearScore = float32()
    this.sumScore = float32()
    this.minScore = float32()
    this.maxScore = float32()
    this.group = int32()
    this.groupCount = int32()
    this.groupBlocks = int32()
    this.groupWords = new Float64Array(rows)
    this.groupGoodWords = new Float64Array(rows)
    this.#ownGroup = int32()
    this.#slots = new Int32Array(2 * rows)
    this.#slotParent = new Int32Array(2 * rows)
    this.#slotSignature = new Int32Array(2 * rows)
  }
}

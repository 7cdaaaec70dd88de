// The blocks of a page as numbers, one column per feature: the input of the forest. A trained forest
// depends on the order of FEATURES, so every change of a group needs new training (training/README.md).
import { hash } from 'node:crypto'
import { WordTable } from '../content/hints.ts'
import type { Outline } from '../content/outline.ts'
import { CLASSES } from '../content/page-kinds.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { BlockShapes } from './block-shapes.ts'
import type { FeatureGroup } from './block-view.ts'
import { ContainerFacts, HINT_SCORE_SHIFT } from './container-facts.ts'
import { hintGroups } from './hint-words.ts'
import { neighbourFeatures } from './neighbour-features.ts'
import { PAGE_FEATURES, PageFacts, type PageSigns } from './page-facts.ts'
import { pathFeatures, positionFeatures } from './position-features.ts'
import { textFeatures } from './text-features.ts'

const GROUPS: readonly FeatureGroup[] = [
  textFeatures,
  pathFeatures,
  positionFeatures,
  neighbourFeatures,
]

export const FEATURES: readonly string[] = GROUPS.flatMap(({ names }) => names)
const PLACES = new Map(FEATURES.map((name, at) => [name, at]))
const FIRST_ROWS = 512

export class BlockFeatures {
  /** One column per feature, and the extra ones after them; only the first `count` rows are valid. */
  columns: Float32Array[] = []
  count = 0
  readonly #extra: number

  /** `extra`: columns to add for facts that are not in the outline. */
  constructor(extra: number) {
    this.#extra = extra
    this.#grow(FIRST_ROWS)
  }

  read(outline: Outline, shapes: BlockShapes, facts: ContainerFacts, titleWords: number): void {
    this.count = outline.blocks.count
    if ((this.columns[0]?.length ?? 0) < this.count) this.#grow(this.count)
    const column = (name: string): Float32Array => this.#column(name)
    for (const group of GROUPS) group.fill({ outline, shapes, facts, titleWords, column })
  }

  #column(name: string): Float32Array {
    const column = this.columns[PLACES.get(name) ?? -1]
    if (column === undefined) throw new Error(`there is no feature ${name}`)
    return column
  }

  #grow(needed: number): void {
    const rows = 2 ** Math.ceil(Math.log2(needed))
    const count = FEATURES.length + this.#extra
    this.columns = Array.from({ length: count }, () => new Float32Array(rows))
  }
}

export type WordScores = ReadonlyMap<number, number>

/** Scores of words for (above 0) or against main content, by their hash, in sixteenths. */
export type LearnedWords = {
  /** Words of classes and ids (see hints.ts). */
  readonly hints: WordScores
  /** Words of the text (see block-shapes.ts). */
  readonly lexicon: WordScores
}

/** The largest score: it has to fit above the bits of the hint groups. */
export const MAX_WORD_SCORE = 60

/**
 * A page as columns of numbers for the forests: one row per block, and one row for the whole page. The
 * parser and the training both use it, so that both see the same.
 */
export class PageColumns {
  readonly #shapes: BlockShapes
  readonly #facts: ContainerFacts
  readonly #table = new BlockFeatures(CLASSES.length)
  readonly #page = new PageFacts()

  constructor({ hints, lexicon }: LearnedWords) {
    this.#shapes = new BlockShapes(new WordTable(lexicon))
    this.#facts = new ContainerFacts(hintTable(hints))
  }

  /** The number of blocks. */
  get count(): number {
    return this.#table.count
  }

  /** Words of each block. */
  get words(): Float32Array {
    return this.#shapes.words
  }

  /** The columns of all blocks: FEATURES, then one per class of page. */
  get blocks(): readonly Float32Array[] {
    return this.#table.columns
  }

  /** The one row of the page: PAGE_FEATURES. */
  get page(): readonly Float32Array[] {
    return this.#page.columns
  }

  read(
    { outline, text }: Pick<HtmlReading, 'outline' | 'text'>,
    title: string,
    signs: PageSigns,
  ): void {
    const titleWords = this.#shapes.read(outline.blocks, text.bytes, title)
    this.#facts.read(outline, this.#shapes)
    this.#table.read(outline, this.#shapes, this.#facts, titleWords)
    this.#page.read(outline, this.#shapes, this.#facts, signs)
  }

  /** Stores the class probabilities of the page for all its blocks. */
  setClasses(probabilities: ArrayLike<number>): void {
    for (let at = 0; at < CLASSES.length; at++) {
      this.#table.columns[FEATURES.length + at]?.fill(probabilities[at] ?? 0, 0, this.count)
    }
  }
}

export function hintTable(scores: WordScores): WordTable {
  const values = hintGroups()
  for (const [hash, score] of scores) {
    values.set(hash, (values.get(hash) ?? 0) | (score << HINT_SCORE_SHIFT))
  }
  return new WordTable(values)
}

/** Changes with every name and every position in the lists that a model depends on. */
export function featuresKey(): string {
  const names = [FEATURES, PAGE_FEATURES, CLASSES].map((list) => list.join(' ')).join('\n')
  return hash('sha256', names, 'hex').slice(0, 16)
}

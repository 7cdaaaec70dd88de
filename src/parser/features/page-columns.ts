// A page as columns of numbers for the forests: one row per block, and one row for the whole page.
// The parser and the training both use it, so that both see the same.

import { hash } from 'node:crypto'
import { WordTable } from '../content/hints.ts'
import { CLASSES } from '../content/page-kinds.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { BlockFeatures, FEATURES } from './block-features.ts'
import { BlockShapes } from './block-shapes.ts'
import { ContainerFacts, HINT_SCORE_SHIFT } from './container-facts.ts'
import { hintGroups } from './hint-words.ts'
import { PAGE_FEATURES, PageFacts, type PageSigns } from './page-facts.ts'

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

function hintTable(scores: WordScores): WordTable {
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

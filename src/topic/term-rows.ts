// The rows of a topic, looked up by term: one pass over the terms of a page, with one look-up each, gives all
// sums that judgements need. Runs on every page of a crawl.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import type { TopicColumns } from './topic-record.ts'

/**
 * Counts up to this have their root and logarithm in a table: nearly all counts, and computing both would
 * take most of the time here.
 */
const TABLED = 256
const ROOTS = Float64Array.from({ length: TABLED }, (_, count) => Math.sqrt(count))
const DAMPED = Float64Array.from({ length: TABLED }, (_, count) => 1 + Math.log(count))

/** The result of one pass over a text's terms. */
export type Sums = {
  /** Number of words, and the same with repeats damped by a square root. */
  readonly words: number
  readonly roots: number
  /** Log-odds, by roots of counts. */
  readonly evidence: number
  /** Pulls by damped counts, and by roots of counts. */
  readonly pull: number
  readonly rootPull: number
  readonly promise: number
  /** Squares of TF-IDF over the terms that have a row. */
  readonly knownSquares: number
  /** Product with the centre, and own squares; without stop words. */
  readonly product: number
  readonly squares: number
}

type TermRowsOptions = {
  readonly columns: TopicColumns
  readonly unknownRarity: number
  readonly isStopWord: (term: TermId) => boolean
}

export class TermRows {
  /** By term, the start of its cells; 0 for a term without a row. */
  readonly #cellsOf: TermTable
  /** The columns row by row: evidence, rarity, centre, pull, promise, and whether it counts. */
  readonly #cells: Float32Array
  readonly #isStopWord: (term: TermId) => boolean
  readonly #unknownRarity: number
  readonly #centreLength: number

  constructor({ columns, unknownRarity, isStopWord }: TermRowsOptions) {
    const { terms, centre } = columns
    this.#cellsOf = new TermTable(terms.length)
    // The first row is empty, so that 0 means none.
    this.#cells = new Float32Array((terms.length + 1) * WIDTH)
    for (let row = 0; row < terms.length; row++) {
      const term = terms[row] ?? 0
      const from = (row + 1) * WIDTH
      this.#cellsOf.set(term, from)
      this.#cells.set(cellsOf(columns, row, isStopWord(term)), from)
    }
    this.#isStopWord = isStopWord
    this.#unknownRarity = unknownRarity
    this.#centreLength = Math.sqrt(centre.reduce((sum, weight) => sum + weight * weight, 0))
  }

  /** The log-odds of a term; 0 if it is unknown. */
  evidenceOf(term: TermId): number {
    return this.#cells[this.#cellsOf.get(term)] ?? 0
  }

  /** The pull of a term towards the topic; 0 if it is unknown. */
  pullOf(term: TermId): number {
    return this.#cells[this.#cellsOf.get(term) + PULL] ?? 0
  }

  /** The log-odds of a learned term; 0 if it is unknown. */
  promiseOf(term: TermId): number {
    return this.#cells[this.#cellsOf.get(term) + PROMISE] ?? 0
  }

  sum({ ids, values }: TermTable): Sums {
    const cells = this.#cells
    let [words, roots, evidence, pull, rootPull, promise] = [0, 0, 0, 0, 0, 0]
    let [knownSquares, product, squares] = [0, 0, 0]
    for (let at = 0; at < ids.length; at++) {
      const term = ids[at] ?? 0
      const count = values[at] ?? 0
      const root = ROOTS[count] ?? Math.sqrt(count)
      const damped = DAMPED[count] ?? 1 + Math.log(count)
      words += count
      roots += root
      const from = this.#cellsOf.get(term)
      if (from === 0) {
        const value = damped * this.#unknownRarity
        if (!this.#isStopWord(term)) squares += value * value
        continue
      }
      const value = damped * (cells[from + 1] ?? 0)
      const rowPull = cells[from + PULL] ?? 0
      evidence += root * (cells[from] ?? 0)
      pull += damped * rowPull
      rootPull += root * rowPull
      promise += damped * (cells[from + PROMISE] ?? 0)
      knownSquares += value * value
      const counted = value * (cells[from + 5] ?? 0)
      squares += counted * counted
      product += counted * (cells[from + 2] ?? 0)
    }
    return { words, roots, evidence, pull, rootPull, promise, knownSquares, product, squares }
  }

  /** The cosine of a summed text and the topic's centre, 0 to 1. */
  similarity({ product, squares }: Sums): number {
    const lengths = Math.sqrt(squares) * this.#centreLength
    return lengths === 0 ? 0 : Math.max(0, Math.min(1, product / lengths))
  }
}

/** Cells of a row: its columns, and 1 unless it is a stop word. One row is read at once. */
const WIDTH = 6
const PULL = 3
const PROMISE = 4

function cellsOf(columns: TopicColumns, row: number, isStopWord: boolean): number[] {
  const { evidence, rarity, centre, pull, promise } = columns
  const cells = [evidence, rarity, centre, pull, promise].map((column) => column[row] ?? 0)
  return [...cells, isStopWord ? 0 : 1]
}

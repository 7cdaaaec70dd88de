// The rows of a topic, looked up by term: one pass over the terms of a page, one look-up each, gives
// all the sums that judgements are made of. Runs on every page of a crawl.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import type { TopicColumns } from './topic-record.ts'

/** Counts whose root and logarithm are kept: nearly all, and both would be most of the time here. */
const TABLED = 256
const ROOTS = Float64Array.from({ length: TABLED }, (_, count) => Math.sqrt(count))
const DAMPED = Float64Array.from({ length: TABLED }, (_, count) => 1 + Math.log(count))

/** What one pass over a text's terms gives; overwritten by the next pass. */
export type Sums = {
  /** Words, and words with repeats damped by a square root. */
  words: number
  roots: number
  /** Log-odds by roots. */
  evidence: number
  /** Pulls by damped counts, and by roots. */
  pull: number
  rootPull: number
  promise: number
  /** Squares of TF-IDF over the terms that have a row. */
  knownSquares: number
  /** Product with the centre and own squares, stop words left out. */
  product: number
  squares: number
}

export type TermRowsOptions = {
  readonly columns: TopicColumns
  readonly unknownRarity: number
  readonly isStopWord: (term: TermId) => boolean
}

export class TermRows {
  readonly #columns: TopicColumns
  /** 1 for the first row: 0 is a term without one. */
  readonly #rowOf: TermTable
  readonly #isStopRow: Uint8Array
  readonly #isStopWord: (term: TermId) => boolean
  readonly #unknownRarity: number
  readonly #centreLength: number
  readonly #sums: Sums = zeros()

  constructor({ columns, unknownRarity, isStopWord }: TermRowsOptions) {
    const { terms, centre } = columns
    this.#columns = columns
    this.#rowOf = new TermTable(terms.length)
    for (let row = 0; row < terms.length; row++) this.#rowOf.set(terms[row] ?? 0, row + 1)
    this.#isStopRow = Uint8Array.from(terms, (term) => (isStopWord(term) ? 1 : 0))
    this.#isStopWord = isStopWord
    this.#unknownRarity = unknownRarity
    this.#centreLength = Math.sqrt(centre.reduce((sum, weight) => sum + weight * weight, 0))
  }

  /** How much a term speaks for the topic; 0 when nothing is known of it. */
  evidenceOf(term: TermId): number {
    const row = this.#rowOf.get(term)
    return row === 0 ? 0 : (this.#columns.evidence[row - 1] ?? 0)
  }

  sum({ ids, values }: TermTable): Readonly<Sums> {
    const { evidence, rarity, centre, pull, promise } = this.#columns
    const sums = Object.assign(this.#sums, ZEROS)
    for (let at = 0; at < ids.length; at++) {
      const term = ids[at] ?? 0
      const count = values[at] ?? 0
      const root = ROOTS[count] ?? Math.sqrt(count)
      const damped = DAMPED[count] ?? 1 + Math.log(count)
      sums.words += count
      sums.roots += root
      const row = this.#rowOf.get(term) - 1
      if (row < 0) {
        const value = damped * this.#unknownRarity
        if (!this.#isStopWord(term)) sums.squares += value * value
        continue
      }
      const value = damped * (rarity[row] ?? 0)
      sums.evidence += root * (evidence[row] ?? 0)
      sums.pull += damped * (pull[row] ?? 0)
      sums.promise += damped * (promise[row] ?? 0)
      sums.rootPull += root * (pull[row] ?? 0)
      sums.knownSquares += value * value
      if (this.#isStopRow[row] === 1) continue
      sums.squares += value * value
      sums.product += value * (centre[row] ?? 0)
    }
    return sums
  }

  /** The cosine of a summed text and the topic's centre, 0 to 1. */
  similarity({ product, squares }: Readonly<Sums>): number {
    const lengths = Math.sqrt(squares) * this.#centreLength
    return lengths === 0 ? 0 : Math.max(0, Math.min(1, product / lengths))
  }
}

const ZEROS: Readonly<Sums> = zeros()

function zeros(): Sums {
  return {
    words: 0,
    roots: 0,
    evidence: 0,
    pull: 0,
    rootPull: 0,
    promise: 0,
    knownSquares: 0,
    product: 0,
    squares: 0,
  }
}

// A text as a sparse vector: its terms and what each of them weighs. A topic is compared with every
// page and link, so it is looked up by term; what is compared with it is only walked through.
import { TermTable } from './term-table.ts'
import type { TermId } from './text.ts'

export class TermVector {
  readonly ids: Int32Array
  readonly weights: Float64Array
  /** The Euclidean length; 0 for an empty text. */
  readonly norm: number
  #index: TermTable | undefined

  /** Ids are distinct and go with the weights by position. */
  constructor(ids: Int32Array, weights: Float64Array) {
    this.ids = ids
    this.weights = weights
    let squares = 0
    for (const weight of weights) squares += weight * weight
    this.norm = Math.sqrt(squares)
  }

  get size(): number {
    return this.ids.length
  }

  /** Whether looking up a term is ready and costs no more than the look-up. */
  get indexed(): boolean {
    return this.#index !== undefined
  }

  /** What a term weighs here; 0 when the text does not have it. */
  weightOf(id: TermId): number {
    this.#index ??= indexOf(this)
    return this.#index.get(id)
  }
}

function indexOf({ ids, weights }: TermVector): TermTable {
  const index = new TermTable(ids.length)
  for (let at = 0; at < ids.length; at++) index.set(ids[at] ?? 0, weights[at] ?? 0)
  return index
}

/** The mean direction of several texts, each counting the same however long it is. */
export function centroid(vectors: readonly TermVector[]): TermVector {
  const sum = new TermTable()
  for (const { ids, weights, norm } of vectors) {
    if (norm === 0) continue
    for (let at = 0; at < ids.length; at++) sum.add(ids[at] ?? 0, (weights[at] ?? 0) / norm)
  }
  return new TermVector(sum.ids.slice(), sum.values.slice())
}

// A text as a sparse vector: its terms and their weights. A topic is compared with every page and link, so it
// is indexed by term; the other vector is only iterated.
import { TermTable } from './term-table.ts'
import type { TermId } from './text.ts'

export class TermVector {
  readonly ids: Int32Array
  readonly weights: Float64Array
  /** The Euclidean length; 0 for an empty text. */
  readonly norm: number
  #index: TermTable | undefined

  /** Ids are distinct and match the weights by index. */
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

  /** Whether the index by term exists, so that a look-up is cheap. */
  get indexed(): boolean {
    return this.#index !== undefined
  }

  /** The weight of a term; 0 if the text does not have it. */
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

/** The mean direction of several texts, all with equal weight however long they are. */
export function centroid(vectors: readonly TermVector[]): TermVector {
  const sum = new TermTable()
  for (const { ids, weights, norm } of vectors) {
    if (norm === 0) continue
    for (let at = 0; at < ids.length; at++) sum.add(ids[at] ?? 0, (weights[at] ?? 0) / norm)
  }
  return new TermVector(sum.ids.slice(), sum.values.slice())
}

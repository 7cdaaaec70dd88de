// The centres of clusters, and how near a text is to each of them.
import type { Vector } from './vocabulary.ts'

/**
 * The products of a text and every column of a table, which has a row per term. `products` is as long as a row.
 */
export function productsWith(
  { terms, weights }: Vector,
  table: Float32Array,
  products: Float64Array,
): void {
  const columns = products.length
  products.fill(0)
  for (let at = 0; at < terms.length; at++) {
    const row = (terms[at] ?? 0) * columns
    const weight = weights[at] ?? 0
    for (let column = 0; column < columns; column++) {
      products[column] = (products[column] ?? 0) + weight * (table[row + column] ?? 0)
    }
  }
}

export class Centres {
  readonly #table: Float32Array
  readonly #products: Float64Array
  readonly count: number

  /** `sums`: a row per term, a column per cluster, of these lengths. They are changed to length 1. */
  constructor(sums: Float32Array, lengths: Float64Array) {
    this.count = lengths.length
    this.#table = sums
    this.#products = new Float64Array(this.count)
    for (let place = 0; place < sums.length; place++) {
      const length = lengths[place % this.count] ?? 0
      if (length > 0) sums[place] = (sums[place] ?? 0) / length
    }
  }

  /** The nearest centre, the first of equal ones; null if the text shares no word with any. */
  nearest(vector: Vector): { readonly cluster: number; readonly similarity: number } | null {
    productsWith(vector, this.#table, this.#products)
    let [cluster, similarity] = [-1, 0]
    for (const [at, product] of this.#products.entries()) {
      if (product > similarity) [cluster, similarity] = [at, product]
    }
    return cluster < 0 ? null : { cluster, similarity }
  }

  vectorOf(cluster: number): Vector {
    const rows = this.#table.length / Math.max(1, this.count)
    const weightOf = (term: number) => this.#table[term * this.count + cluster] ?? 0
    const terms = Int32Array.from({ length: rows }, (_, term) => term).filter(
      (term) => weightOf(term) > 0,
    )
    return { terms, weights: Float32Array.from(terms, weightOf) }
  }
}

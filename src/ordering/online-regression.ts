// Logistic regression that learns from one page at a time (an extended Kalman filter, or Laplace's
// approximation step by step). It stores a mean for each weight and the covariance of all of them, so there
// is no learning rate to choose, and the same pages give the same weights. It starts from given weights, each
// with a spread: how far from there it may move. A weight with spread 0 never changes.
//
// All weights but the first stay at 0 or above: each feature should count in favour of a page, and a feature
// that does not is ignored.
//
// What was learned from some pages can also be kept as sums. Sums of different pages add up, so programs that
// fetch different pages of one crawl can learn from all of them: `learnFrom` computes the weights that the same
// pages would have given, apart from rounding and from weights that were at 0 in between.
import { inverseOf, RegressionSums, solve, varianceOf } from './regression-sums.ts'

export type Start = { readonly mean: number; readonly spread: number }

export class OnlineRegression {
  readonly size: number
  /** The first weight belongs to the feature that is always 1. */
  readonly weights: Float64Array
  /** Row by row. */
  readonly #covariance: Float64Array
  /** Covariance times features; kept here to avoid an allocation per page. */
  readonly #gains: Float64Array
  readonly #starts: readonly Start[]

  constructor(starts: readonly Start[]) {
    const size = starts.length
    this.#starts = starts
    this.size = size
    this.weights = Float64Array.from(starts, ({ mean }) => mean)
    this.#covariance = new Float64Array(size * size)
    for (const [at, { spread }] of starts.entries()) this.#covariance[at * size + at] = spread ** 2
    this.#gains = new Float64Array(size)
  }

  /** The expected worth of a page with these features, 0 to 1. */
  expected(features: Float64Array): number {
    let sum = 0
    for (let at = 0; at < this.size; at++) sum += (this.weights[at] ?? 0) * (features[at] ?? 0)
    return sigmoid(sum)
  }

  /** `observed` is from 0 to 1; `expected` was computed from the same features. */
  learn(features: Float64Array, observed: number, expected: number): void {
    const { size, weights } = this
    const gains = this.#gains
    const covariance = this.#covariance
    const doubt = this.#takeGains(features)
    const variance = varianceOf(expected)
    const step = (observed - expected) / (1 + variance * doubt)
    const shrink = variance / (1 + variance * doubt)
    for (let row = 0; row < size; row++) {
      const gain = gains[row] ?? 0
      const weight = (weights[row] ?? 0) + gain * step
      weights[row] = row > 0 && weight < 0 ? 0 : weight
      for (let column = 0; column < size; column++) {
        const cell = row * size + column
        covariance[cell] = (covariance[cell] ?? 0) - shrink * gain * (gains[column] ?? 0)
      }
    }
  }

  /** Starts again, with what was learned from all these pages. */
  learnFrom(sums: readonly RegressionSums[]): void {
    const { size, weights } = this
    const total = new RegressionSums(size)
    for (const each of sums) total.add(each)
    const { matrix, vector } = total
    const free = this.#starts.flatMap(({ spread }, at) => (spread > 0 ? [at] : []))
    for (const [at, { mean, spread }] of this.#starts.entries()) {
      if (spread === 0) continue
      matrix[at * size + at] = (matrix[at * size + at] ?? 0) + 1 / spread ** 2
      vector[at] = (vector[at] ?? 0) + mean / spread ** 2
    }
    solve(matrix, vector, { weights, free })
    const inverse = inverseOf(matrix, { size, free })
    if (inverse !== null) this.#covariance.set(inverse)
  }

  /** Weights and covariance, for `take`. */
  numbers(): number[] {
    return [...this.weights, ...this.#covariance]
  }

  get numbersKept(): number {
    return this.size * (1 + this.size)
  }

  /** Restores the state that `numbers` returned. */
  take(numbers: readonly number[]): void {
    this.weights.set(numbers.slice(0, this.size))
    this.#covariance.set(numbers.slice(this.size, this.numbersKept))
  }

  /** Fills the gains; returns the variance of the sum, which is the uncertainty about the page. */
  #takeGains(features: Float64Array): number {
    const { size } = this
    let doubt = 0
    for (let row = 0; row < size; row++) {
      let gain = 0
      for (let column = 0; column < size; column++) {
        gain += (this.#covariance[row * size + column] ?? 0) * (features[column] ?? 0)
      }
      this.#gains[row] = gain
      doubt += gain * (features[row] ?? 0)
    }
    return doubt
  }
}

export function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}

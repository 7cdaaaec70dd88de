// Logistic regression that learns from one page after the other (an extended Kalman filter, or Laplace's
// approximation step by step): it keeps a mean for each weight and how sure it is of all of them
// together, so there is no rate to choose, and the same pages give the same weights. It starts from
// weights somebody believes in, each with a spread: how far from there it may be. A spread of 0 keeps a
// weight for good.
//
// All weights but the first stay at 0 or above: each feature is one that should speak for a page, and
// one that does not is ignored.

export type Start = { readonly mean: number; readonly spread: number }

/** No page tells less than one that is expected to be on topic with this variance. */
const LEAST_VARIANCE = 0.02

export class OnlineRegression {
  readonly size: number
  /** The first is for the feature that is always 1. */
  readonly weights: Float64Array
  /** Row by row. */
  readonly #covariance: Float64Array
  /** Covariance times features: kept here, or each page would make a new one. */
  readonly #gains: Float64Array

  constructor(starts: readonly Start[]) {
    const size = starts.length
    this.size = size
    this.weights = Float64Array.from(starts, ({ mean }) => mean)
    this.#covariance = new Float64Array(size * size)
    for (const [at, { spread }] of starts.entries()) this.#covariance[at * size + at] = spread ** 2
    this.#gains = new Float64Array(size)
  }

  /** What is expected of such a page, 0 to 1. */
  expected(features: Float64Array): number {
    let sum = 0
    for (let at = 0; at < this.size; at++) sum += (this.weights[at] ?? 0) * (features[at] ?? 0)
    return sigmoid(sum)
  }

  /** `observed` from 0 to 1; the features are those that `expected` was computed from. */
  learn(features: Float64Array, observed: number, expected: number): void {
    const { size, weights } = this
    const gains = this.#gains
    const covariance = this.#covariance
    const doubt = this.#takeGains(features)
    const variance = Math.max(LEAST_VARIANCE, expected * (1 - expected))
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

  /** Weights and covariance, for `take`. */
  numbers(): number[] {
    return [...this.weights, ...this.#covariance]
  }

  get numbersKept(): number {
    return this.size * (1 + this.size)
  }

  /** Takes back what `numbers` gave. */
  take(numbers: readonly number[]): void {
    this.weights.set(numbers.slice(0, this.size))
    this.#covariance.set(numbers.slice(this.size, this.numbersKept))
  }

  /** Fills the gains; returns how little is known of such a page: the variance of the sum. */
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

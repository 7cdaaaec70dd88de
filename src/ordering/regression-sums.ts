// What some pages say about the weights of a regression, as sums, and how weights follow from sums.

/** Lower limit of the variance that a page is expected with. */
const LEAST_VARIANCE = 0.02

export function varianceOf(expected: number): number {
  return Math.max(LEAST_VARIANCE, expected * (1 - expected))
}

/** What some pages say about the weights, whatever else is known: an information matrix and its vector. */
export class RegressionSums {
  readonly size: number
  /** Row by row; symmetric. */
  readonly matrix: Float64Array
  readonly vector: Float64Array

  constructor(size: number) {
    this.size = size
    this.matrix = new Float64Array(size * size)
    this.vector = new Float64Array(size)
  }

  /** `weights` are those that the page was expected with. */
  learn(
    features: Float64Array,
    observed: number,
    { expected, weights }: { readonly expected: number; readonly weights: Float64Array },
  ): void {
    const { size, matrix, vector } = this
    const variance = varianceOf(expected)
    let odds = 0
    for (let at = 0; at < size; at++) odds += (weights[at] ?? 0) * (features[at] ?? 0)
    const pull = variance * odds + observed - expected
    for (let row = 0; row < size; row++) {
      const feature = features[row] ?? 0
      if (feature === 0) continue
      vector[row] = (vector[row] ?? 0) + feature * pull
      for (let column = 0; column < size; column++) {
        const cell = row * size + column
        matrix[cell] = (matrix[cell] ?? 0) + variance * feature * (features[column] ?? 0)
      }
    }
  }

  add(other: RegressionSums): void {
    for (const [at, value] of other.matrix.entries()) {
      this.matrix[at] = (this.matrix[at] ?? 0) + value
    }
    for (const [at, value] of other.vector.entries()) {
      this.vector[at] = (this.vector[at] ?? 0) + value
    }
  }

  /** The vector, and the half of the matrix that says all. */
  numbers(): number[] {
    const { size, matrix, vector } = this
    const numbers = [...vector]
    for (let row = 0; row < size; row++) {
      numbers.push(...matrix.subarray(row * size, row * size + row + 1))
    }
    return numbers
  }

  static numbersOf(size: number): number {
    return size + (size * (size + 1)) / 2
  }

  /** Null if these numbers cannot come from pages. */
  static from(numbers: readonly number[], size: number): RegressionSums | null {
    if (numbers.length !== RegressionSums.numbersOf(size) || !numbers.every(Number.isFinite)) {
      return null
    }
    const sums = new RegressionSums(size)
    sums.vector.set(numbers.slice(0, size))
    let at = size
    for (let row = 0; row < size; row++) {
      for (let column = 0; column <= row; column++) {
        const value = numbers[at++] ?? 0
        sums.matrix[row * size + column] = value
        sums.matrix[column * size + row] = value
      }
      if ((sums.matrix[row * size + row] ?? 0) < 0) return null
    }
    return sums
  }
}

const MAX_SWEEPS = 1000
const SMALL_STEP = 1e-9

/**
 * The weights at which `matrix · weights = vector`, or the nearest to that without a negative one after the
 * first. One weight at a time, until none moves; the others are not `free`.
 */
export function solve(
  matrix: Float64Array,
  vector: Float64Array,
  { weights, free }: { readonly weights: Float64Array; readonly free: readonly number[] },
): void {
  const { length: size } = vector
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let largest = 0
    for (const row of free) {
      let rest = vector[row] ?? 0
      for (let column = 0; column < size; column++) {
        if (column !== row) rest -= (matrix[row * size + column] ?? 0) * (weights[column] ?? 0)
      }
      const best = rest / (matrix[row * size + row] ?? 1)
      const weight = row > 0 && best < 0 ? 0 : best
      largest = Math.max(largest, Math.abs(weight - (weights[row] ?? 0)))
      weights[row] = weight
    }
    if (largest < SMALL_STEP) return
  }
}

/** The inverse over the free rows and columns; 0 elsewhere. Null if there is none, as with damaged numbers. */
export function inverseOf(
  matrix: Float64Array,
  { size, free }: { readonly size: number; readonly free: readonly number[] },
): Float64Array | null {
  const left = matrix.slice()
  const right = new Float64Array(size * size)
  for (const at of free) right[at * size + at] = 1
  for (const pivot of free) {
    const by = left[pivot * size + pivot] ?? 0
    if (!(by > 0)) return null
    for (const column of free) {
      left[pivot * size + column] = (left[pivot * size + column] ?? 0) / by
      right[pivot * size + column] = (right[pivot * size + column] ?? 0) / by
    }
    for (const row of free) {
      const factor = left[row * size + pivot] ?? 0
      if (row === pivot || factor === 0) continue
      for (const column of free) {
        const [cell, above] = [row * size + column, pivot * size + column]
        left[cell] = (left[cell] ?? 0) - factor * (left[above] ?? 0)
        right[cell] = (right[cell] ?? 0) - factor * (right[above] ?? 0)
      }
    }
  }
  return right.every(Number.isFinite) ? right : null
}

import type { BinnedColumn } from './bins.ts'
import type { TreeOptions } from './tree-grower.ts'

export type TrainingRows = {
  /** One column per feature, all of the same length. */
  readonly columns: readonly Float32Array[]
  /** The share of a row that is wanted, 0 to 1; a row whose label is no number is left out. */
  readonly labels: Float32Array
  readonly weights?: Float32Array
  /** The columns in bins, where several forests are trained on the same. */
  readonly binned?: readonly BinnedColumn[]
  /** Rows of one group (a page) are taken into a tree together or not at all. */
  readonly groups?: Uint32Array
}

export type FitOptions = TreeOptions & { readonly learningRate: number }

/** Rows, and what the trees so far say of them. */
export class Fit {
  readonly columns: readonly Float32Array[]
  readonly size: number
  readonly weights: Float32Array
  readonly bias: number
  /** Gradient and curvature of each row in turn. */
  readonly gradients: Float32Array
  readonly #labels: Float32Array
  readonly #logOdds: Float64Array
  readonly #options: FitOptions

  constructor(rows: TrainingRows, options: FitOptions, bias?: number) {
    this.columns = rows.columns
    this.size = rows.labels.length
    this.weights = rows.labels.map((label, i) =>
      Number.isNaN(label) ? 0 : (rows.weights?.[i] ?? 1),
    )
    this.#labels = rows.labels.map((label) => (Number.isNaN(label) ? 0 : label))
    this.bias = bias ?? this.#biasOfLabels()
    this.gradients = new Float32Array(this.size * 2)
    this.#logOdds = new Float64Array(this.size).fill(this.bias)
    this.#options = options
  }

  updateGradients(): void {
    const { gradients, weights } = this
    for (let i = 0; i < this.size; i++) {
      const p = 1 / (1 + Math.exp(-(this.#logOdds[i] ?? 0)))
      const weight = weights[i] ?? 0
      gradients[i * 2] = weight * (p - (this.#labels[i] ?? 0))
      gradients[i * 2 + 1] = weight * p * (1 - p)
    }
  }

  /** A step against the gradient for each leaf, by all rows and not only those of the tree. */
  leafValues(leafOf: Uint8Array, depth: number): Float64Array {
    const { l2, minChildWeight, learningRate } = this.#options
    const gradients = new Float64Array(1 << depth)
    const weights = new Float64Array(1 << depth)
    for (let i = 0; i < leafOf.length; i++) {
      const leaf = leafOf[i] ?? 0
      gradients[leaf] = (gradients[leaf] ?? 0) + (this.gradients[i * 2] ?? 0)
      weights[leaf] = (weights[leaf] ?? 0) + (this.gradients[i * 2 + 1] ?? 0)
    }
    return gradients.map((gradient, leaf) => {
      const weight = weights[leaf] ?? 0
      return weight < minChildWeight ? 0 : (-gradient / (weight + l2)) * learningRate
    })
  }

  add(leafOf: Uint8Array, leaves: Float64Array): void {
    for (let i = 0; i < this.size; i++) {
      this.#logOdds[i] = (this.#logOdds[i] ?? 0) + (leaves[leafOf[i] ?? 0] ?? 0)
    }
  }

  /** Weighted mean of the logistic loss. */
  loss(): number {
    let sum = 0
    let total = 0
    for (let i = 0; i < this.size; i++) {
      const weight = this.weights[i] ?? 0
      if (weight === 0) continue
      const odds = this.#logOdds[i] ?? 0
      const label = this.#labels[i] ?? 0
      sum += weight * (Math.max(odds, 0) - odds * label + Math.log1p(Math.exp(-Math.abs(odds))))
      total += weight
    }
    return total === 0 ? 0 : sum / total
  }

  #biasOfLabels(): number {
    let sum = 0
    let total = 0
    this.#labels.forEach((label, i) => {
      sum += label * (this.weights[i] ?? 0)
      total += this.weights[i] ?? 0
    })
    const share = total === 0 ? 0.5 : Math.min(Math.max(sum / total, 1e-6), 1 - 1e-6)
    return Math.fround(Math.log(share / (1 - share)))
  }
}

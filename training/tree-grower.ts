// Grows one oblivious tree on binned columns. A level is the one question that, asked of all leaves
// so far, gains most. The sums of gradients behind each (leaf, bin) come from one sweep over the
// rows per feature; below the root only the smaller child of each leaf is swept, the other is what
// is left of its parent.
import { type BinnedColumn, MAX_BINS } from './bins.ts'

export type TreeOptions = {
  readonly depth: number
  /** Added to the curvature of each leaf: the larger, the more careful its answer. */
  readonly l2: number
  /** A leaf with less curvature than this has nothing to say. */
  readonly minChildWeight: number
}

/** Is the row's bin of this feature greater than `bin`? */
export type Question = { readonly feature: number; readonly bin: number; readonly gain: number }

/** Numbers kept for one leaf of one feature: two sums for each bin. */
const STRIDE = MAX_BINS * 2
const BIN_BITS = Math.log2(MAX_BINS)

export class TreeGrower {
  readonly #columns: readonly BinnedColumn[]
  readonly #options: TreeOptions
  readonly #sums: readonly Float64Array[]
  readonly #spare: Float64Array
  readonly #leafOf: Uint8Array
  readonly #swept: Int32Array
  readonly #gains = new Float64Array(MAX_BINS)

  constructor(columns: readonly BinnedColumn[], rowCount: number, options: TreeOptions) {
    this.#columns = columns
    this.#options = options
    this.#sums = columns.map(() => new Float64Array((STRIDE << options.depth) >> 1))
    this.#spare = new Float64Array((STRIDE << options.depth) >> 1)
    this.#leafOf = new Uint8Array(rowCount)
    this.#swept = new Int32Array(rowCount)
  }

  /**
   * The questions of one tree, fewer than its depth where no more is gained. `gradients` holds
   * gradient and curvature of each row in turn; only `rows` and `features` are looked at.
   */
  grow(gradients: Float32Array, rows: Int32Array, features: readonly number[]): Question[] {
    const questions: Question[] = []
    this.#leafOf.fill(0)
    this.#sweepRoot(gradients, rows, features)
    for (;;) {
      const question = this.#best(features, 1 << questions.length)
      if (question === null) return questions
      questions.push(question)
      if (questions.length === this.#options.depth) return questions
      this.#descend(question, gradients, rows, features, 1 << questions.length)
    }
  }

  #sweepRoot(gradients: Float32Array, rows: Int32Array, features: readonly number[]): void {
    for (const feature of features) this.#sumsOf(feature).fill(0, 0, STRIDE)
    this.#addUp(gradients, rows, features)
  }

  /** Splits every leaf by the question and brings the sums of all features to the new leaves. */
  #descend(
    question: Question,
    gradients: Float32Array,
    rows: Int32Array,
    features: readonly number[],
    leaves: number,
  ): void {
    const counts = splitLeaves(this.#leafOf, this.#binsOf(question.feature), question.bin, rows)
    // Of two equals the first is swept.
    const smaller = counts.map((count, leaf) => {
      const sibling = counts[leaf ^ 1] ?? 0
      return count < sibling || (count === sibling && leaf % 2 === 0) ? 1 : 0
    })
    const swept = selectRows(this.#swept, this.#leafOf, smaller, rows)
    for (const feature of features) makeRoom(this.#sumsOf(feature), smaller, leaves)
    this.#addUp(gradients, swept, features)
    for (const feature of features) subtractSmaller(this.#sumsOf(feature), smaller, leaves)
  }

  /** Where there are fewer than four features left, the rest goes to sums that nobody reads. */
  #addUp(gradients: Float32Array, rows: Int32Array, features: readonly number[]): void {
    const sums = (feature = SPARE) => this.#sums[feature] ?? this.#spare
    const bins = (feature = SPARE) => this.#columns[feature]?.bins ?? this.#leafOf
    for (let i = 0; i < features.length; i += 4) {
      const [a, b, c, d] = features.slice(i, i + 4)
      addUpFour(
        [sums(a), sums(b), sums(c), sums(d)],
        [bins(a), bins(b), bins(c), bins(d)],
        this.#leafOf,
        gradients,
        rows,
      )
    }
  }

  #best(features: readonly number[], leaves: number): Question | null {
    let best: Question | null = null
    for (const feature of features) {
      const borders = this.#columns[feature]?.thresholds.length ?? 0
      const base = this.#weigh(this.#sumsOf(feature), borders, leaves)
      for (let bin = 0; bin < borders; bin++) {
        const gain = (this.#gains[bin] ?? 0) - base
        if (gain > (best?.gain ?? 1e-9)) best = { feature, bin, gain }
      }
    }
    return best
  }

  /** What all leaves are worth when split at each border, into `#gains`; returns it unsplit. */
  #weigh(sums: Float64Array, borders: number, leaves: number): number {
    const { l2, minChildWeight } = this.#options
    const gains = this.#gains
    let base = 0
    gains.fill(0)
    for (let leaf = 0; leaf < leaves; leaf++) {
      const from = leaf * STRIDE
      let gradient = 0
      let weight = 0
      for (let i = from; i <= from + borders * 2; i += 2) {
        gradient += sums[i] ?? 0
        weight += sums[i + 1] ?? 0
      }
      if (weight < minChildWeight) continue
      base += worth(gradient, weight, l2, minChildWeight)
      let below = 0
      let weightBelow = 0
      for (let bin = 0; bin < borders; bin++) {
        below += sums[from + bin * 2] ?? 0
        weightBelow += sums[from + bin * 2 + 1] ?? 0
        gains[bin] =
          (gains[bin] ?? 0) +
          worth(below, weightBelow, l2, minChildWeight) +
          worth(gradient - below, weight - weightBelow, l2, minChildWeight)
      }
    }
    return base
  }

  #sumsOf(feature: number): Float64Array {
    return this.#sums[feature] ?? NO_SUMS
  }

  #binsOf(feature: number): Uint8Array {
    return this.#columns[feature]?.bins ?? NO_BINS
  }
}

const SPARE = -1
const NO_SUMS = new Float64Array(0)
const NO_BINS = new Uint8Array(0)

function worth(gradient: number, weight: number, l2: number, minWeight: number): number {
  return weight < minWeight ? 0 : (gradient * gradient) / (weight + l2)
}

/** Four features in one sweep: a row's leaf and gradients are read once, in 0.6 of the time. */
function addUpFour(
  [sums0, sums1, sums2, sums3]: Four<Float64Array>,
  [bins0, bins1, bins2, bins3]: Four<Uint8Array>,
  leafOf: Uint8Array,
  gradients: Float32Array,
  rows: Int32Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    const leaf = (leafOf[row] ?? 0) << BIN_BITS
    const gradient = gradients[row << 1] ?? 0
    const weight = gradients[(row << 1) | 1] ?? 0
    const at0 = (leaf | (bins0[row] ?? 0)) << 1
    const at1 = (leaf | (bins1[row] ?? 0)) << 1
    const at2 = (leaf | (bins2[row] ?? 0)) << 1
    const at3 = (leaf | (bins3[row] ?? 0)) << 1
    sums0[at0] = (sums0[at0] ?? 0) + gradient
    sums0[at0 | 1] = (sums0[at0 | 1] ?? 0) + weight
    sums1[at1] = (sums1[at1] ?? 0) + gradient
    sums1[at1 | 1] = (sums1[at1 | 1] ?? 0) + weight
    sums2[at2] = (sums2[at2] ?? 0) + gradient
    sums2[at2 | 1] = (sums2[at2 | 1] ?? 0) + weight
    sums3[at3] = (sums3[at3] ?? 0) + gradient
    sums3[at3 | 1] = (sums3[at3 | 1] ?? 0) + weight
  }
}
type Four<T> = readonly [T, T, T, T]

/** Gives each row its new leaf and counts the rows of each. */
function splitLeaves(
  leafOf: Uint8Array,
  bins: Uint8Array,
  bin: number,
  rows: Int32Array,
): Int32Array {
  const counts = new Int32Array(256)
  for (const row of rows) {
    const leaf = (leafOf[row] ?? 0) * 2 + ((bins[row] ?? 0) > bin ? 1 : 0)
    leafOf[row] = leaf
    counts[leaf] = (counts[leaf] ?? 0) + 1
  }
  return counts
}

function selectRows(
  into: Int32Array,
  leafOf: Uint8Array,
  chosenLeaves: Int32Array,
  rows: Int32Array,
): Int32Array {
  let count = 0
  for (const row of rows) if (chosenLeaves[leafOf[row] ?? 0] === 1) into[count++] = row
  return into.subarray(0, count)
}

/** A parent's sums move to its larger child, from the last leaf down so that none is overwritten. */
function makeRoom(sums: Float64Array, smaller: Int32Array, leaves: number): void {
  for (let parent = leaves / 2 - 1; parent >= 0; parent--) {
    const small = smaller[parent * 2] === 1 ? parent * 2 : parent * 2 + 1
    sums.copyWithin((small ^ 1) * STRIDE, parent * STRIDE, (parent + 1) * STRIDE)
    sums.fill(0, small * STRIDE, (small + 1) * STRIDE)
  }
}

function subtractSmaller(sums: Float64Array, smaller: Int32Array, leaves: number): void {
  for (let small = 0; small < leaves; small++) {
    if (smaller[small] !== 1) continue
    const from = small * STRIDE
    const other = (small ^ 1) * STRIDE
    for (let i = 0; i < STRIDE; i++) {
      sums[other + i] = (sums[other + i] ?? 0) - (sums[from + i] ?? 0)
    }
  }
}

// Trains the forest of src/parser/forest/forest.ts: gradient boosting of oblivious trees with
// logistic loss, on columns put into bins. Same rows, options and seed give the same forest, to the
// bit. Several classes are several forests, one against the rest; that is the caller's affair.
import type { Forest } from '../src/parser/forest/forest.ts'
import { MAX_DEPTH } from '../src/parser/forest/forest.ts'
import { type BinnedColumn, binColumns, MAX_BINS } from './bins.ts'
import { Fit, type TrainingRows } from './fit.ts'
import { sample, seededRandom } from './random.ts'
import { type Question, TreeGrower } from './tree-grower.ts'

export type TrainingOptions = {
  /** At most; a round in which nothing is gained brings none. */
  readonly trees: number
  readonly depth: number
  readonly learningRate: number
  readonly l2: number
  readonly minChildWeight: number
  readonly maxBins: number
  /** Share of the rows (or groups) and of the features that each tree may see. */
  readonly rowShare: number
  readonly featureShare: number
  readonly seed: number
  /** Stop when this many trees have not brought the loss on `validation` down; 0 = never. */
  readonly patience: number
}

export const TRAINING_DEFAULTS: TrainingOptions = {
  trees: 150,
  depth: MAX_DEPTH,
  learningRate: 0.1,
  l2: 3,
  minChildWeight: 5,
  maxBins: MAX_BINS,
  rowShare: 0.7,
  featureShare: 0.5,
  seed: 1,
  patience: 0,
}

export type TrainedForest = {
  readonly forest: Forest
  /** What each feature's questions gained, as shares of the whole. */
  readonly importance: Float64Array
  /** Mean loss after each tree, on the rows trained on and on `validation` (else not a number). */
  readonly losses: readonly { readonly training: number; readonly validation: number }[]
}

type Tree = { readonly questions: readonly Question[]; readonly leaves: Float64Array }

export function trainForest(
  rows: TrainingRows,
  some: Partial<TrainingOptions> = {},
  validation?: TrainingRows,
): TrainedForest {
  const options = { ...TRAINING_DEFAULTS, ...some }
  const columns = rows.binned ?? binColumns(rows.columns, options.maxBins)
  const grower = new TreeGrower(columns, rows.labels.length, options)
  const random = seededRandom(options.seed)
  const training = new Fit(rows, options)
  const held = validation === undefined ? null : new Fit(validation, options, training.bias)
  const pick = rowPicker(rows, training.weights, options.rowShare, random)
  const featureCount = Math.max(1, Math.round(columns.length * options.featureShare))
  const trees: Tree[] = []
  const losses: { training: number; validation: number }[] = []
  let best = { trees: 0, loss: Number.POSITIVE_INFINITY }
  for (let round = 0; round < options.trees; round++) {
    training.updateGradients()
    const features = sample(columns.length, featureCount, random)
    const questions = grower.grow(training.gradients, pick(), features)
    if (questions.length === 0) continue
    const leafOf = leavesOfBins(columns, questions, rows.labels.length)
    const tree = { questions, leaves: training.leafValues(leafOf, questions.length) }
    trees.push(tree)
    training.add(leafOf, tree.leaves)
    held?.add(leavesOfValues(columns, tree, held.columns, held.size), tree.leaves)
    const loss = { training: training.loss(), validation: held?.loss() ?? Number.NaN }
    losses.push(loss)
    if (loss.validation < best.loss) best = { trees: trees.length, loss: loss.validation }
    if (held && options.patience > 0 && trees.length - best.trees >= options.patience) break
  }
  const kept = held && options.patience > 0 ? trees.slice(0, best.trees) : trees
  return {
    forest: forestOf(kept, columns, training.bias),
    importance: importanceOf(kept, columns.length),
    losses,
  }
}

/** Chooses the rows of the next tree, whole groups where there are any; never one without weight. */
function rowPicker(
  rows: TrainingRows,
  weights: Float32Array,
  share: number,
  random: () => number,
): () => Int32Array {
  const groups = rows.groups ?? Uint32Array.from({ length: weights.length }, (_, i) => i)
  const groupCount = groups.reduce((most, group) => Math.max(most, group + 1), 0)
  return () => {
    const inside = new Uint8Array(groupCount).map(() => (random() < share ? 1 : 0))
    const chosen = new Int32Array(weights.length)
    let count = 0
    for (let i = 0; i < weights.length; i++) {
      if (inside[groups[i] ?? 0] === 1 && (weights[i] ?? 0) > 0) chosen[count++] = i
    }
    return chosen.subarray(0, count)
  }
}

function leavesOfBins(
  columns: readonly BinnedColumn[],
  questions: readonly Question[],
  size: number,
): Uint8Array {
  const leafOf = new Uint8Array(size)
  for (const { feature, bin } of questions) {
    const bins = columns[feature]?.bins ?? leafOf
    for (let i = 0; i < size; i++) {
      leafOf[i] = (leafOf[i] ?? 0) * 2 + ((bins[i] ?? 0) > bin ? 1 : 0)
    }
  }
  return leafOf
}

function leavesOfValues(
  columns: readonly BinnedColumn[],
  tree: Tree,
  values: readonly Float32Array[],
  size: number,
): Uint8Array {
  const leafOf = new Uint8Array(size)
  for (const { feature, bin } of tree.questions) {
    const threshold = columns[feature]?.thresholds[bin] ?? 0
    const column = values[feature] ?? new Float32Array(size)
    for (let i = 0; i < size; i++) {
      leafOf[i] = (leafOf[i] ?? 0) * 2 + ((column[i] ?? 0) > threshold ? 1 : 0)
    }
  }
  return leafOf
}

/** Leaves become 16-bit numbers of one scale, the largest of them the largest number. */
function forestOf(trees: readonly Tree[], columns: readonly BinnedColumn[], bias: number): Forest {
  const questions = trees.flatMap((tree) => tree.questions)
  const leaves = trees.flatMap((tree) => [...tree.leaves])
  const largest = leaves.reduce((most, leaf) => Math.max(most, Math.abs(leaf)), 0)
  const scale = Math.fround(largest === 0 ? 1 : largest / 32_767)
  return {
    featureCount: columns.length,
    bias,
    scale,
    depths: Uint8Array.from(trees, (tree) => tree.questions.length),
    features: Uint16Array.from(questions, (question) => question.feature),
    thresholds: Float32Array.from(
      questions,
      ({ feature, bin }) => columns[feature]?.thresholds[bin] ?? 0,
    ),
    leaves: Int16Array.from(leaves, (leaf) =>
      Math.max(-32_767, Math.min(32_767, Math.round(leaf / scale))),
    ),
  }
}

function importanceOf(trees: readonly Tree[], featureCount: number): Float64Array {
  const gains = new Float64Array(featureCount)
  for (const { questions } of trees) {
    for (const { feature, gain } of questions) gains[feature] = (gains[feature] ?? 0) + gain
  }
  const total = gains.reduce((sum, gain) => sum + gain, 0)
  return total === 0 ? gains : gains.map((gain) => gain / total)
}

// Measures how well Naive Bayes judges texts that it has not learned from, without training it again for
// each: the contribution of a text is subtracted from the sums while that text is scored. Smoothing and scale
// are chosen by this, and logistic regression starts from it: scores of learned texts would look far too
// certain.
import { type Examples, sumByLabel } from './examples.ts'

/**
 * The texts that describe a label: its own (the textbook), or all others (complement Naive Bayes), of which
 * there are more, so that rare labels are described as well as common ones.
 */
export const BAYES_KINDS = ['own', 'complement'] as const
export type BayesKind = (typeof BAYES_KINDS)[number]

/** From hardly any smoothing to Laplace's. */
export const SMOOTHINGS: readonly [number, ...number[]] = [0.01, 0.03, 0.1, 0.3, 1]
/** Number of texts that smoothing is chosen by; more change nothing. */
const JUDGED_TEXTS = 3000

/** A stride that selects about JUDGED_TEXTS of the examples, spread over all of them. */
export function strideFor({ labelOf }: Pick<Examples, 'labelOf'>): number {
  return Math.max(1, Math.ceil(labelOf.length / JUDGED_TEXTS))
}

type BayesSums = {
  readonly kind: BayesKind
  /** Column × labels + label: the term's weight in the texts that describe the label. */
  readonly sums: Float64Array
  /** The same over all columns, by label. */
  readonly totals: Float64Array
}

/** `values` has one number per cell; the result has the sums. */
export function bayesSums(examples: Examples, values: Float64Array, kind: BayesKind): BayesSums {
  const labels = examples.labels.length
  const sums = sumByLabel(examples, values)
  const totals = new Float64Array(labels)
  for (let row = 0; row < sums.length; row += labels) {
    let all = 0
    for (let label = 0; label < labels; label++) all += sums[row + label] ?? 0
    for (let label = 0; label < labels; label++) {
      const at = row + label
      if (kind === 'complement') sums[at] = all - (sums[at] ?? 0)
      totals[label] = (totals[label] ?? 0) + (sums[at] ?? 0)
    }
  }
  return { kind, sums, totals }
}

type LeaveOneOut = {
  readonly examples: Examples
  readonly values: Float64Array
  readonly learned: BayesSums
  readonly smoothing: number
  /** Every n-th text is scored; 1 for all. */
  readonly stride: number
}

/** The scores by label of every scored text, concatenated. */
export function leaveOneOut(options: LeaveOneOut): Float64Array {
  const { examples, stride } = options
  const labels = examples.labels.length
  const texts = Math.ceil(examples.labelOf.length / stride)
  const scores = new Float64Array(texts * labels)
  for (let n = 0; n < texts; n++) scoreText(options, n * stride, scores, n * labels)
  return scores
}

function scoreText(
  { examples, values, learned, smoothing }: LeaveOneOut,
  text: number,
  scores: Float64Array,
  at: number,
): void {
  const { labels, labelOf, starts, columns, terms } = examples
  const { kind, sums, totals } = learned
  const begin = starts[text] ?? 0
  const end = starts[text + 1] ?? 0
  let weight = 0
  for (let cell = begin; cell < end; cell++) weight += values[cell] ?? 0
  const sign = kind === 'own' ? 1 : -1
  for (let label = 0; label < labels.length; label++) {
    const taken = (label === labelOf[text]) === (kind === 'own') ? 1 : 0
    const total = (totals[label] ?? 0) - taken * weight + smoothing * terms.length
    let score = -weight * Math.log(total)
    for (let cell = begin; cell < end; cell++) {
      const value = values[cell] ?? 0
      const sum = (sums[(columns[cell] ?? 0) * labels.length + label] ?? 0) - taken * value
      // Summing in another order may leave a small rest instead of 0.
      score += value * Math.log(Math.max(0, sum) + smoothing)
    }
    scores[at + label] = sign * score
  }
}

type Calibration = {
  /** Scores times this are log-odds. */
  readonly scale: number
  /** Mean of -log(probability of the true label): 0 is perfect. */
  readonly logLoss: number
}

const MAX_SCALE = 1000
/** Each step halves the interval: enough for seven digits. */
const HALVINGS = 34

/**
 * The scale under which scores are right as often as they say. Nothing is certain: with n texts per label the
 * truth counts as (n + 1) / (n + 2), so that few and easy texts do not give probabilities of 0 and 1.
 */
export function calibrate(
  scores: Float64Array,
  { labels: { length: labels }, labelOf }: Pick<Examples, 'labels' | 'labelOf'>,
  stride: number,
): Calibration {
  const texts = scores.length / labels
  const doubt = 1 / (texts / labels + 2)
  const labelled = { scores, labels, labelOf, stride, doubt }
  let [low, high] = [0, MAX_SCALE]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (lossAt(labelled, middle).slope < 0) low = middle
    else high = middle
  }
  return { scale: low, logLoss: lossAt(labelled, low).loss }
}

type Labelled = {
  readonly scores: Float64Array
  readonly labels: number
  readonly labelOf: Int32Array
  readonly stride: number
  readonly doubt: number
}

/** The mean loss at a scale, and its slope; it is convex. */
function lossAt({ scores, labels, labelOf, stride, doubt }: Labelled, scale: number) {
  const share = doubt / Math.max(1, labels - 1)
  let loss = 0
  let slope = 0
  const texts = scores.length / labels
  for (let text = 0; text < texts; text++) {
    const at = text * labels
    let [highest, mean] = [Number.NEGATIVE_INFINITY, 0]
    for (let label = 0; label < labels; label++) {
      const score = scores[at + label] ?? 0
      highest = Math.max(highest, score)
      mean += share * score
    }
    const truth = scores[at + (labelOf[text * stride] ?? 0)] ?? 0
    const wanted = mean + (1 - doubt - share) * truth
    let [sum, expected] = [0, 0]
    for (let label = 0; label < labels; label++) {
      const score = scores[at + label] ?? 0
      const odds = Math.exp(scale * (score - highest))
      sum += odds
      expected += odds * score
    }
    loss += Math.log(sum) + scale * (highest - wanted)
    slope += expected / sum - wanted
  }
  return { loss: loss / texts, slope: slope / texts }
}

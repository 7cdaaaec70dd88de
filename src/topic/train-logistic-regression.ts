// Training of logistic regression. Terms that the examples say little about keep their initial weights, and
// there are two starts. From zero: such terms say nothing. From complement Naive Bayes, on a fitted scale:
// with few short texts the result is then close to Naive Bayes, which no regression from zero achieves, and
// it follows the examples more the more there are. The Naive Bayes judgement of each example excludes that
// example (leave-one-out.ts); otherwise nothing would seem left to learn.
import { minimise } from '../lib/minimise.ts'
import type { Examples } from './examples.ts'
import { bayesSums, calibrate, leaveOneOut, SMOOTHINGS, strideFor } from './leave-one-out.ts'
import { LinearClassifier } from './linear-classifier.ts'
import { tfIdfOf } from './train-naive-bayes.ts'

type LogisticOptions = {
  /** The variance of weights around their start. */
  readonly freedom: number
  /** 1: labels have equal weight however many texts they have; 0: texts have equal weight. */
  readonly balance: number
  /** Weights are exact to about this times `freedom`. */
  readonly tolerance?: number
}

/** For some tens of long pages, on topic and off. */
const FOR_PAGES: LogisticOptions = { freedom: 10, balance: 1 }

/** Weights are about 1, and nothing depends on more digits. */
const TOLERANCE = 0.01
const MAX_STEPS = 200

/** The initial weights, and the resulting scores of each example. */
export type Start = {
  /** By cell: TF-IDF, each text with length 1. */
  readonly values: Float64Array
  /** Column × labels + label. */
  readonly weights: Float64Array
  /** Text × labels + label. */
  readonly scores: Float64Array
  /** How well that judges unseen texts; for comparing ways to read them. */
  readonly logLoss: number
}

export function trainLogisticRegression(
  examples: Examples,
  start = startFromNothing(examples),
  options = FOR_PAGES,
): LinearClassifier {
  const { labels, labelOf, terms, textsWith } = examples
  const size = terms.length * labels.length
  const objective = objectiveOf(examples, start, options)
  const { at } = minimise(objective, {
    start: new Float64Array(size + labels.length),
    tolerance: options.tolerance ?? TOLERANCE,
    maxSteps: MAX_STEPS,
  })
  const weights = start.weights.map((weight, index) => weight + (at[index] ?? 0))
  const bias = at.slice(size)
  return new LinearClassifier({
    labels,
    texts: labelOf.length,
    terms,
    textsWith,
    weights,
    bias,
    input: 'tf-idf',
  })
}

export function startFromNothing(examples: Examples): Start {
  const { labels, labelOf, terms } = examples
  return {
    values: tfIdfOf(examples),
    weights: new Float64Array(terms.length * labels.length),
    scores: new Float64Array(labelOf.length * labels.length),
    logLoss: Math.log(labels.length),
  }
}

export function startFromBayes(examples: Examples): Start {
  const values = tfIdfOf(examples)
  const learned = bayesSums(examples, values, 'complement')
  const stride = strideFor(examples)
  const judged = { examples, values, learned }
  const calibrations = new Map(
    SMOOTHINGS.map((smoothing) => {
      const scores = leaveOneOut({ ...judged, smoothing, stride })
      return [smoothing, calibrate(scores, examples, stride)] as const
    }),
  )
  const lossOf = (smoothing: number) => calibrations.get(smoothing)?.logLoss ?? 0
  const smoothing = best(SMOOTHINGS, lossOf)
  const { scale = 0, logLoss = 0 } = calibrations.get(smoothing) ?? {}
  const scores = leaveOneOut({ ...judged, smoothing, stride: 1 }).map((score) => score * scale)
  const width = examples.labels.length
  const room = smoothing * examples.terms.length
  const logTotals = learned.totals.map((total) => Math.log(total + room))
  const weights = learned.sums.map(
    (sum, at) => scale * ((logTotals[at % width] ?? 0) - Math.log(Math.max(0, sum) + smoothing)),
  )
  centreRows(weights, width)
  return { values, weights, scores, logLoss }
}

/** Subtracts from each term its mean over all labels. */
function centreRows(weights: Float64Array, width: number): void {
  for (let row = 0; row < weights.length; row += width) {
    let sum = 0
    for (let at = row; at < row + width; at++) sum += weights[at] ?? 0
    for (let at = row; at < row + width; at++) weights[at] = (weights[at] ?? 0) - sum / width
  }
}

/**
 * The loss over all examples plus the penalty for leaving the start, with its slope. The variables are the
 * differences from the start: column × labels + label, then the bias by label, which has no penalty.
 */
export function objectiveOf(
  examples: Examples,
  { values, scores: started }: Pick<Start, 'values' | 'scores'>,
  { freedom, balance }: LogisticOptions,
): (at: Float64Array, slope: Float64Array) => number {
  const { labels, labelOf, starts, columns, terms } = examples
  const width = labels.length
  const size = terms.length * width
  const importance = importanceOf(examples, balance)
  const scores = new Float64Array(width)
  return (at, slope) => {
    slope.fill(0, size)
    let value = 0
    for (let index = 0; index < size; index++) {
      const away = at[index] ?? 0
      slope[index] = away / freedom
      value += (away * away) / (2 * freedom)
    }
    for (let text = 0; text < labelOf.length; text++) {
      const [begin, end] = [starts[text] ?? 0, starts[text + 1] ?? 0]
      for (let label = 0; label < width; label++) {
        scores[label] = (started[text * width + label] ?? 0) + (at[size + label] ?? 0)
      }
      for (let cell = begin; cell < end; cell++) {
        const x = values[cell] ?? 0
        const from = (columns[cell] ?? 0) * width
        for (let label = 0; label < width; label++) {
          scores[label] = (scores[label] ?? 0) + x * (at[from + label] ?? 0)
        }
      }
      const truth = labelOf[text] ?? 0
      const weight = importance[truth] ?? 0
      value += weight * errorsInto(scores, truth, weight)
      for (let label = 0; label < width; label++) {
        slope[size + label] = (slope[size + label] ?? 0) + (scores[label] ?? 0)
      }
      for (let cell = begin; cell < end; cell++) {
        const x = values[cell] ?? 0
        const from = (columns[cell] ?? 0) * width
        for (let label = 0; label < width; label++) {
          slope[from + label] = (slope[from + label] ?? 0) + x * (scores[label] ?? 0)
        }
      }
    }
    return value
  }
}

/** Returns the loss, and replaces scores by weighted differences of probability and truth. */
function errorsInto(scores: Float64Array, truth: number, weight: number): number {
  let highest = Number.NEGATIVE_INFINITY
  for (const score of scores) highest = Math.max(highest, score)
  const wanted = (scores[truth] ?? 0) - highest
  let sum = 0
  for (let label = 0; label < scores.length; label++) {
    const odds = Math.exp((scores[label] ?? 0) - highest)
    scores[label] = odds
    sum += odds
  }
  for (let label = 0; label < scores.length; label++) {
    const share = (scores[label] ?? 0) / sum
    scores[label] = weight * (share - (label === truth ? 1 : 0))
  }
  return Math.log(sum) - wanted
}

/** By label: the weight of one of its texts; 1 on average over all texts. */
function importanceOf({ textsPerLabel, labelOf }: Examples, balance: number): Float64Array {
  const importance = textsPerLabel.map((count) => (count === 0 ? 0 : count ** -balance))
  const sum = textsPerLabel.reduce((all, count, label) => all + count * (importance[label] ?? 0), 0)
  return importance.map((one) => (one * labelOf.length) / sum)
}

/** The choice with the lowest loss; the first one if several are equal. */
export function best<T>(choices: readonly [T, ...T[]], lossOf: (choice: T) => number): T {
  const ranked = choices.map((choice) => ({ choice, loss: lossOf(choice) }))
  return ranked.reduce((a, b) => (b.loss < a.loss ? b : a)).choice
}

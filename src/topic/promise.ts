// A crawl learns from a second regression over the same examples, which follows rare words as readily as
// common ones. It judges less well whether a page is on topic, but it recognises pages near the topic, and
// those lead to others. With it nAUC20 of adaptive rose from 72 to 77 over the eight topics of the
// development web and from 79 to 86 over twelve more on the same web; it was chosen on these topics, so
// elsewhere the gain may be smaller.
import type { Examples } from './examples.ts'
import type { LinearClassifier } from './linear-classifier.ts'
import { startFromNothing, trainLogisticRegression } from './train-logistic-regression.ts'

/** With more freedom it would be certain of everything, and a prefix could not be half good. */
const OPTIONS = { freedom: 10, balance: 1 }

export type Leaning = {
  /** By column: the pull towards the topic, a factor for the TF-IDF of a text of length 1. */
  readonly pulls: Float64Array
  readonly bias: number
}

/** Takes two labels; the first is the topic. */
export function trainPromise(examples: Examples): Leaning {
  const start = startFromNothing(examples)
  const scales = evenScales(examples, start.values)
  const { columns } = examples
  const values = start.values.map((value, cell) => value * (scales[columns[cell] ?? 0] ?? 0))
  const { knowledge } = trainLogisticRegression(examples, { ...start, values }, OPTIONS)
  return { pulls: pullsOf(knowledge, scales), bias: differenceAt(knowledge.bias, 0) }
}

function pullsOf({ weights }: LinearClassifier['knowledge'], scales: Float64Array): Float64Array {
  return scales.map((scale, column) => scale * differenceAt(weights, column))
}

function differenceAt(weights: Float64Array, row: number): number {
  return (weights[2 * row] ?? 0) - (weights[2 * row + 1] ?? 0)
}

/** By column: the factor that makes all columns equally long and keeps their total. */
function evenScales({ terms, columns }: Examples, values: Float64Array): Float64Array {
  const squares = new Float64Array(terms.length)
  let sum = 0
  for (let cell = 0; cell < values.length; cell++) {
    const square = (values[cell] ?? 0) ** 2
    squares[columns[cell] ?? 0] = (squares[columns[cell] ?? 0] ?? 0) + square
    sum += square
  }
  const usual = Math.sqrt(sum / Math.max(1, terms.length))
  return squares.map((square) => (square === 0 ? 0 : usual / Math.sqrt(square)))
}

// Training of Naive Bayes. The variant, one of four, and the smoothing are chosen by the number of texts that
// get the right label in leave-one-out judgements; ties are decided by how right the probabilities are. The
// same judgements then give scale and bias.
import { TermTable } from '../text/term-table.ts'
import { type Examples, sumByLabel } from './examples.ts'
import {
  BAYES_KINDS,
  type BayesKind,
  bayesSums,
  calibrate,
  leaveOneOut,
  SMOOTHINGS,
  strideFor,
} from './leave-one-out.ts'
import { dampedCount, INPUTS, type Input, rarity } from './linear-classifier.ts'
import { logPriors, NaiveBayes } from './naive-bayes.ts'
import { fitScores } from './score-fit.ts'

type Values = Readonly<Record<Input, Float64Array>>

/** One variant with a smoothing, and its result on texts it has not learned from. */
type Tried = {
  readonly kind: BayesKind
  readonly input: Input
  readonly smoothing: number
  /** Number of texts with a wrong label. */
  readonly wrong: number
  readonly logLoss: number
  readonly scale: number
  readonly bias: Float64Array
  /** Text × labels + label. */
  readonly scores: Float64Array
}

export function trainNaiveBayes(examples: Examples): NaiveBayes {
  const { labels, textsPerLabel, terms, textsWith, counts } = examples
  const values = { counts, 'tf-idf': tfIdfOf(examples) }
  const { kind, input, smoothing, scale, bias } = INPUTS.flatMap((input) =>
    BAYES_KINDS.map((kind) => fitted(bestSmoothing(kind, input, { examples, values }), examples)),
  ).reduce(better)
  return new NaiveBayes({
    labels,
    textsPerLabel,
    terms,
    textsWith,
    counts: sumByLabel(examples, counts),
    tfIdf: input === 'tf-idf' ? sumByLabel(examples, values['tf-idf']) : null,
    kind,
    smoothing,
    scale,
    bias,
  })
}

/** The textbook version: no scale, and the shares of the labels as bias. */
export function trainTextbookBayes(examples: Examples, smoothing: number): NaiveBayes {
  const { labels, textsPerLabel, terms, textsWith, counts } = examples
  return new NaiveBayes({
    labels,
    textsPerLabel,
    terms,
    textsWith,
    counts: sumByLabel(examples, counts),
    tfIdf: null,
    kind: 'own',
    smoothing,
    scale: 1,
    bias: logPriors(textsPerLabel),
  })
}

/** By term: the log-odds of the first of two labels. */
export function termLogOdds(examples: Examples, smoothing: number): TermTable {
  const { terms, weights } = trainTextbookBayes(examples, smoothing).linear.knowledge
  const odds = new TermTable(terms.length)
  for (let row = 0; row < terms.length; row++) {
    odds.set(terms[row] ?? 0, (weights[2 * row] ?? 0) - (weights[2 * row + 1] ?? 0))
  }
  return odds
}

function bestSmoothing(
  kind: BayesKind,
  input: Input,
  { examples, values }: { readonly examples: Examples; readonly values: Values },
): Tried {
  const stride = strideFor(examples)
  const learned = bayesSums(examples, values[input], kind)
  const bias = new Float64Array(examples.labels.length)
  return SMOOTHINGS.map((smoothing): Tried => {
    const scores = leaveOneOut({ examples, values: values[input], learned, smoothing, stride })
    const { scale, logLoss } = calibrate(scores, examples, stride)
    const wrong = wrongOf(scores, examples, bias)
    return { kind, input, smoothing, wrong, logLoss, scale, bias, scores }
  }).reduce(better)
}

function better(one: Tried, other: Tried): Tried {
  if (one.wrong !== other.wrong) return one.wrong < other.wrong ? one : other
  return other.logLoss < one.logLoss ? other : one
}

/** Adds one shift per label, which complement Naive Bayes needs if labels differ in size. */
function fitted(tried: Tried, examples: Examples): Tried {
  const stride = strideFor(examples)
  const labelOf = examples.labelOf.filter((_, text) => text % stride === 0)
  const scaled = tried.scores.map((score) => score * tried.scale)
  const { scale, shifts } = fitScores(scaled, { labels: examples.labels, labelOf })
  const scores = scaled.map((score) => score * scale)
  const wrong = wrongOf(scores, examples, shifts)
  return { ...tried, scores, wrong, scale: scale * tried.scale, bias: shifts }
}

/** Number of texts whose true label does not score above all others. */
function wrongOf(scores: Float64Array, examples: Examples, bias: Float64Array): number {
  const width = bias.length
  const stride = strideFor(examples)
  let wrong = 0
  for (let at = 0; at < scores.length; at += width) {
    const truth = examples.labelOf[(at / width) * stride] ?? 0
    const scoreOf = (label: number) => (scores[at + label] ?? 0) + (bias[label] ?? 0)
    const own = scoreOf(truth)
    let isRight = true
    for (let label = 0; label < width && isRight; label++) {
      isRight = label === truth || scoreOf(label) < own
    }
    if (!isRight) wrong++
  }
  return wrong
}

/** Converts counted texts to TF-IDF: damped counts times rarity, each text scaled to length 1. By cell. */
export function tfIdfOf({ labelOf, starts, columns, counts, textsWith }: Examples): Float64Array {
  const rarities = Float64Array.from(textsWith, (count) => rarity(labelOf.length, count))
  const values = new Float64Array(columns.length)
  for (let text = 0; text < labelOf.length; text++) {
    const [begin, end] = [starts[text] ?? 0, starts[text + 1] ?? 0]
    let squares = 0
    for (let cell = begin; cell < end; cell++) {
      const value = dampedCount(counts[cell] ?? 0) * (rarities[columns[cell] ?? 0] ?? 0)
      values[cell] = value
      squares += value * value
    }
    const length = Math.sqrt(squares)
    for (let cell = begin; cell < end; cell++) values[cell] = (values[cell] ?? 0) / length
  }
  return values
}

// Chooses the logistic regression that suits the texts: with many labels and short texts it does best when it
// starts from Naive Bayes; with a few long pages, on topic and off, from zero. The choice is made by folds
// within the texts that may be learned from; a sample of them is enough.
import {
  countsOf,
  createExamples,
  type Example,
  type Examples,
  selectTexts,
  splitAt,
  stratifiedFolds,
} from './examples.ts'
import { LinearClassifier } from './linear-classifier.ts'
import { fitScores } from './score-fit.ts'
import {
  best,
  type Start,
  startFromBayes,
  startFromNothing,
  trainLogisticRegression,
} from './train-logistic-regression.ts'

type Regression = { readonly startsFrom: 'bayes' | 'nothing'; readonly freedom: number }

const REGRESSIONS: readonly [Regression, ...Regression[]] = [
  { startsFrom: 'bayes', freedom: 5 },
  { startsFrom: 'nothing', freedom: 10 },
]
/** Half way between labels and texts: rare labels count, and three texts do not outweigh many. */
const BALANCE = 0.5
const FOLDS = 3
const SAMPLE = 800
/** A tolerance that is enough to compare them. */
const ROUGHLY = 0.05
/** Lower limit of a probability, so that the loss is finite if the truth was held impossible. */
const LEAST = 1e-12

/** The best of them, trained on all examples. `fromBayes` avoids computing that start again. */
export function trainBestRegression(
  labels: readonly string[],
  examples: readonly Example[],
  { table, fromBayes }: { readonly table: Examples; readonly fromBayes: Start },
): LinearClassifier {
  const { startsFrom, freedom } = chooseRegression(labels, examples)
  const options = { freedom, balance: BALANCE }
  if (startsFrom === 'bayes') return trainLogisticRegression(table, fromBayes, options)
  return trainCalibrated(table, (some) => {
    return trainLogisticRegression(some, startFromNothing(some), options)
  })
}

function chooseRegression(labels: readonly string[], examples: readonly Example[]): Regression {
  const stride = Math.max(1, Math.ceil(examples.length / SAMPLE))
  const sample = examples.filter((_, at) => at % stride === 0)
  const labelOf = Int32Array.from(sample, ({ label }) => label)
  const foldOf = stratifiedFolds(labelOf, FOLDS, 1)
  const losses = new Map<Regression, number>()
  for (let fold = 0; fold < FOLDS; fold++) {
    const { learned, judged } = splitAt(foldOf, fold)
    const table = createExamples(labels, pick(sample, learned))
    const starts = { bayes: startFromBayes(table), nothing: startFromNothing(table) }
    for (const regression of REGRESSIONS) {
      const { startsFrom, freedom } = regression
      const options = { freedom, balance: BALANCE, tolerance: ROUGHLY }
      const trained = trainLogisticRegression(table, starts[startsFrom], options)
      const loss = lossOf(trained, pick(sample, judged))
      losses.set(regression, (losses.get(regression) ?? 0) + loss)
    }
  }
  return best(REGRESSIONS, (regression) => losses.get(regression) ?? 0)
}

function pick(examples: readonly Example[], chosen: Uint32Array): Example[] {
  const picked = new Set(chosen)
  return examples.filter((_, at) => picked.has(at))
}

function lossOf(classifier: LinearClassifier, judged: readonly Example[]): number {
  return judged.reduce((sum, { counts, label }) => {
    return sum - Math.log(Math.max(LEAST, classifier.probabilities(counts)[label] ?? 0))
  }, 0)
}

const CALIBRATION_FOLDS = 5
const LEAST_SHARE = 1e-300

/**
 * The regression that `trained` makes from all examples, calibrated, so that its probabilities are right as
 * often as they say. A regression that starts from zero recognises its own examples by their rarest words,
 * which no other text has. It ranks unseen texts well, but its probabilities are too low and too close
 * together, until it never says yes. So it judges, fold by fold, examples it has not seen, and one scale
 * for all scores and one shift per label correct the difference. With two labels the order does not change.
 */
export function trainCalibrated(
  examples: Examples,
  trained: (examples: Examples) => LinearClassifier,
): LinearClassifier {
  const { knowledge } = trained(examples)
  const { labelOf, labels } = examples
  const scores = new Float64Array(labelOf.length * labels.length)
  const folds = Math.min(CALIBRATION_FOLDS, labelOf.length)
  const foldOf = stratifiedFolds(labelOf, folds, 1)
  for (let fold = 0; fold < folds; fold++) {
    const { learned, judged } = splitAt(foldOf, fold)
    const others = trained(selectTexts(examples, learned))
    for (const text of judged) {
      const answer = others.probabilities(countsOf(examples, text))
      scores.set(
        answer.map((share) => Math.log(Math.max(LEAST_SHARE, share))),
        text * labels.length,
      )
    }
  }
  const { scale, shifts } = fitScores(scores, examples)
  return new LinearClassifier({
    ...knowledge,
    weights: knowledge.weights.map((weight) => weight * scale),
    bias: knowledge.bias.map((bias, label) => bias * scale + (shifts[label] ?? 0)),
  })
}

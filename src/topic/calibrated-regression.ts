// Calibrates a regression, so that its probabilities are right as often as they say. A regression that starts
// from zero recognises its own examples by their rarest words, which no other text has. It ranks unseen texts
// well, but its probabilities are too low and too close together, until it never says yes. So it judges, fold
// by fold, examples it has not seen, and one scale for all scores and one shift per label correct the
// difference. With two labels the order does not change.
import { countsOf, type Examples, selectTexts } from './examples.ts'
import { splitAt, stratifiedFolds } from './folds.ts'
import { LinearClassifier } from './linear-classifier.ts'
import { fitScores } from './score-fit.ts'

const FOLDS = 5
const LEAST = 1e-300

/** The regression that `trained` makes from all examples, calibrated. */
export function trainCalibrated(
  examples: Examples,
  trained: (examples: Examples) => LinearClassifier,
): LinearClassifier {
  const { knowledge } = trained(examples)
  const { labelOf, labels } = examples
  const scores = new Float64Array(labelOf.length * labels.length)
  const folds = Math.min(FOLDS, labelOf.length)
  const foldOf = stratifiedFolds(labelOf, folds, 1)
  for (let fold = 0; fold < folds; fold++) {
    const { learned, judged } = splitAt(foldOf, fold)
    const others = trained(selectTexts(examples, learned))
    for (const text of judged) {
      const answer = others.probabilities(countsOf(examples, text))
      scores.set(
        answer.map((share) => Math.log(Math.max(LEAST, share))),
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

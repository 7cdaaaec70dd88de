// Probabilities that are right as often as they say. A regression that starts from nothing knows its
// own examples by their rarest words, which no other text has: of texts it has not learned from it
// puts the likeliest first, but its probabilities are too low and too close together, up to the
// point where it never says yes. So it is asked, fold by fold, about examples it has not seen, and one
// scale for all scores and one shift per label make up for the difference. No order changes by that
// where there are two labels.
import { countsOf, type Examples, selectTexts } from './examples.ts'
import { splitAt, stratifiedFolds } from './folds.ts'
import { LinearClassifier } from './linear-classifier.ts'
import { fitScores } from './score-fit.ts'

const FOLDS = 5
const LEAST = 1e-300

/** The regression that `trained` makes of all examples, with such probabilities. */
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

// Probabilities that are right as often as they say. A regression that starts from nothing knows its
// own examples by their rarest words, which no other text has: of texts it has not learned from it
// puts the likeliest first, but its probabilities are too low and too close together, up to the
// point where it never says yes. So it is asked, fold by fold, about examples it has not seen, and one
// scale for all scores and one shift per label make up for the difference. No order changes by that
// where there are two labels.
import { minimise, type Slope } from '../lib/minimise.ts'
import { countsOf, type Examples, selectTexts } from './examples.ts'
import { splitAt, stratifiedFolds } from './folds.ts'
import { LogisticRegression } from './logistic-regression.ts'

const FOLDS = 5
/** What a shift away from none costs: they would all drift together else. */
const SHIFT_COST = 0.01
const LEAST = 1e-300

/** The regression that `trained` makes of all examples, with such probabilities. */
export function trainCalibrated(
  examples: Examples,
  trained: (examples: Examples) => LogisticRegression,
): LogisticRegression {
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
  const { scale, shifts } = fitted(scores, examples)
  return new LogisticRegression({
    ...knowledge,
    weights: knowledge.weights.map((weight) => weight * scale),
    bias: knowledge.bias.map((bias, label) => bias * scale + (shifts[label] ?? 0)),
  })
}

type Fit = { readonly scale: number; readonly shifts: Float64Array }

function fitted(scores: Float64Array, examples: Examples): Fit {
  const start = new Float64Array(1 + examples.labels.length)
  start[0] = 1
  const { at } = minimise(lossOf(scores, examples), { start, tolerance: 1e-6, maxSteps: 100 })
  // Answers that are no better than chance leave only what is usual.
  return { scale: Math.max(0, at[0] ?? 0), shifts: at.slice(1) }
}

/** Of the scale, then the shift of each label. Nothing is held to be certain: see leave-one-out.ts. */
function lossOf(scores: Float64Array, { labels, labelOf }: Examples): Slope {
  const width = labels.length
  const doubt = 1 / (labelOf.length / width + 2)
  return (at, slope) => {
    slope.fill(0)
    let loss = 0
    for (let label = 1; label <= width; label++) {
      loss += (SHIFT_COST / 2) * (at[label] ?? 0) ** 2
      slope[label] = SHIFT_COST * (at[label] ?? 0)
    }
    for (const [text, truth] of labelOf.entries()) {
      const own = scores.subarray(text * width, (text + 1) * width)
      const logits = own.map((score, label) => (at[0] ?? 0) * score + (at[label + 1] ?? 0))
      const highest = Math.max(...logits)
      const sum = logits.reduce((all, logit) => all + Math.exp(logit - highest), 0)
      for (const [label, logit] of logits.entries()) {
        const target = label === truth ? 1 - doubt : doubt / (width - 1)
        const error = Math.exp(logit - highest) / sum - target
        loss -= target * (logit - highest - Math.log(sum))
        slope[0] = (slope[0] ?? 0) + error * (own[label] ?? 0)
        slope[label + 1] = (slope[label + 1] ?? 0) + error
      }
    }
    return loss
  }
}

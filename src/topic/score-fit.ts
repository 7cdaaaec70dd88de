// Turns scores into probabilities that are right as often as they say: one scale for all scores and one shift
// per label, fitted to texts with known labels.
import { minimise, type Slope } from '../lib/minimise.ts'
import type { Examples } from './examples.ts'

/** Penalty for shifts; without it they would all drift together. */
const SHIFT_COST = 0.01

type Labelled = Pick<Examples, 'labels' | 'labelOf'>

type ScoreFit = { readonly scale: number; readonly shifts: Float64Array }

/** Scores are text × labels + label, for texts that were not learned from. */
export function fitScores(scores: Float64Array, examples: Labelled): ScoreFit {
  const start = new Float64Array(1 + examples.labels.length)
  start[0] = 1
  const { at } = minimise(lossOf(scores, examples), { start, tolerance: 1e-6, maxSteps: 100 })
  // For answers no better than chance, only the label shares remain.
  return { scale: Math.max(0, at[0] ?? 0), shifts: at.slice(1) }
}

/** Loss by the scale, then by the shift of each label. Nothing is certain: see leave-one-out.ts. */
function lossOf(scores: Float64Array, { labels, labelOf }: Labelled): Slope {
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

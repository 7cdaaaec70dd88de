// Tells which of several labels a text has, from examples of each. There are two ways of doing it:
// Naive Bayes (multinomial or complement), quick to learn and easy to follow, and logistic regression,
// which starts from Naive Bayes and corrects it where the examples say so. Cross-validation tells which
// of the two is the better judge. Both end in a linear-classifier.
//
// The way of a text: reading (words into counted terms) → examples (many texts as one table) →
// train → a model, which model-file keeps. A classifier never sees a text, only its counts: who
// asks must have read the text by the rules that the examples were read by.
import type { TermTable } from '../text/term-table.ts'

export interface Classifier {
  /** At least two, each once. */
  readonly labels: readonly string[]
  /** One per label in their order, 0 to 1 with sum 1; a text without known terms gets what is usual. */
  probabilities(counts: TermTable): Float64Array
}

/** The position of the likeliest label; the first of those that are equal. */
export function likeliest(probabilities: Float64Array): number {
  let best = 0
  for (let at = 1; at < probabilities.length; at++) {
    if ((probabilities[at] ?? 0) > (probabilities[best] ?? 0)) best = at
  }
  return best
}

/** Scores on a logarithmic scale as probabilities, in place; safe for scores of any size. */
export function softmax(scores: Float64Array): Float64Array {
  let highest = Number.NEGATIVE_INFINITY
  for (const score of scores) highest = Math.max(highest, score)
  let sum = 0
  for (let at = 0; at < scores.length; at++) {
    const share = Math.exp((scores[at] ?? 0) - highest)
    scores[at] = share
    sum += share
  }
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / sum
  return scores
}

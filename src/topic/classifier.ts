// Predicts which of several labels a text has, from examples of each. There are two methods: Naive Bayes
// (multinomial or complement), quick to learn and easy to follow, and logistic regression, which starts from
// Naive Bayes and corrects it where the examples contradict it. Cross-validation decides which of the two is
// better. Both produce a linear-classifier.
//
// The steps: reading (words into counted terms) → examples (many texts as one table) → train → a model, which
// model-file stores. A classifier never sees a text, only its counts: the caller must read the text by the
// same rules as the examples.
import type { TermTable } from '../text/term-table.ts'

export interface Classifier {
  /** At least two, each once. */
  readonly labels: readonly string[]
  /** One per label in their order, 0 to 1 with sum 1; a text without known terms gets the label shares. */
  probabilities(counts: TermTable): Float64Array
}

/** The index of the likeliest label; the first one if several are equal. */
export function likeliest(probabilities: Float64Array): number {
  let best = 0
  for (let at = 1; at < probabilities.length; at++) {
    if ((probabilities[at] ?? 0) > (probabilities[best] ?? 0)) best = at
  }
  return best
}

/** Converts scores on a logarithmic scale to probabilities, in place; safe for scores of any size. */
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

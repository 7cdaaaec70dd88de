// A linear classifier of texts: each term pulls towards some labels and away from others. Training found the
// pulls, by logistic regression or by Naive Bayes. One pass over a text's terms, with one look-up each, gives
// the probabilities of all labels.
import { TermTable } from '../text/term-table.ts'

/**
 * The weight of a term in a text. `tf-idf`: its damped count times its rarity, with the whole text scaled to
 * length 1. `counts`: how often it occurs.
 */
export const INPUTS = ['counts', 'tf-idf'] as const
export type Input = (typeof INPUTS)[number]

/** The trained state; a model file contains exactly this. */
export type LinearKnowledge = {
  readonly labels: readonly string[]
  /** Number of texts it learned from. */
  readonly texts: number
  readonly terms: Int32Array
  /** By term: number of those texts that have it. */
  readonly textsWith: Int32Array
  /** Row × labels + label: the pull of a text that consists of this term alone. */
  readonly weights: Float64Array
  /** By label: the score before any term is seen. */
  readonly bias: Float64Array
  readonly input: Input
}

/** A damped count: the tenth mention says less than the first. */
export function dampedCount(count: number): number {
  return count === 1 ? 1 : 1 + Math.log(count)
}

/** The rarity of a term: 1 if every text has it. */
export function rarity(texts: number, textsWith: number): number {
  return 1 + Math.log((texts + 1) / (textsWith + 1))
}

export class LinearClassifier implements Classifier {
  readonly labels: readonly string[]
  readonly knowledge: LinearKnowledge
  readonly #rowOf: TermTable
  readonly #rarities: Float64Array
  /** Weights multiplied by the rarity of their term. */
  readonly #pulls: Float64Array

  constructor(knowledge: LinearKnowledge) {
    const { labels, texts, terms, textsWith, weights, input } = knowledge
    this.labels = labels
    this.knowledge = knowledge
    this.#rowOf = new TermTable(terms.length)
    for (let row = 0; row < terms.length; row++) this.#rowOf.set(terms[row] ?? 0, row + 1)
    this.#rarities = Float64Array.from(textsWith, (count) => rarity(texts, count))
    this.#pulls =
      input === 'counts'
        ? weights
        : weights.map(
            (weight, at) => weight * (this.#rarities[Math.floor(at / labels.length)] ?? 0),
          )
  }

  probabilities(counts: TermTable): Float64Array {
    const { ids, values } = counts
    const { bias, input } = this.knowledge
    const width = bias.length
    const scores = new Float64Array(width)
    const isDamped = input === 'tf-idf'
    let squares = 0
    for (let at = 0; at < ids.length; at++) {
      const row = this.#rowOf.get(ids[at] ?? 0) - 1
      if (row < 0) continue
      const count = values[at] ?? 0
      const damped = isDamped ? dampedCount(count) : count
      const value = damped * (this.#rarities[row] ?? 0)
      squares += value * value
      const from = row * width
      for (let label = 0; label < width; label++) {
        scores[label] = (scores[label] ?? 0) + damped * (this.#pulls[from + label] ?? 0)
      }
    }
    const length = isDamped && squares > 0 ? Math.sqrt(squares) : 1
    for (let label = 0; label < width; label++) {
      scores[label] = (scores[label] ?? 0) / length + (bias[label] ?? 0)
    }
    return softmax(scores)
  }
}

/**
 * Predicts which of several labels a text has, from examples of each. There are two methods: Naive Bayes
 * (multinomial or complement), quick to learn and easy to follow, and logistic regression, which starts from
 * Naive Bayes and corrects it where the examples contradict it. Cross-validation decides which of the two is
 * better. Both produce a linear-classifier.
 *
 * The steps: reading (words into counted terms) → examples (many texts as one table) → train → a model, which
 * model-file stores. A classifier never sees a text, only its counts: the caller must read the text by the
 * same rules as the examples.
 */
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
function softmax(scores: Float64Array): Float64Array {
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

// Multinomial Naive Bayes: how likely each term is in texts of a label, and every term counts for
// itself. Smoothing is Laplace's, over the terms of the examples: a term that a label's texts do not
// have is rare there, not impossible. Terms that no example has say nothing.
//
// Its probabilities are those of the textbook and lie close to 0 or 1 for any text of some length,
// because terms are not independent. To put texts in an order use the mean of their words' log-odds.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import { type Classifier, softmax } from './classifier.ts'
import type { Examples } from './examples.ts'
import { bayesSums, calibrate, leaveOneOut } from './leave-one-out.ts'

/** What Naive Bayes knows; a model file holds exactly this. */
export type BayesKnowledge = {
  readonly labels: readonly string[]
  readonly textsPerLabel: Float64Array
  readonly terms: Int32Array
  /** Column × labels + label: how often the term occurs in the label's texts. */
  readonly counts: Float64Array
  readonly smoothing: number
}

/** From hardly any to Laplace's own. */
export const SMOOTHINGS: readonly [number, ...number[]] = [0.01, 0.03, 0.1, 0.3, 1]
/** Texts that decide about smoothing; more change nothing. */
const JUDGED_TEXTS = 3000

/** Without a smoothing the one is taken that judges texts best which it has not learned from. */
export function trainNaiveBayes(examples: Examples, smoothing?: number): NaiveBayes {
  const { labels, textsPerLabel, terms, counts } = examples
  const learned = bayesSums(examples, counts, 'own')
  const stride = strideFor(examples)
  const lossOf = (tried: number) => {
    const options = { examples, values: counts, learned, smoothing: tried, stride }
    return calibrate(leaveOneOut(options), examples, stride).logLoss
  }
  return new NaiveBayes({
    labels,
    textsPerLabel,
    terms,
    counts: learned.sums,
    smoothing: smoothing ?? best(SMOOTHINGS, lossOf),
  })
}

/** So that about JUDGED_TEXTS of the examples are looked at, spread over all of them. */
export function strideFor({ labelOf }: Pick<Examples, 'labelOf'>): number {
  return Math.max(1, Math.ceil(labelOf.length / JUDGED_TEXTS))
}

/** The one with the lowest loss. */
export function best<T>(choices: readonly [T, ...T[]], lossOf: (choice: T) => number): T {
  const ranked = choices.map((choice) => ({ choice, loss: lossOf(choice) }))
  return ranked.reduce((a, b) => (b.loss < a.loss ? b : a)).choice
}

export class NaiveBayes implements Classifier {
  readonly labels: readonly string[]
  readonly knowledge: BayesKnowledge
  readonly #rowOf: TermTable
  /** Row × labels + label: the logarithm of how likely the term is. */
  readonly #logLikelihoods: Float64Array
  readonly #logPriors: Float64Array
  /** By row: how much more likely under the first label than under the second. */
  readonly #logOdds: Float64Array

  constructor(knowledge: BayesKnowledge) {
    const { labels, terms, counts, textsPerLabel, smoothing } = knowledge
    const width = labels.length
    this.labels = labels
    this.knowledge = knowledge
    this.#rowOf = new TermTable(terms.length)
    for (let row = 0; row < terms.length; row++) this.#rowOf.set(terms[row] ?? 0, row + 1)
    const logTotals = new Float64Array(width).fill(smoothing * terms.length)
    for (let at = 0; at < counts.length; at++) {
      logTotals[at % width] = (logTotals[at % width] ?? 0) + (counts[at] ?? 0)
    }
    for (let label = 0; label < width; label++) {
      logTotals[label] = Math.log(Math.max(Number.MIN_VALUE, logTotals[label] ?? 0))
    }
    this.#logLikelihoods = counts.map(
      (count, at) => Math.log(count + smoothing) - (logTotals[at % width] ?? 0),
    )
    const texts = textsPerLabel.reduce((sum, count) => sum + count, 0)
    this.#logPriors = textsPerLabel.map((count) => Math.log(count / texts))
    this.#logOdds = Float64Array.from(terms, (_, row) => {
      const at = row * width
      return (this.#logLikelihoods[at] ?? 0) - (this.#logLikelihoods[at + 1] ?? 0)
    })
  }

  probabilities(counts: TermTable): Float64Array {
    const { ids, values } = counts
    const scores = this.#logPriors.slice()
    const width = scores.length
    for (let at = 0; at < ids.length; at++) {
      const row = this.#rowOf.get(ids[at] ?? 0)
      if (row === 0) continue
      const count = values[at] ?? 0
      const from = (row - 1) * width
      for (let label = 0; label < width; label++) {
        scores[label] = (scores[label] ?? 0) + count * (this.#logLikelihoods[from + label] ?? 0)
      }
    }
    return softmax(scores)
  }

  /** How much more likely a term is under the first of two labels, as a logarithm; 0 when unknown. */
  logOdds(id: TermId): number {
    const row = this.#rowOf.get(id)
    return row === 0 ? 0 : (this.#logOdds[row - 1] ?? 0)
  }
}

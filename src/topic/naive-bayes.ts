// Naive Bayes: how likely each term is in the texts that describe a label; terms count independently. There
// are four variants: a label is described by its own texts (the textbook's, multinomial) or by all others
// (complement), and terms weigh their count or their TF-IDF. Smoothing is Laplace's, over the terms of the
// examples: a term that a label's texts lack is rare there, not impossible. Terms that no example has are
// ignored.
//
// The textbook's probabilities are close to 0 or 1 for all but short texts, because terms are not
// independent. `scale` and `bias` correct that; train-naive-bayes.ts finds them.
import type { TermTable } from '../text/term-table.ts'
import type { BayesKind } from './leave-one-out.ts'
import type { Classifier } from './linear-classifier.ts'
import { type Input, LinearClassifier, type LinearKnowledge } from './linear-classifier.ts'

/** The trained state; a model file contains exactly this. */
export type BayesKnowledge = {
  readonly labels: readonly string[]
  readonly textsPerLabel: Float64Array
  readonly terms: Int32Array
  /** By term: number of texts that have it. */
  readonly textsWith: Int32Array
  /** Column × labels + label: how often the term occurs in the label's texts. */
  readonly counts: Float64Array
  /** The same as sums of TF-IDF; null if counts are the input. */
  readonly tfIdf: Float64Array | null
  readonly kind: BayesKind
  readonly smoothing: number
  /** Factor for the sum of a text's terms. */
  readonly scale: number
  /** By label: the score before any term is seen. */
  readonly bias: Float64Array
}

export class NaiveBayes implements Classifier {
  readonly labels: readonly string[]
  readonly knowledge: BayesKnowledge
  readonly linear: LinearClassifier

  constructor(knowledge: BayesKnowledge) {
    this.labels = knowledge.labels
    this.knowledge = knowledge
    this.linear = new LinearClassifier(linearFrom(knowledge))
  }

  get input(): Input {
    return this.linear.knowledge.input
  }

  probabilities(counts: TermTable): Float64Array {
    return this.linear.probabilities(counts)
  }
}

/** By label: the logarithm of its share of the texts. */
export function logPriors(textsPerLabel: Float64Array): Float64Array {
  const texts = textsPerLabel.reduce((sum, count) => sum + count, 0)
  return textsPerLabel.map((count) => Math.log(count / texts))
}

function linearFrom(knowledge: BayesKnowledge): LinearKnowledge {
  const { labels, textsPerLabel, terms, textsWith, counts, tfIdf, bias } = knowledge
  const texts = textsPerLabel.reduce((sum, count) => sum + count, 0)
  const weights = weightsOf(knowledge, describing(tfIdf ?? counts, knowledge))
  const input = tfIdf === null ? 'counts' : 'tf-idf'
  return { labels, texts, terms, textsWith, weights, bias, input }
}

/** The sums of the terms over the texts that describe each label. */
function describing(sums: Float64Array, { labels, kind }: BayesKnowledge): Float64Array {
  if (kind === 'own') return sums
  const width = labels.length
  const others = new Float64Array(sums.length)
  for (let row = 0; row < sums.length; row += width) {
    let all = 0
    for (let at = row; at < row + width; at++) all += sums[at] ?? 0
    for (let at = row; at < row + width; at++) others[at] = Math.max(0, all - (sums[at] ?? 0))
  }
  return others
}

function weightsOf(
  { labels, terms, kind, smoothing, scale }: BayesKnowledge,
  sums: Float64Array,
): Float64Array {
  const width = labels.length
  const totals = new Float64Array(width).fill(smoothing * terms.length)
  for (let at = 0; at < sums.length; at++) {
    totals[at % width] = (totals[at % width] ?? 0) + (sums[at] ?? 0)
  }
  const logTotals = totals.map((total) => Math.log(Math.max(Number.MIN_VALUE, total)))
  const factor = kind === 'own' ? scale : -scale
  return sums.map((sum, at) => factor * (Math.log(sum + smoothing) - (logTotals[at % width] ?? 0)))
}

// A topic from a trained model, with one or several wanted labels. The better of the model's two methods
// judges pages by their text; its Naive Bayes counts give the evidence for links.
import { InvalidInput } from '../core/errors.ts'
import type { Method } from '../core/topic-text.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import type { Surroundings } from './from-examples.ts'
import { weigh } from './from-words.ts'
import { type LinearClassifier, rarity } from './linear-classifier.ts'
import type { NaiveBayes } from './naive-bayes.ts'
import type { ReadingRules } from './reading.ts'
import type { JudgedParts, KeptModel, TopicColumns } from './topic-record.ts'

export type GivenModel = {
  readonly reading: ReadingRules
  readonly naiveBayes: NaiveBayes
  readonly logisticRegression: LinearClassifier
  /** The method that decides. */
  readonly method: Method
  /** The labels that are the topic; at least one, not all. */
  readonly wanted: readonly string[]
  /** The words of its terms in order, for people; absent: they are not shown. */
  readonly words?: readonly string[]
}

/** Limit of evidence rows: the strongest are kept. */
const MAX_ROWS = 30_000
/** The evidence that a word of the user adds to that of the model. */
const NAMED_WORD = 2

export function fromModel(model: GivenModel, { words, background }: Surroundings): JudgedParts {
  const wanted = positionsOf(model)
  const named = weigh(words, background)
  return {
    judge: 'model',
    columns: columnsOf(model, wanted, named.terms),
    unknownRarity: rarity(model.logisticRegression.knowledge.texts, 0),
    bias: 0,
    promiseBias: 0,
    keywords: words.keywords,
    phrases: named.phrases,
    model: keptModel(model, wanted),
  }
}

/** Term → word. */
export function wordsIn({ words = [], logisticRegression }: GivenModel): Map<TermId, string> {
  const { terms } = logisticRegression.knowledge
  return new Map(words.map((word, row) => [terms[row] ?? 0, word]))
}

function positionsOf({ logisticRegression: { labels }, wanted }: GivenModel): number[] {
  const positions = [...new Set(wanted)].map((label) => labels.indexOf(label))
  if (positions.includes(-1) || positions.length === 0) {
    const named = wanted.length === 0 ? 'no label is named' : `no label "${wanted.join(', ')}"`
    throw new InvalidInput('classifier', `${named}; the model has: ${labels.join(', ')}`)
  }
  if (positions.length === labels.length) {
    throw new InvalidInput('classifier', 'all labels of the model are wanted: every page would be')
  }
  return positions
}

function keptModel(
  { reading, naiveBayes, logisticRegression, method }: GivenModel,
  wanted: readonly number[],
): KeptModel {
  const judge = method === 'naive-bayes' ? naiveBayes.linear : logisticRegression
  const { labels, texts, terms, textsWith, weights, bias, input } = judge.knowledge
  return {
    ...reading,
    labels,
    wanted,
    texts,
    terms,
    textsWith,
    weights: Float32Array.from(weights),
    bias: [...bias],
    input,
  }
}

/** By term, the log-odds of the wanted labels against all others, together with the user's words. */
function columnsOf(model: GivenModel, wanted: readonly number[], named: TermTable): TopicColumns {
  const { texts, terms, textsWith } = model.logisticRegression.knowledge
  const odds = logOdds(model.naiveBayes, wanted)
  for (const [at, term] of named.ids.entries()) {
    odds.add(term, NAMED_WORD * (named.values[at] ?? 0))
  }
  const kept = loudest(odds)
  const frequencies = new TermTable(terms.length)
  for (let row = 0; row < terms.length; row++) frequencies.set(terms[row] ?? 0, textsWith[row] ?? 0)
  const evidence = Float32Array.from(kept, (term) => odds.get(term))
  const rarities = Float32Array.from(kept, (term) => rarity(texts, frequencies.get(term)))
  return {
    terms: kept,
    evidence,
    rarity: rarities,
    // Terms with positive evidence make up the centre.
    centre: rarities.map((weight, at) => weight * Math.max(0, evidence[at] ?? 0)),
    pull: new Float32Array(kept.length),
    promise: new Float32Array(kept.length),
  }
}

function logOdds({ knowledge }: NaiveBayes, wanted: readonly number[]): TermTable {
  const { labels, terms, counts, smoothing } = knowledge
  const isWanted = labels.map((_, at) => wanted.includes(at))
  const sums = new Float64Array(terms.length * 2)
  const totals = [smoothing * terms.length, smoothing * terms.length]
  for (let at = 0; at < counts.length; at++) {
    const side = isWanted[at % labels.length] ? 0 : 1
    const row = Math.floor(at / labels.length)
    const count = counts[at] ?? 0
    sums[2 * row + side] = (sums[2 * row + side] ?? 0) + count
    totals[side] = (totals[side] ?? 0) + count
  }
  const [own = 1, others = 1] = totals
  const odds = new TermTable(terms.length)
  for (let row = 0; row < terms.length; row++) {
    const share = ((sums[2 * row] ?? 0) + smoothing) / own
    const rest = ((sums[2 * row + 1] ?? 0) + smoothing) / others
    odds.set(terms[row] ?? 0, Math.log(share / rest))
  }
  return odds
}

function loudest(odds: TermTable): Int32Array {
  const terms = odds.ids.slice()
  if (terms.length <= MAX_ROWS) return terms
  const loudness = (term: number) => Math.abs(odds.get(term))
  return terms.sort((a, b) => loudness(b) - loudness(a) || a - b).slice(0, MAX_ROWS)
}

// A topic told by pages: some that are on it, and some that are not. Evidence is a Naive Bayes table,
// meaningful for three words; relevance is logistic regression, the better judge of a whole page.
// Where pages off topic are missing or few, made-up pages about nothing stand in for them.
import { TermTable } from '../text/term-table.ts'
import { centroid, TermVector } from '../text/term-vector.ts'
import type { TermId } from '../text/text.ts'
import type { Background } from './background.ts'
import { createExamples, type Examples } from './examples.ts'
import { dampedCount, type LogisticRegression, rarity } from './logistic-regression.ts'
import { trainNaiveBayes } from './naive-bayes.ts'
import { trainPromise } from './promise.ts'
import type { TopicColumns, TopicParts } from './topic-record.ts'
import type { TopicWords } from './topic-words.ts'
import { TOPIC_LABELS } from './train.ts'
import { trainLogisticRegression } from './train-logistic-regression.ts'

/** Of Naive Bayes, on damped counts; chosen on crawls of a development web. */
const SMOOTHING = 0.3
/** Fewer pages off topic than this are filled up with made-up ones. */
const ENOUGH_NEGATIVES = 30
const MADE_UP_SEED = 1
/** Rows kept: a record of this many stays below a megabyte. */
const MAX_ROWS = 32_000
/** How far the centre moves away from pages off topic; chosen on replayed crawls. */
const AWAY = 2
/** What the topic's own words count as, beside examples: a page that says each so often. */
const WORDS_COUNT = 3

export type CountedExamples = {
  readonly positive: readonly TermTable[]
  readonly negative: readonly TermTable[]
}

/** What else a topic is built with. */
export type Surroundings = {
  readonly words: TopicWords
  readonly background: Background
  readonly isStopWord: (term: TermId) => boolean
}

export function fromExamples(
  { positive, negative }: CountedExamples,
  { words, background, isStopWord }: Surroundings,
): Omit<TopicParts, 'language' | 'stems'> {
  const missing = Math.max(0, ENOUGH_NEGATIVES - negative.length)
  const negatives = [...negative, ...background.madeUpPages(missing, MADE_UP_SEED)]
  const positives = [...positive, ...pageOfWords(words)]
  const examples = labelled(positives, negatives)
  const judge = trainLogisticRegression(examples)
  const evidence = trainNaiveBayes(
    labelled(positives.map(damped), negatives.map(damped)),
    SMOOTHING,
  )
  const promise = trainPromise(examples)
  const rows = chooseRows(examples)
  const { labelOf, textsWith } = examples
  const rarityOf = (row: number) => rarity(labelOf.length, textsWith[row] ?? 0)
  const { bias } = judge.knowledge
  return {
    judge: 'examples',
    hotByMentions: false,
    columns: {
      ...columnsOf(judge, rows),
      promise: Float32Array.from(rows, (row) => (promise.pulls[row] ?? 0) * rarityOf(row)),
      evidence: Float32Array.from(rows, (row) => evidence.logOdds(examples.terms[row] ?? 0)),
      centre: centreOf({ positive, negative: negatives }, examples, { rows, isStopWord }),
    },
    unknownRarity: rarity(examples.labelOf.length, 0),
    bias: (bias[0] ?? 0) - (bias[1] ?? 0),
    promiseBias: promise.bias,
    keywords: words.keywords,
    phrases: [],
    model: null,
  }
}

function labelled(positive: readonly TermTable[], negative: readonly TermTable[]): Examples {
  return createExamples(TOPIC_LABELS, [
    ...positive.map((counts) => ({ counts, label: 0 })),
    ...negative.map((counts) => ({ counts, label: 1 })),
  ])
}

function pageOfWords({ text, keywords }: TopicWords): TermTable[] {
  const page = new TermTable()
  for (const term of [...text, ...keywords.flat()]) page.set(term, WORDS_COUNT)
  return page.size === 0 ? [] : [page]
}

function damped(counts: TermTable): TermTable {
  const { ids, values } = counts
  const result = new TermTable(ids.length)
  for (let at = 0; at < ids.length; at++) result.set(ids[at] ?? 0, dampedCount(values[at] ?? 1))
  return result
}

/** Columns of the examples that become rows: all, or those most texts have. */
function chooseRows({ terms, textsWith }: Examples): Int32Array {
  const all = Int32Array.from(terms, (_, column) => column)
  if (all.length <= MAX_ROWS) return all
  return all.sort((a, b) => (textsWith[b] ?? 0) - (textsWith[a] ?? 0) || a - b).slice(0, MAX_ROWS)
}

function columnsOf(
  { knowledge }: LogisticRegression,
  rows: Int32Array,
): Pick<TopicColumns, 'terms' | 'rarity' | 'pull'> {
  const { texts, terms, textsWith, weights } = knowledge
  const rarityOf = (row: number) => rarity(texts, textsWith[row] ?? 0)
  return {
    terms: rows.map((row) => terms[row] ?? 0),
    rarity: Float32Array.from(rows, rarityOf),
    pull: Float32Array.from(rows, (row) => {
      const towards = (weights[2 * row] ?? 0) - (weights[2 * row + 1] ?? 0)
      return towards * rarityOf(row)
    }),
  }
}

type Chosen = {
  readonly rows: Int32Array
  readonly isStopWord: (term: TermId) => boolean
}

/**
 * Where pages on topic point and others do not (Rocchio): their mean direction less what the others
 * have of it, stop words left out. Without that, what all pages of a web share counts as the topic.
 */
function centreOf(
  { positive, negative }: CountedExamples,
  { terms, textsWith, labelOf }: Examples,
  { rows, isStopWord }: Chosen,
): Float32Array {
  const rarities = new TermTable(terms.length)
  for (let column = 0; column < terms.length; column++) {
    const term = terms[column] ?? 0
    if (!isStopWord(term)) rarities.set(term, rarity(labelOf.length, textsWith[column] ?? 0))
  }
  const meanOf = (pages: readonly TermTable[]) =>
    centroid(pages.map((counts) => vectorOf(counts, rarities)))
  const [own, others] = [meanOf(positive), meanOf(negative)]
  return Float32Array.from(rows, (row) => {
    const term = terms[row] ?? 0
    const share = own.weightOf(term) / positive.length
    return Math.max(0, share - (AWAY * others.weightOf(term)) / Math.max(1, negative.length))
  })
}

function vectorOf({ ids, values }: TermTable, rarities: TermTable): TermVector {
  const weights = values.map((count, at) => dampedCount(count) * rarities.get(ids[at] ?? 0))
  return new TermVector(ids.slice(), weights)
}

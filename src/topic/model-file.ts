// A trained model as a file: JSON that people can read, one term per line with its word, how often
// each label's texts have it, and how it pulls. Terms are words in the file and numbers once loaded,
// so a file stays good when numbers are made differently.
//
//   {"format": "jelajah-model", "version": 1, "reading": …, "labels": […], …,
//    "terms": [["laut", 12, [9, 0, 3], [1.2, -0.8, -0.4]], …]}
//
// The size is bounded: training keeps at most MAX_WEIGHTS numbers, those of the terms that most texts
// have, and `pruned_terms` says how many it left out.
import { InvalidInput } from '../core/errors.ts'
import { hashText } from '../text/hash-text.ts'
import type { TermId } from '../text/text.ts'
import { LogisticRegression } from './logistic-regression.ts'
import { damaged, fieldsOf, listOf, numberOf, numbersOf, textOf } from './model-fields.ts'
import { NaiveBayes } from './naive-bayes.ts'
import type { ReadingRules } from './reading.ts'
import type { Classifiers, Trained } from './train.ts'

const FORMAT = 'jelajah-model'
const VERSION = 1
/** What a number in the file is rounded to: no judgement changes by more than a thousandth. */
const DIGITS = 4

/** Far beyond what any training finds, and as far from where sums and logarithms stop being numbers. */
const TEXTS = { min: 1, max: 2 ** 31 - 1 }
const COUNT = { min: 0, max: 1e12 }
const PULL = { min: -1e6, max: 1e6 }
const SMOOTHING = { min: 1e-9, max: 1e6 }

export type Model = Classifiers & { readonly reading: ReadingRules }

/** What is told beside what is needed. */
export type ModelNotes = {
  /** Cross-validated accuracy by method; empty when it was not measured. */
  readonly accuracy: Readonly<Record<string, number>>
  /** The word of a term; null when it is not known, and then the term is not kept. */
  readonly wordOf: (term: TermId) => string | null
}

export function encodeModel(trained: Trained, { accuracy, wordOf }: ModelNotes): string {
  const { naiveBayes, logisticRegression, reading, prunedTerms } = trained
  const { labels, textsPerLabel, counts, smoothing } = naiveBayes.knowledge
  const { terms, textsWith, weights, bias } = logisticRegression.knowledge
  const width = labels.length
  const lines: string[] = []
  for (const [row, term] of terms.entries()) {
    const word = wordOf(term)
    if (word === null) continue
    const [from, to] = [row * width, (row + 1) * width]
    const cells = [textsWith[row], [...counts.slice(from, to)], rounded(weights.subarray(from, to))]
    lines.push(JSON.stringify([word, ...cells]))
  }
  const head = {
    format: FORMAT,
    version: VERSION,
    reading: {
      language: reading.language,
      stop_words: reading.keepsStopWords ? 'kept' : 'dropped',
      word_parts: reading.usesWordParts,
      ...(reading.ownStopWords === undefined ? {} : { own_stop_words: reading.ownStopWords }),
    },
    labels: labels.map((label, at) => ({
      label,
      texts: textsPerLabel[at] ?? 0,
      bias: rounded([bias[at] ?? 0])[0],
    })),
    smoothing,
    accuracy,
    pruned_terms: prunedTerms,
    columns: ['term', 'texts with it', 'occurrences by label', 'pull by label'],
  }
  const open = JSON.stringify(head, null, 1).replace(/\n\}$/, '')
  return `${open},\n "terms": [\n${lines.join(',\n')}\n ]\n}\n`
}

function rounded(numbers: Iterable<number>): number[] {
  return Array.from(numbers, (number) => Number(number.toPrecision(DIGITS)))
}

/** `at` names the file in messages. Throws InvalidInput for what encodeModel cannot have made. */
export function decodeModel(text: string, at: string): Model {
  const fields = fieldsOf(parsed(text, at), at)
  if (fields.get('format') !== FORMAT) {
    throw new InvalidInput(at, "is not a model; 'jelajah train' makes one")
  }
  if (fields.get('version') !== VERSION) {
    const found = JSON.stringify(fields.get('version'))
    throw new InvalidInput(
      at,
      `is a model of version ${found}, and this Jelajah reads version ${VERSION}; train it again`,
    )
  }
  const labelled = labelsOf(fields.get('labels'), at)
  const rows = rowsOf(fields.get('terms'), labelled.labels.length, at)
  const { labels, textsPerLabel, bias } = labelled
  const texts = textsPerLabel.reduce((sum, count) => sum + count, 0)
  const { terms, textsWith, counts, weights } = rows
  if (textsWith.some((count) => count > texts)) throw damaged(at, 'a term has more texts than all')
  const smoothing = numberOf(fields.get('smoothing'), `${at}: smoothing`, SMOOTHING)
  return {
    reading: readingOf(fields.get('reading'), at),
    naiveBayes: new NaiveBayes({ labels, textsPerLabel, terms, counts, smoothing }),
    logisticRegression: new LogisticRegression({ labels, texts, terms, textsWith, weights, bias }),
  }
}

function parsed(text: string, at: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidInput(at, "is not JSON, so it is no model; 'jelajah train' makes one")
  }
}

function readingOf(value: unknown, at: string): ReadingRules {
  const where = `${at}: reading`
  const fields = fieldsOf(value, where)
  const stopWords = fields.get('stop_words')
  const parts = fields.get('word_parts')
  if (stopWords !== 'kept' && stopWords !== 'dropped') {
    throw damaged(where, 'stop_words must be "kept" or "dropped"')
  }
  if (typeof parts !== 'boolean') throw damaged(where, 'word_parts must be true or false')
  return {
    language: textOf(fields.get('language'), `${where}.language`),
    keepsStopWords: stopWords === 'kept',
    usesWordParts: parts,
    ...ownStopWords(fields.get('own_stop_words'), `${where}.own_stop_words`),
  }
}

/** Models of older versions have none. */
function ownStopWords(value: unknown, at: string): Pick<ReadingRules, 'ownStopWords'> {
  if (value === undefined) return {}
  return { ownStopWords: listOf(value, at).map((word) => textOf(word, at)) }
}

type Labels = {
  readonly labels: readonly string[]
  readonly textsPerLabel: Float64Array
  readonly bias: Float64Array
}

function labelsOf(value: unknown, at: string): Labels {
  const rows = listOf(value, `${at}: labels`).map((row, index) => {
    const where = `${at}: labels[${index}]`
    const fields = fieldsOf(row, where)
    return {
      label: textOf(fields.get('label'), where),
      texts: numberOf(fields.get('texts'), where, TEXTS),
      bias: numberOf(fields.get('bias'), where, PULL),
    }
  })
  const labels = rows.map(({ label }) => label)
  if (new Set(labels).size !== labels.length) throw damaged(`${at}: labels`, 'one is there twice')
  if (labels.length < 2) throw damaged(`${at}: labels`, 'there must be two or more')
  return {
    labels,
    textsPerLabel: Float64Array.from(rows, ({ texts }) => texts),
    bias: Float64Array.from(rows, ({ bias }) => bias),
  }
}

type Rows = {
  readonly terms: Int32Array
  readonly textsWith: Int32Array
  readonly counts: Float64Array
  readonly weights: Float64Array
}

function rowsOf(value: unknown, width: number, at: string): Rows {
  const list = listOf(value, `${at}: terms`)
  const rows = {
    terms: new Int32Array(list.length),
    textsWith: new Int32Array(list.length),
    counts: new Float64Array(list.length * width),
    weights: new Float64Array(list.length * width),
  }
  for (const [row, entry] of list.entries()) {
    const where = `${at}: terms[${row}]`
    const [word, texts, counts, weights, ...more] = listOf(entry, where)
    if (more.length > 0) throw damaged(where, 'has too many columns')
    rows.terms[row] = hashText(textOf(word, where))
    rows.textsWith[row] = numberOf(texts, where, TEXTS)
    rows.counts.set(numbersOf(counts, where, { length: width, ...COUNT }), row * width)
    rows.weights.set(numbersOf(weights, where, { length: width, ...PULL }), row * width)
  }
  if (new Set(rows.terms).size !== list.length) throw damaged(`${at}: terms`, 'one is there twice')
  return rows
}

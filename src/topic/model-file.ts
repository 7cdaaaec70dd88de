// A trained model as a file: JSON that people can read, one term per line with its word, how often each
// label's texts have it, and how it pulls. Terms are words in the file and numbers in memory, so a file stays
// valid when the hash changes.
//
//   {"format": "jelajah-model", "version": 2, "method": …, "reading": …, "labels": […], …,
//    "terms": [["laut", 12, [9, 0, 3], [1.2, -0.8, -0.4], [3.1, 0, 0.9]], …]}
//
// Version 1 is read too. It has no method, and its Naive Bayes is the textbook's.
//
// The size is bounded: training keeps at most MAX_WEIGHTS numbers, those of the terms that most texts have,
// and `pruned_terms` says how many terms it left out.
import { InvalidInput } from '../core/errors.ts'
import { DEFAULT_METHOD, METHODS, type Method } from '../core/topic-text.ts'
import { hashText, type TermId } from '../text/text.ts'
import { BAYES_KINDS } from './leave-one-out.ts'
import { INPUTS, type Input, LinearClassifier } from './linear-classifier.ts'
import { type BayesKnowledge, logPriors, NaiveBayes } from './naive-bayes.ts'
import type { ReadingRules } from './reading.ts'
import type { Classifiers, Trained } from './train.ts'

const FORMAT = 'jelajah-model'
const VERSION = 2
const OLDEST_VERSION = 1
/** Numbers in the file are rounded to this: no judgement changes by more than a thousandth. */
const DIGITS = 4

/** Limits far beyond any training result, and far below the overflow of sums and logarithms. */
const TEXTS = { min: 1, max: 2 ** 31 - 1 }
const COUNT = { min: 0, max: 1e12 }
const PULL = { min: -1e6, max: 1e6 }
const SMOOTHING = { min: 1e-9, max: 1e6 }
const SCALE = { min: 0, max: 1e6 }

/** The texts that describe a label to Naive Bayes. */
const DESCRIBED_BY = { own: 'own texts', complement: 'other texts' } as const

export type Model = Classifiers & {
  readonly reading: ReadingRules
  /** The better of the two methods. */
  readonly method: Method
  /** The words of its terms, in order. */
  readonly words: readonly string[]
}

/** Notes for people; decoding does not need them. */
type ModelNotes = {
  readonly method: Method
  /** Cross-validated accuracy by method; empty if it was not measured. */
  readonly accuracy: Readonly<Record<string, number>>
  /** The word of a term; null if it is unknown, and then the term is dropped. */
  readonly wordOf: (term: TermId) => string | null
}

export function encodeModel(trained: Trained, { method, accuracy, wordOf }: ModelNotes): string {
  const { naiveBayes, logisticRegression, reading, prunedTerms } = trained
  const { labels, textsPerLabel, counts, tfIdf } = naiveBayes.knowledge
  const bayes = naiveBayes.knowledge
  const { terms, textsWith, weights, bias } = logisticRegression.knowledge
  const width = labels.length
  const lines: string[] = []
  for (const [row, term] of terms.entries()) {
    const word = wordOf(term)
    if (word === null) continue
    const [from, to] = [row * width, (row + 1) * width]
    const cells = [textsWith[row], [...counts.slice(from, to)], rounded(weights.subarray(from, to))]
    const sums = tfIdf === null ? [] : [rounded(tfIdf.subarray(from, to))]
    lines.push(JSON.stringify([word, ...cells, ...sums]))
  }
  const head = {
    format: FORMAT,
    version: VERSION,
    method,
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
      bayes_bias: rounded([bayes.bias[at] ?? 0])[0],
    })),
    naive_bayes: {
      described_by: DESCRIBED_BY[bayes.kind],
      input: naiveBayes.input,
      smoothing: bayes.smoothing,
      scale: rounded([bayes.scale])[0],
    },
    accuracy,
    pruned_terms: prunedTerms,
    columns: [
      ...['term', 'texts with it', 'occurrences by label', 'pull by label'],
      ...(tfIdf === null ? [] : ['TF-IDF by label']),
    ],
  }
  const open = JSON.stringify(head, null, 1).replace(/\n\}$/, '')
  return `${open},\n "terms": [\n${lines.join(',\n')}\n ]\n}\n`
}

function rounded(numbers: Iterable<number>): number[] {
  return Array.from(numbers, (number) => Number(number.toPrecision(DIGITS)))
}

/** `at` names the file in messages. Throws InvalidInput if encodeModel cannot have made the file. */
export function decodeModel(text: string, at: string): Model {
  const fields = fieldsOf(parsed(text, at), at)
  if (fields.get('format') !== FORMAT) {
    throw new InvalidInput(at, "is not a model; 'jelajah train' makes one")
  }
  const version = versionOf(fields.get('version'), at)
  const { labels, textsPerLabel, bias, bayesBias } = labelsOf(fields.get('labels'), version, at)
  const bayes = version === 1 ? textbookOf(fields, at) : bayesOf(fields.get('naive_bayes'), at)
  const hasTfIdf = bayes.input === 'tf-idf'
  const rows = rowsOf(fields.get('terms'), { width: labels.length, hasTfIdf, at })
  const texts = textsPerLabel.reduce((sum, count) => sum + count, 0)
  const { words, terms, textsWith, counts, weights, tfIdf } = rows
  if (textsWith.some((count) => count > texts)) throw damaged(at, 'a term has more texts than all')
  const shared = { labels, terms, textsWith }
  return {
    reading: readingOf(fields.get('reading'), at),
    method: version === 1 ? DEFAULT_METHOD : methodOf(fields.get('method'), at),
    words,
    naiveBayes: new NaiveBayes({
      ...shared,
      ...bayes,
      textsPerLabel,
      counts,
      tfIdf,
      bias: bayesBias ?? logPriors(textsPerLabel),
    }),
    logisticRegression: new LinearClassifier({ ...shared, texts, weights, bias, input: 'tf-idf' }),
  }
}

type Version = 1 | 2

function versionOf(value: unknown, at: string): Version {
  if (value === VERSION || value === OLDEST_VERSION) return value
  const reads = `versions ${OLDEST_VERSION} and ${VERSION}`
  throw new InvalidInput(
    at,
    `is a model of version ${JSON.stringify(value)}, and this Jelajah reads ${reads}; train it again`,
  )
}

function methodOf(value: unknown, at: string): Method {
  const method = METHODS.find((one) => one === value)
  if (method === undefined) throw damaged(`${at}: method`, `must be one of ${METHODS.join(', ')}`)
  return method
}

type Bayes = Pick<BayesKnowledge, 'kind' | 'smoothing' | 'scale'> & { readonly input: Input }

function textbookOf(fields: ReadonlyMap<string, unknown>, at: string): Bayes {
  const smoothing = numberOf(fields.get('smoothing'), `${at}: smoothing`, SMOOTHING)
  return { kind: 'own', input: 'counts', smoothing, scale: 1 }
}

function bayesOf(value: unknown, at: string): Bayes {
  const where = `${at}: naive_bayes`
  const fields = fieldsOf(value, where)
  const kind = BAYES_KINDS.find((one) => DESCRIBED_BY[one] === fields.get('described_by'))
  const input = INPUTS.find((one) => one === fields.get('input'))
  if (kind === undefined) {
    throw damaged(where, `described_by must be one of ${Object.values(DESCRIBED_BY).join(', ')}`)
  }
  if (input === undefined) throw damaged(where, `input must be one of ${INPUTS.join(', ')}`)
  return {
    kind,
    input,
    smoothing: numberOf(fields.get('smoothing'), `${where}.smoothing`, SMOOTHING),
    scale: numberOf(fields.get('scale'), `${where}.scale`, SCALE),
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

/** Absent in models of older versions. */
function ownStopWords(value: unknown, at: string): Pick<ReadingRules, 'ownStopWords'> {
  if (value === undefined) return {}
  return { ownStopWords: listOf(value, at).map((word) => textOf(word, at)) }
}

type Labels = {
  readonly labels: readonly string[]
  readonly textsPerLabel: Float64Array
  readonly bias: Float64Array
  /** Null in version 1. */
  readonly bayesBias: Float64Array | null
}

function labelsOf(value: unknown, version: Version, at: string): Labels {
  const rows = listOf(value, `${at}: labels`).map((row, index) => {
    const where = `${at}: labels[${index}]`
    const fields = fieldsOf(row, where)
    return {
      label: textOf(fields.get('label'), where),
      texts: numberOf(fields.get('texts'), where, TEXTS),
      bias: numberOf(fields.get('bias'), where, PULL),
      bayesBias: version === 1 ? 0 : numberOf(fields.get('bayes_bias'), where, PULL),
    }
  })
  const labels = rows.map(({ label }) => label)
  if (new Set(labels).size !== labels.length) throw damaged(`${at}: labels`, 'one is there twice')
  if (labels.length < 2) throw damaged(`${at}: labels`, 'there must be two or more')
  return {
    labels,
    textsPerLabel: Float64Array.from(rows, ({ texts }) => texts),
    bias: Float64Array.from(rows, ({ bias }) => bias),
    bayesBias: version === 1 ? null : Float64Array.from(rows, ({ bayesBias }) => bayesBias),
  }
}

type Rows = {
  readonly words: readonly string[]
  readonly terms: Int32Array
  readonly textsWith: Int32Array
  readonly counts: Float64Array
  readonly weights: Float64Array
  readonly tfIdf: Float64Array | null
}

type RowShape = { readonly width: number; readonly hasTfIdf: boolean; readonly at: string }

function rowsOf(value: unknown, { width, hasTfIdf, at }: RowShape): Rows {
  const list = listOf(value, `${at}: terms`)
  const words: string[] = []
  const rows = {
    words,
    terms: new Int32Array(list.length),
    textsWith: new Int32Array(list.length),
    counts: new Float64Array(list.length * width),
    weights: new Float64Array(list.length * width),
    tfIdf: hasTfIdf ? new Float64Array(list.length * width) : null,
  }
  for (const [row, entry] of list.entries()) {
    const where = `${at}: terms[${row}]`
    const [word, texts, counts, weights, ...more] = listOf(entry, where)
    if (more.length > (hasTfIdf ? 1 : 0)) throw damaged(where, 'has too many columns')
    words.push(textOf(word, where))
    rows.terms[row] = hashText(words[row] ?? '')
    rows.textsWith[row] = numberOf(texts, where, TEXTS)
    rows.counts.set(numbersOf(counts, where, { length: width, ...COUNT }), row * width)
    rows.weights.set(numbersOf(weights, where, { length: width, ...PULL }), row * width)
    rows.tfIdf?.set(numbersOf(more[0], where, { length: width, ...COUNT }), row * width)
  }
  if (new Set(rows.terms).size !== list.length) throw damaged(`${at}: terms`, 'one is there twice')
  return rows
}

/** Checked access to JSON values; errors name the path of the wrong value. */
function damaged(at: string, message: string): InvalidInput {
  return new InvalidInput(at, `is damaged: ${message}`)
}

function fieldsOf(value: unknown, at: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw damaged(at, 'not an object')
  }
  return new Map<string, unknown>(Object.entries(value))
}

function listOf(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw damaged(at, 'not a list')
  return value
}

function textOf(value: unknown, at: string): string {
  if (typeof value !== 'string') throw damaged(at, 'a text is missing')
  return value
}

type Range = { readonly min?: number; readonly max?: number }

function numberOf(value: unknown, at: string, range: Range = {}): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range
  if (typeof value !== 'number' || !Number.isFinite(value) || value < min || value > max) {
    throw damaged(at, 'a number is missing or out of range')
  }
  return value
}

function numbersOf(
  value: unknown,
  at: string,
  { length, ...range }: Range & { readonly length: number },
): number[] {
  const list = listOf(value, at)
  if (list.length !== length) throw damaged(at, `there must be ${length} numbers, one per label`)
  return list.map((number) => numberOf(number, at, range))
}

// Trains both classifiers from labelled texts. Training also chooses how texts are read (stop words, parts of
// words), by how well unseen texts are judged.
import type { Method } from '../core/topic-text.ts'
import { detectLanguage } from '../text/language.ts'
import type { TermTable } from '../text/term-table.ts'
import { trainBestRegression } from './choose-regression.ts'
import { createExamples, type Example } from './examples.ts'
import type { LabelledText } from './labelled-texts.ts'
import type { LinearClassifier } from './linear-classifier.ts'
import type { NaiveBayes } from './naive-bayes.ts'
import { createTextReader, type ReadingRules, readingsBeside, simplestReading } from './reading.ts'
import { startFromBayes } from './train-logistic-regression.ts'
import { trainNaiveBayes } from './train-naive-bayes.ts'

export type Classifiers = {
  readonly naiveBayes: NaiveBayes
  readonly logisticRegression: LinearClassifier
}

export type Trained = Classifiers & {
  readonly reading: ReadingRules
  /** Number of terms left out because the model would be too large. */
  readonly prunedTerms: number
}

export function classifierOf(classifiers: Classifiers, method: Method) {
  return method === 'naive-bayes' ? classifiers.naiveBayes : classifiers.logisticRegression
}

/** Texts read in every way worth trying, once for all folds. */
export type CountedTexts = {
  readonly labels: readonly string[]
  readonly labelOf: Int32Array
  readonly readings: readonly [Reading, ...Reading[]]
}
type Reading = { readonly rules: ReadingRules; readonly counts: readonly TermTable[] }

/** `language` decides stems and stop words; the default is the language of the texts. */
export function countTexts(
  texts: readonly LabelledText[],
  language?: string,
  ownStopWords: readonly string[] = [],
): CountedTexts {
  const labels = [...new Set(texts.map(({ label }) => label))].sort()
  const positions = new Map(labels.map((label, at) => [label, at]))
  const labelOf = Int32Array.from(texts, ({ label }) => positions.get(label) ?? 0)
  const tag = language ?? languageOf(texts)
  const first = countBy(simplestReading(tag, ownStopWords), texts)
  const words = first.counts.reduce((sum, counts) => sum + wordsIn(counts), 0)
  const others = readingsBeside(first.rules, words / Math.max(1, texts.length))
  return { labels, labelOf, readings: [first, ...others.map((rules) => countBy(rules, texts))] }
}

function countBy(rules: ReadingRules, texts: readonly LabelledText[]): Reading {
  const reader = createTextReader(rules)
  return { rules, counts: texts.map(({ text }) => reader.count(text)) }
}

function wordsIn(counts: TermTable): number {
  return counts.values.reduce((sum, count) => sum + count, 0)
}

/** Number of texts for language detection: more would not make it more certain. */
const LANGUAGE_TEXTS = 60
const LANGUAGE_LENGTH = 400

/** The language of most texts; '' if it is unclear. */
function languageOf(texts: readonly LabelledText[]): string {
  const stride = Math.max(1, Math.floor(texts.length / LANGUAGE_TEXTS))
  const sample = texts.filter((_, at) => at % stride === 0)
  return detectLanguage(sample.map(({ text }) => text.slice(0, LANGUAGE_LENGTH)).join('\n'))
    .language
}

/** A reading with more terms must reduce the loss to this share. */
const CLEARLY_BETTER = 0.98

/** Trains both classifiers on the chosen texts. */
export function train({ labels, labelOf, readings }: CountedTexts, chosen: Uint32Array): Trained {
  const [first, ...others] = readings.map(({ rules, counts }) => {
    const examples = examplesOf(counts, labelOf, chosen)
    const table = createExamples(labels, examples)
    return { rules, examples, table, start: startFromBayes(table) }
  })
  if (first === undefined) throw new Error('there is always one way to read')
  const { rules, examples, table, start } = others.reduce(
    (best, next) => (next.start.logLoss < best.start.logLoss * CLEARLY_BETTER ? next : best),
    first,
  )
  return {
    reading: rules,
    naiveBayes: trainNaiveBayes(table),
    logisticRegression: trainBestRegression(labels, examples, { table, fromBayes: start }),
    prunedTerms: table.prunedTerms,
  }
}

export function trainOnAll(texts: CountedTexts): Trained {
  return train(
    texts,
    Uint32Array.from(texts.labelOf, (_, at) => at),
  )
}

function examplesOf(
  counts: readonly TermTable[],
  labelOf: Int32Array,
  chosen: Uint32Array,
): Example[] {
  const examples: Example[] = []
  for (const at of chosen) {
    const own = counts[at]
    if (own !== undefined) examples.push({ counts: own, label: labelOf[at] ?? 0 })
  }
  return examples
}

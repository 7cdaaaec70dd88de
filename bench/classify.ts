// What judging a page costs: counting its terms, and the probabilities by each method; pages of 600
// words, models of two and of twenty labels, with whole words and with parts of words. Time of the
// processor, as this machine may be shared.
//
//   sh scripts/node bench/classify.ts [--quick]
import { parseArgs } from 'node:util'
import { METHODS } from '../src/core/topic-text.ts'
import { seededRandom } from '../src/lib/seeded-random.ts'
import type { TermTable } from '../src/text/term-table.ts'
import { createExamples } from '../src/topic/examples.ts'
import { createTextReader, type ReadingRules } from '../src/topic/reading.ts'
import { classifierOf } from '../src/topic/train.ts'
import { trainLogisticRegression } from '../src/topic/train-logistic-regression.ts'
import { trainNaiveBayes } from '../src/topic/train-naive-bayes.ts'
import { machine } from './machine.ts'
import { markdownTable } from './table.ts'

const WORDS = 600
const VOCABULARY = 20_000
const PAGES = 200

/** Pages whose words are as common and as rare as those of a language. */
function pagesOf(count: number, seed: number): string[] {
  const random = seededRandom(seed)
  const syllables = 'ka ti ro me su la pen da gu ber si no'.split(' ')
  const words = Array.from({ length: VOCABULARY }, () => {
    const length = 1 + Math.floor(random() * 4)
    return Array.from({ length }, () => syllables[Math.floor(random() * 12)]).join('')
  })
  const word = () => words[Math.floor(VOCABULARY ** random()) - 1] ?? ''
  return Array.from({ length: count }, () => Array.from({ length: WORDS }, word).join(' '))
}

/** Microseconds of the processor per call, the best of several rounds. */
function microseconds<T>(inputs: readonly T[], call: (input: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 12; round++) {
    const started = process.cpuUsage()
    for (const input of inputs) call(input)
    best = Math.min(best, process.cpuUsage(started).user / inputs.length)
  }
  return best
}

function rowFor(labels: number, rules: ReadingRules, pages: readonly string[]): string[] {
  const reader = createTextReader(rules)
  const counts = pages.map((text) => reader.count(text))
  const names = Array.from({ length: labels }, (_, at) => `label ${at}`)
  const examples = createExamples(
    names,
    counts.map((own, at) => ({ counts: own, label: at % labels })),
  )
  const classifiers = {
    naiveBayes: trainNaiveBayes(examples),
    logisticRegression: trainLogisticRegression(examples),
  }
  const distinct = counts.reduce((sum, { size }) => sum + size, 0) / counts.length
  return [
    `${labels} labels, ${rules.usesWordParts ? 'words and parts' : 'words'}`,
    distinct.toFixed(0),
    microseconds(pages, (text) => reader.count(text)).toFixed(1),
    ...METHODS.map((method) => {
      const classifier = classifierOf(classifiers, method)
      return microseconds(counts, (own: TermTable) => classifier.probabilities(own)).toFixed(1)
    }),
  ]
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
if (!process.env.BENCH_MACHINE_SHOWN) process.stdout.write(`Machine: ${machine()}\n\n`)
const pages = pagesOf(values.quick ? PAGES / 4 : PAGES, 1)
const rules = { language: 'id', keepsStopWords: true, usesWordParts: false }
const rows = [2, 20].flatMap((labels) => [
  rowFor(labels, rules, pages),
  rowFor(labels, { ...rules, usesWordParts: true }, pages),
])
const head = ['µs per page of 600 words', 'distinct terms', 'counting', ...METHODS]
process.stdout.write(`${markdownTable(head, rows)}\n`)

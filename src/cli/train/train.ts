// `jelajah train`: labelled texts in, a model file and the figures of its quality out.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { InvalidInput } from '../../core/errors.ts'
import type { Method } from '../../core/method.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { syncFolder } from '../../lib/folder.ts'
import { showBytes, showCount, showNumber } from '../../lib/format.ts'
import { primaryLanguage } from '../../text/text.ts'
import { bestMethod, type CrossValidated, crossValidate } from '../../topic/cross-validation.ts'
import { readTrainingTexts } from '../../topic/labelled-texts.ts'
import { encodeModel } from '../../topic/model-file.ts'
import type { NaiveBayes } from '../../topic/naive-bayes.ts'
import type { ReadingRules } from '../../topic/reading.ts'
import { tellingWords, wordsOf } from '../../topic/term-words.ts'
import { countTexts, type Trained, trainOnAll } from '../../topic/train.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import {
  confusionTable,
  crossValidationJson,
  crossValidationTable,
  labelTable,
} from './print-scores.ts'
import { openTexts } from './texts-stream.ts'
import type { TrainOptions } from './train-command.ts'

const TELLING_WORDS = 8

export type TrainDeps = {
  readonly stdin: () => Readable
  readonly clock: Clock
  readonly progress: NodeJS.WriteStream
}

type Report = {
  readonly trained: Trained
  /** The better judge of the two. */
  readonly method: Method
  readonly texts: number
  readonly results: readonly CrossValidated[]
  readonly telling: ReadonlyMap<string, readonly string[]>
  readonly out: string
  readonly bytes: number
}

export async function runTrain(
  options: TrainOptions,
  out: Output,
  deps: Partial<TrainDeps> = {},
): Promise<ExitCode> {
  const { stdin = () => process.stdin, clock = systemClock, progress = process.stderr } = deps
  const texts = await readTrainingTexts(openTexts(options.texts, stdin), options.texts.name)
  const bar = new ProgressPrinter({ stream: progress, clock, quiet: options.quiet })
  const counted = countTexts(texts, languageOf(options), options.stopWords)
  const { folds, seed } = options
  const onFold = (fold: number, of: number) => {
    bar.show(fold / (of + 2), `cross-validation, part ${fold} of ${of}`)
  }
  const results = crossValidate(counted, { folds, seed, onFold })
  bar.show((folds + 1) / (folds + 2), 'training on all texts')
  const trained = trainOnAll(counted)
  const { terms } = trained.logisticRegression.knowledge
  const words = wordsOf(
    terms,
    texts.map(({ text }) => text),
    trained.reading,
  )
  const accuracy = Object.fromEntries(results.map((one) => [one.method, one.accuracy.mean]))
  const method = bestMethod(results)
  const wordOf = (term: number) => words.get(term) ?? null
  const model = encodeModel(trained, { method, accuracy, wordOf })
  writeModel(options.out, model)
  bar.end()
  const telling = new Map(
    counted.labels.map((name, label) => {
      return [name, tellingWords(trained, words, { label, count: TELLING_WORDS })] as const
    }),
  )
  const bytes = Buffer.byteLength(model)
  const report = {
    trained,
    method,
    texts: texts.length,
    results,
    telling,
    out: options.out,
    bytes,
  }
  await out.write(options.json ? reportJson(report) : reportText(report))
  return EXIT.done
}

/** Undefined: the texts tell it. */
function languageOf({ language }: TrainOptions): string | undefined {
  return language === null ? undefined : primaryLanguage(language)
}

/** Whole or not at all: a crawl may be reading the old one. */
function writeModel(path: string, model: string): void {
  const unfinished = `${path}.${process.pid}.part`
  try {
    writeFileSync(unfinished, model, { flush: true })
    renameSync(unfinished, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(unfinished, { force: true })
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new InvalidInput('--out', `${path} cannot be written: ${code}`)
  }
}

function reportText(report: Report): string {
  const { trained, method: chosen, texts, results, telling, out, bytes } = report
  const { reading, prunedTerms, logisticRegression } = trained
  const { labels, terms } = logisticRegression.knowledge
  const detailed = results.filter(({ method }) => method === chosen)
  const size = `${showCount(terms.length)} terms, ${showBytes(bytes)}`
  const pruned = prunedTerms > 0 ? `, ${showCount(prunedTerms)} rare terms left out` : ''
  return [
    `${showNumber(texts, 'text')}, ${labels.length} labels, ${readingText(reading)}\n`,
    '\nCross-validated, mean and spread over the parts:\n\n',
    crossValidationTable(results),
    `\nThe better judge: ${chosen}. Naive Bayes is ${bayesText(trained.naiveBayes)}.\n`,
    ...detailed.flatMap(({ method, pooled }) => [
      `\nBy label, ${method}:\n\n`,
      labelTable(pooled, (label) => telling.get(label)?.join(' ') ?? ''),
      '\nTexts by true label (rows) and given label (columns):\n\n',
      confusionTable(pooled),
    ]),
    `\nWritten: ${out} (${size}${pruned})\n`,
  ].join('')
}

function bayesText({ knowledge: { kind, smoothing }, input }: NaiveBayes): string {
  const name = kind === 'own' ? 'multinomial' : 'complement'
  return `${name} on ${input === 'counts' ? 'counts' : 'TF-IDF'}, smoothing ${smoothing}`
}

function readingText(reading: ReadingRules): string {
  const { language, keepsStopWords, usesWordParts, ownStopWords = [] } = reading
  const parts = [
    language === '' ? 'no language' : `language ${language}`,
    keepsStopWords ? 'all words' : 'without stop words',
    ...(ownStopWords.length > 0 ? [`without ${ownStopWords.length} of yours`] : []),
    ...(usesWordParts ? ['with parts of words'] : []),
  ]
  return parts.join(', ')
}

function reportJson(report: Report): string {
  const { trained, method, texts, results, telling, out, bytes } = report
  const { reading, prunedTerms, naiveBayes, logisticRegression } = trained
  const { kind, smoothing } = naiveBayes.knowledge
  const json = {
    texts,
    labels: logisticRegression.labels,
    reading: {
      language: reading.language,
      stop_words: reading.keepsStopWords ? 'kept' : 'dropped',
      word_parts: reading.usesWordParts,
    },
    terms: logisticRegression.knowledge.terms.length,
    pruned_terms: prunedTerms,
    method,
    naive_bayes: {
      kind: kind === 'own' ? 'multinomial' : 'complement',
      input: naiveBayes.input,
      smoothing,
    },
    methods: results.map(crossValidationJson),
    telling_words: Object.fromEntries(telling),
    out,
    bytes,
  }
  return `${JSON.stringify(json)}\n`
}

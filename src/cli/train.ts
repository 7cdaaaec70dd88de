// `jelajah train`: learns a model from labelled texts, writes it, and says how good it is.
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import { LANGUAGE_CODES, languageCode } from '../core/languages.ts'
import type { Method } from '../core/topic-text.ts'
import { systemClock } from '../lib/clock.ts'
import { showBytes, showCount, showNumber } from '../lib/format.ts'
import { Problems } from '../options/bad-options.ts'
import { type ChosenBy, flag, number, text } from '../options/option.ts'
import { existingFile, readStopWordsFile } from '../options/topic-files.ts'
import { BOTH_LANGUAGES, primaryLanguage } from '../text/text.ts'
import type { CrossValidated } from '../topic/cross-validation.ts'
import type { NaiveBayes } from '../topic/naive-bayes.ts'
import type { ReadingRules } from '../topic/reading.ts'
import type { Trained } from '../topic/train.ts'
import { parseArgs, refuseWords } from './args.ts'
import { refuseExisting, writeAtomically } from './atomic-write.ts'
import type { Command } from './command.ts'
import { areLanguages, JSON_OUTPUT, QUIET } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import {
  confusionTable,
  crossValidationJson,
  crossValidationTable,
  labelTable,
} from './print-scores.ts'
import { ProgressPrinter } from './progress-printer.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'

/** A file of texts; null is stdin. */
export type TextsFile = { readonly path: string | null; readonly name: string }

const DEFAULT_FOLDS = 5

const OPTIONS = [
  text({
    name: 'out',
    value: 'FILE',
    help: 'where the model goes; needed',
  }),
  flag({ name: 'force', help: 'write over a file that is there' }),
  number({
    name: 'folds',
    min: 2,
    max: 50,
    default: String(DEFAULT_FOLDS),
    help: 'parts for cross-validation: each is judged by what was learned from the others',
  }),
  text({
    name: 'language',
    value: 'TAG',
    default: 'that of the texts',
    help: 'decides stems and stop words, such as id or en; mul for both, none for no such thing',
    ignoresVariable: areLanguages,
    to: (written) => ({ language: languageFrom(written) }),
  }),
  text({
    name: 'stop-words',
    value: 'FILE',
    help: 'words that tell nothing, one per line, from # on a remark; the model keeps them',
  }),
  number({
    name: 'seed',
    min: 0,
    max: 2 ** 32 - 1,
    default: '1',
    help: 'decides which texts share a part; the model does not depend on it',
  }),
  { ...JSON_OUTPUT, help: 'print the figures as one JSON object' },
  QUIET,
] as const

type Choices = ChosenBy<typeof OPTIONS>

export const command: Command = {
  usage: '<texts.jsonl|-> --out FILE [options]',
  options: OPTIONS,
  examples: [
    ['train texts.jsonl --out model.json', 'lines such as {"text": "…", "label": "health"}'],
    [
      'crawl example.com --ordering adaptive --classifier model.json --topic health',
      'pages with that label first',
    ],
  ],
  run: async (argv, around, out) => runTrain(await parseTrain(argv, around), out),
}

/** A language of null: that of the texts. */
const DEFAULTS = { folds: DEFAULT_FOLDS, language: null, seed: 1, json: false, quiet: false }

type TrainOptions = Awaited<ReturnType<typeof parseTrain>>

export async function parseTrain(argv: readonly string[], around: Surroundings) {
  const { cwd } = around
  const problems = new Problems()
  const args = parseArgs(argv, OPTIONS, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  const read = readOptions<Choices>(OPTIONS, sources, problems)
  const { force: _force, ...chosen } = read
  const [written] = args.words
  refuseWords(args, 1, problems)
  const texts = problems.try('flag', () => textsFile(written, cwd))
  const out = problems.try('flag', () => outFile(read, cwd))
  const stopWords = await readStopWordsFile(chosen.stopWords, around, problems)
  problems.throwIfAny()
  // Values that could not be read have been reported.
  if (texts === null || out === null) throw new InvalidInput('train', 'has nothing to do')
  return { ...DEFAULTS, ...chosen, texts, out, stopWords: stopWords ?? [] }
}

function textsFile(written: string | undefined, cwd: string): TextsFile {
  if (written === undefined) {
    const line = '{"text": "…", "label": "…"}'
    throw new InvalidInput('train', `give a file with lines such as ${line}, or - for stdin`)
  }
  if (written === '-') return { path: null, name: 'stdin' }
  return { path: existingFile(written, cwd), name: written }
}

/** Asked before an hour of training, not after it. */
function outFile({ out, force = false }: Partial<Choices>, cwd: string): string {
  if (out === undefined) throw new InvalidInput('--out', 'say where the model goes: --out FILE')
  const path = resolve(cwd, out)
  refuseExisting(path, { force })
  return path
}

function languageFrom(written: string): string {
  if (written === 'none') return ''
  if (languageCode(written) !== null || written === BOTH_LANGUAGES) return written
  const known = `one of ${LANGUAGE_CODES.join(', ')}`
  throw new Refused(
    `needs ${known}, mul for Indonesian and English, or none for words as they are, not ${shown(written)}`,
  )
}

const TELLING_WORDS = 8

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

async function runTrain(options: TrainOptions, out: Output): Promise<ExitCode> {
  const { readTrainingTexts } = await import('../topic/labelled-texts.ts')
  const { bestMethod, crossValidate } = await import('../topic/cross-validation.ts')
  const { countTexts, trainOnAll } = await import('../topic/train.ts')
  const { tellingWords, wordsOf } = await import('../topic/term-words.ts')
  const { encodeModel } = await import('../topic/model-file.ts')
  const texts = await readTrainingTexts(openTexts(options.texts), options.texts.name)
  const { folds, seed, quiet } = options
  const bar = new ProgressPrinter({ stream: process.stderr, clock: systemClock, quiet })
  const counted = countTexts(texts, languageOf(options), options.stopWords)
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
  // A crawl may be reading the old one.
  const bytes = await writeAtomically(options.out, [model])
  bar.end()
  const telling = new Map(
    counted.labels.map((name, label) => {
      return [name, tellingWords(trained, words, { label, count: TELLING_WORDS })] as const
    }),
  )
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

/** A file of texts, or stdin, as a stream. */
export function openTexts({ path }: TextsFile): Readable {
  return path === null ? process.stdin : createReadStream(path)
}

// `jelajah classify`: labels texts, or the pages of a crawl, by a trained model. Where texts carry labels of
// their own, it also says how often the model was right.
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InvalidInput } from '../core/errors.ts'
import { MAX_MODEL_BYTES, METHODS, type Method } from '../core/topic-text.ts'
import { isServerUrl } from '../core/workspace-url.ts'
import { showNumber } from '../lib/format.ts'
import { errorCode } from '../lib/present.ts'
import { readAtMost } from '../lib/read-lines.ts'
import { safeText } from '../lib/terminal.ts'
import { Problems } from '../options/bad-options.ts'
import { type ChosenBy, choice, type Option, text } from '../options/option.ts'
import { existingFile } from '../options/topic-files.ts'
import { DATA } from '../options/workspace.ts'
import { ProblemList, readTexts } from '../topic/labelled-texts.ts'
import { type Classifier, likeliest } from '../topic/linear-classifier.ts'
import type { Model } from '../topic/model-file.ts'
import { ScoreCounts, type Scores } from '../topic/scores.ts'
import { type Args, parseArgs } from './args.ts'
import type { Command } from './command.ts'
import { CRAWL, HOST, JSON_OUTPUT, ROW_LIMIT } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { confusionTable, labelTable, percent } from './print-scores.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { table } from './table.ts'
import { openTexts, type TextsFile } from './train.ts'
import { refuseFile } from './workspace-options.ts'

type ClassifySource =
  | ({ readonly kind: 'file' } & TextsFile)
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'crawl'
      readonly dataDir: string
      /** Null: the newest. */
      readonly crawl: string | null
      readonly host: string | null
    }

type ClassifyOptions = {
  readonly source: ClassifySource
  /** Null: the one of the ready topics. */
  readonly model: { readonly path: string; readonly name: string } | null
  /** Null: the one that training found better. */
  readonly method: Method | null
  /** Texts at most; null: all. */
  readonly limit: number | null
  readonly json: boolean
}

const OF_CRAWL: readonly string[] = ['data', 'crawl', 'host']
const { env: _, ...DATA_OF_CRAWL } = DATA

const OPTIONS = [
  text({
    name: 'model',
    value: 'FILE',
    default: 'that of --topic-model',
    help: 'the model, as train made it',
  }),
  choice({
    name: 'method',
    choices: METHODS,
    default: 'the better one',
    help: 'which of its two judges answers; training found out which is better',
  }),
  { ...ROW_LIMIT, help: 'at most N texts' },
  {
    ...JSON_OUTPUT,
    help: 'one JSON object per line and text: its label, probability and all probabilities',
  },
  { ...DATA_OF_CRAWL, default: '', help: 'judge the pages of a crawl in this folder or database' },
  CRAWL,
  HOST,
] as const

type Choices = ChosenBy<typeof OPTIONS>

export const command: Command = {
  usage: '<texts.jsonl|text|-> [--model FILE] [options]',
  options: OPTIONS,
  examples: [
    ['classify "the match ended in a draw"', 'one text, by the topics that are ready to use'],
    ['classify held-out.jsonl --model model.json', 'labelled texts: also how often it is right'],
    ['classify --data ./news --model model.json --json', 'every page of the newest crawl there'],
  ],
  run: (argv, around, out) => runClassify(parseClassify(argv, around), out),
}

export function parseClassify(argv: readonly string[], around: Surroundings): ClassifyOptions {
  const { cwd } = around
  const problems = new Problems()
  const args = parseArgs(argv, OPTIONS, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  // A text is judged by itself, whatever place of crawls the environment names.
  const options: readonly Option<Choices>[] =
    args.words.length === 0 ? OPTIONS : OPTIONS.map(ofCrawlByFlag)
  const chosen = readOptions(options, sources, problems)
  const source = problems.try('flag', () => sourceOf(args, chosen, cwd))
  if (source?.kind === 'crawl') refuseFile(source.dataDir, problems)
  const model = problems.try('flag', () => modelFile(chosen.model, cwd))
  problems.throwIfAny()
  // Values that could not be read have been reported.
  if (source === null) throw new InvalidInput('classify', 'has nothing to do')
  return {
    source,
    model,
    method: chosen.method ?? null,
    limit: chosen.limit ?? null,
    json: chosen.json ?? false,
  }
}

function ofCrawlByFlag(option: Option<Choices>): Option<Choices> {
  return OF_CRAWL.includes(option.name) ? { ...option, fromEnvironment: false } : option
}

function modelFile(written: string | undefined, cwd: string): ClassifyOptions['model'] {
  if (written === undefined) return null
  return { path: existingFile(written, cwd), name: written }
}

function sourceOf({ words }: Args, chosen: Partial<Choices>, cwd: string): ClassifySource {
  const { dataDir, crawl = null, host = null } = chosen
  const [first = '', ...more] = words
  if (dataDir !== undefined) {
    if (first === '')
      return {
        kind: 'crawl',
        dataDir: isServerUrl(dataDir) ? dataDir : resolve(cwd, dataDir),
        crawl,
        host,
      }
    throw new InvalidInput(first, 'give texts or --data, not both')
  }
  if (crawl !== null || host !== null) {
    throw new InvalidInput(crawl === null ? '--host' : '--crawl', 'is for --data')
  }
  if (first === '') {
    throw new InvalidInput('classify', 'give a file, a text, - for stdin, or --data for a crawl')
  }
  if (more.length > 0) return { kind: 'text', text: words.join(' ') }
  if (first === '-') return { kind: 'file', path: null, name: 'stdin' }
  // A text of one word is rare, and a file that is not there must not be taken for one.
  if (/\s/.test(first)) return { kind: 'text', text: first }
  if (existsSync(resolve(cwd, first))) {
    return { kind: 'file', path: existingFile(first, cwd), name: first }
  }
  const hint = `one word is taken for a file; to classify it as a text, add a space: '${first} '`
  throw new InvalidInput(first, `there is no such file; ${hint}`)
}

/** Something to judge; `truth` is '' and `url` null where there is none. */
type Asked = {
  readonly text: string
  readonly truth: string
  readonly url: string | null
}

type Answer = Asked & { readonly label: string; readonly probabilities: Float64Array }

/** Answers printed at once. */
const CHUNK = 200

async function runClassify(options: ClassifyOptions, out: Output): Promise<ExitCode> {
  const { classifierOf } = await import('../topic/train.ts')
  const { createTextReader } = await import('../topic/reading.ts')
  const model = await loadModel(options.model)
  const method = options.method ?? model.method
  const classifier = classifierOf(model, method)
  const reader = createTextReader(model.reading)
  const problems = new ProblemList()
  const counts = new ScoreCounts(classifier.labels)
  const printer = new Printer(out, classifier, options.json)
  let left = options.limit ?? Number.POSITIVE_INFINITY
  let judged = 0
  for await (const asked of textsIn(options.source, problems)) {
    if (left-- <= 0) break
    const probabilities = classifier.probabilities(reader.count(asked.text))
    const label = classifier.labels[likeliest(probabilities)] ?? ''
    if (asked.truth !== '') counts.add(asked.truth, label)
    await printer.add({ ...asked, label, probabilities })
    judged++
  }
  await printer.flush()
  const scores = counts.scores()
  if (scores.texts > 0) await tellScores(scores, { json: options.json, method }, out)
  if (judged === 0 && problems.count === 0) out.warn('there is nothing to judge\n')
  if (problems.count === 0) return EXIT.done
  for (const line of problems.told().split('\n')) out.warn(`jelajah: ${safeText(line)}\n`)
  return EXIT.error
}

async function loadModel(given: ClassifyOptions['model']): Promise<Model> {
  const { decodeModel } = await import('../topic/model-file.ts')
  if (given === null) {
    const { readyModel } = await import('../topic/ready/ready-model.ts')
    return decodeModel(readyModel(), 'the ready topics')
  }
  const { path, name } = given
  const { bytes, truncated } = await readFileAtMost(path, name)
  if (truncated) throw new InvalidInput(name, 'is larger than any model')
  return decodeModel(bytes.toString('utf8'), name)
}

async function readFileAtMost(path: string, name: string) {
  try {
    await using file = await open(path)
    return await readAtMost(file.createReadStream(), MAX_MODEL_BYTES)
  } catch (error) {
    throw new InvalidInput(name, `cannot be read: ${errorCode(error) || error}`)
  }
}

async function* textsIn(source: ClassifySource, problems: ProblemList): AsyncGenerator<Asked> {
  if (source.kind === 'text') {
    yield { text: source.text, truth: '', url: null }
    return
  }
  if (source.kind === 'crawl') {
    yield* pagesIn(source)
    return
  }
  for await (const line of readTexts(openTexts(source), source.name)) {
    if (line.problem !== undefined) problems.add(line.line, line.problem)
    else yield { text: line.text, truth: line.label, url: null }
  }
}

async function* pagesIn(source: Extract<ClassifySource, { kind: 'crawl' }>) {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { crawl, host } = source
  await using workspace = workspaceOf(source)
  const job = await chooseCrawl(workspace, crawl)
  await using pages = await workspace.pageReader()
  const filter = host === null ? {} : { host }
  for (let after = 0; ; ) {
    const chunk = await pages.list({ crawlId: job.id, after, limit: CHUNK, ...filter })
    for (const { url, title, contentText, duplicateOf } of chunk) {
      if (duplicateOf === null) yield { text: `${title}\n${contentText}`, truth: '', url }
    }
    const last = chunk.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Prints answers in blocks, so that a million of them wait for a slow reader. */
class Printer {
  readonly #out: Output
  readonly #classifier: Classifier
  readonly #json: boolean
  #waiting: Answer[] = []
  #titled = false

  constructor(out: Output, classifier: Classifier, json: boolean) {
    this.#out = out
    this.#classifier = classifier
    this.#json = json
  }

  async add(answer: Answer): Promise<void> {
    this.#waiting.push(answer)
    if (this.#waiting.length === CHUNK) await this.flush()
  }

  async flush(): Promise<void> {
    const answers = this.#waiting
    if (answers.length === 0) return
    this.#waiting = []
    const { labels } = this.#classifier
    const json = () => answers.map((answer) => answerJson(answer, labels)).join('')
    await this.#out.write(this.#json ? json() : answerTable(answers, labels, !this.#titled))
    this.#titled = true
  }
}

function answerJson(answer: Answer, labels: readonly string[]): string {
  const { url, truth, label, probabilities } = answer
  const json = {
    ...(url === null ? {} : { url }),
    label,
    probability: Math.max(...probabilities),
    ...(truth === '' ? {} : { truth }),
    probabilities: Object.fromEntries(labels.map((name, at) => [name, probabilities[at] ?? 0])),
  }
  return `${JSON.stringify(json)}\n`
}

function answerTable(
  answers: readonly Answer[],
  labels: readonly string[],
  titles: boolean,
): string {
  const widest = Math.min(28, Math.max(...labels.map(({ length }) => length)))
  const labelled = answers.some(({ truth }) => truth !== '')
  const label = { max: 28, min: widest }
  const truth = { title: 'true label', of: (answer: Answer) => answer.truth, ...label }
  return table<Answer>(
    [
      { title: 'label', of: (answer) => answer.label, ...label },
      {
        title: 'probability',
        of: ({ probabilities }) => percent(Math.max(...probabilities)),
        align: 'right',
      },
      ...(labelled ? [truth] : []),
      { title: 'text', of: ({ url, text }) => url ?? text.slice(0, 200) },
    ],
    answers,
    titles,
  )
}

/** Beside JSON lines it goes to stderr: every line on stdout is one text. */
async function tellScores(
  scores: Scores,
  { json, method }: { readonly json: boolean; readonly method: Method },
  out: Output,
): Promise<void> {
  const { accuracy, macroF1, texts } = scores
  const summary = `accuracy ${percent(accuracy)}, macro-F1 ${percent(macroF1)}`
  const told = `\n${showNumber(texts, 'labelled text')}, ${method}: ${summary}\n\n`
  const whole = `${told}${labelTable(scores)}\n${confusionTable(scores)}`
  if (json) out.warn(whole)
  else await out.write(whole)
}

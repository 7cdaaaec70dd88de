// `jelajah classify`: texts or stored pages in, their labels out; where texts carry labels of their own,
// at the end how often the model was right.
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { InvalidInput } from '../../core/errors.ts'
import type { Method } from '../../core/method.ts'
import { MAX_MODEL_BYTES } from '../../core/model-size.ts'
import { showNumber } from '../../lib/format.ts'
import { readAtMost } from '../../lib/read-at-most.ts'
import { safeText } from '../../lib/terminal.ts'
import { type Classifier, likeliest } from '../../topic/classifier.ts'
import { ProblemList, readTexts } from '../../topic/labelled-texts.ts'
import { decodeModel, type Model } from '../../topic/model-file.ts'
import { createTextReader } from '../../topic/reading.ts'
import { type Scores, Tally } from '../../topic/scores.ts'
import { classifierOf } from '../../topic/train.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import type { ClassifyOptions, ClassifySource } from './classify-command.ts'
import { confusionTable, labelTable, percent } from './print-scores.ts'
import { openTexts } from './texts-stream.ts'

/** Something to judge; `truth` is '' and `url` null where there is none. */
type Asked = {
  readonly text: string
  readonly truth: string
  readonly url: string | null
}

type Answer = Asked & { readonly label: string; readonly probabilities: Float64Array }

/** Answers printed at once. */
const CHUNK = 200

export async function runClassify(
  options: ClassifyOptions,
  out: Output,
  stdin: () => Readable = () => process.stdin,
): Promise<ExitCode> {
  const model = await loadModel(options.model)
  const method = options.method ?? model.method
  const classifier = classifierOf(model, method)
  const reader = createTextReader(model.reading)
  const problems = new ProblemList()
  const tally = new Tally(classifier.labels)
  const printer = new Printer(out, classifier, options.json)
  let left = options.limit ?? Number.POSITIVE_INFINITY
  let judged = 0
  for await (const asked of textsIn(options.source, stdin, problems)) {
    if (left-- <= 0) break
    const probabilities = classifier.probabilities(reader.count(asked.text))
    const label = classifier.labels[likeliest(probabilities)] ?? ''
    if (asked.truth !== '') tally.add(asked.truth, label)
    await printer.add({ ...asked, label, probabilities })
    judged++
  }
  await printer.flush()
  const scores = tally.scores()
  if (scores.texts > 0) await tellScores(scores, { json: options.json, method }, out)
  if (judged === 0 && problems.count === 0) out.warn('there is nothing to judge\n')
  if (problems.count === 0) return EXIT.done
  for (const line of problems.told().split('\n')) out.warn(`jelajah: ${safeText(line)}\n`)
  return EXIT.error
}

async function loadModel({ path, name }: ClassifyOptions['model']): Promise<Model> {
  const { bytes, truncated } = await readFileAtMost(path, name)
  if (truncated) throw new InvalidInput(name, 'is larger than any model')
  return decodeModel(bytes.toString('utf8'), name)
}

async function readFileAtMost(path: string, name: string) {
  try {
    await using file = await open(path)
    return await readAtMost(file.createReadStream(), MAX_MODEL_BYTES)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new InvalidInput(name, `cannot be read: ${code}`)
  }
}

async function* textsIn(
  source: ClassifySource,
  stdin: () => Readable,
  problems: ProblemList,
): AsyncGenerator<Asked> {
  if (source.kind === 'text') {
    yield { text: source.text, truth: '', url: null }
    return
  }
  if (source.kind === 'crawl') {
    yield* pagesIn(source)
    return
  }
  for await (const line of readTexts(openTexts(source, stdin), source.name)) {
    if (line.problem !== undefined) problems.add(line.line, line.problem)
    else yield { text: line.text, truth: line.label, url: null }
  }
}

async function* pagesIn(source: Extract<ClassifySource, { kind: 'crawl' }>) {
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

// Reads labelled texts from JSON lines:
//
//   {"text": "The tide comes in twice a day.", "label": "sea"}
//
// The text is in `text`, or else in `content_text` or `content`, as in `jelajah pages --json`; a `title` is
// put before it. The label is a text, a number, true or false; other fields are ignored.
import type { Readable } from 'node:stream'
import { InvalidInput } from '../core/errors.ts'
import { errorCode } from '../lib/present.ts'
import { type Line, readLines } from '../lib/read-lines.ts'

export type LabelledText = {
  readonly text: string
  /** '' if it has none. */
  readonly label: string
}

/** A line of the file, or its problem. */
type TextLine = { readonly line: number } & (
  | (LabelledText & { readonly problem?: undefined })
  | { readonly problem: string }
)

/** The longest pages are shorter; anything longer is no text. */
const MAX_LINE_BYTES = 16 << 20
/** The subject of a text is clear long before. */
const MAX_TEXT_LENGTH = 200_000
/** All texts of a training together, in characters: they are held in memory. */
const MAX_TOTAL_LENGTH = 200_000_000
const MAX_LABELS = 500
const MAX_LABEL_LENGTH = 200
/** Number of problems reported at once. */
const TOLD = 5

/** One by one; empty lines are skipped. Rejects with InvalidInput if reading fails. */
export async function* readTexts(stream: Readable, name: string): AsyncGenerator<TextLine> {
  try {
    for await (const line of readLines(stream, MAX_LINE_BYTES)) {
      if (!isBlank(line.bytes)) yield textLineOf(line)
    }
  } catch (error) {
    throw new InvalidInput(name, `cannot be read: ${errorCode(error) || error}`)
  }
}

/** All of them, checked for training; InvalidInput reports several problems at once. */
export async function readTrainingTexts(stream: Readable, name: string): Promise<LabelledText[]> {
  const texts: LabelledText[] = []
  const problems = new ProblemList()
  let length = 0
  for await (const line of readTexts(stream, name)) {
    if (line.problem !== undefined) problems.add(line.line, line.problem)
    else if (line.label === '') problems.add(line.line, 'has no label')
    else {
      texts.push({ text: line.text, label: line.label })
      length += line.text.length
    }
    if (length > MAX_TOTAL_LENGTH) {
      throw new InvalidInput(name, 'more text than fits into memory: a sample of it is as good')
    }
  }
  if (problems.count > 0) throw new InvalidInput(name, problems.told())
  refuseUnfit(texts, name)
  return texts
}

/** Collects problems of lines; reports the first few and how many more there are. */
export class ProblemList {
  readonly #first: string[] = []
  count = 0

  add(line: number, problem: string): void {
    this.count++
    if (this.#first.length < TOLD) this.#first.push(`line ${line} ${problem}`)
  }

  told(): string {
    const more = this.count - this.#first.length
    const rest = more > 0 ? [`and ${more} more such lines`] : []
    return [...this.#first, ...rest].join('\n')
  }
}

function refuseUnfit(texts: readonly LabelledText[], name: string): void {
  const counts = new Map<string, number>()
  for (const { label } of texts) counts.set(label, (counts.get(label) ?? 0) + 1)
  if (texts.length === 0) throw new InvalidInput(name, 'holds no texts')
  const [first = ''] = counts.keys()
  if (counts.size === 1) {
    const all = `all ${texts.length} texts are labelled "${first}"`
    throw new InvalidInput(name, `${all}: there must be at least two labels to tell apart`)
  }
  if (counts.size > MAX_LABELS) {
    throw new InvalidInput(
      name,
      `has ${counts.size} labels; more than ${MAX_LABELS} cannot be told`,
    )
  }
  const lone = [...counts].filter(([, count]) => count < 2).map(([label]) => `"${label}"`)
  if (lone.length > 0) {
    const shown = lone.slice(0, TOLD).join(', ') + (lone.length > TOLD ? ' …' : '')
    throw new InvalidInput(name, `each label needs at least two texts; only one has ${shown}`)
  }
}

function textLineOf({ number: line, bytes, cut }: Line): TextLine {
  if (cut) return { line, problem: 'is longer than 16 MiB' }
  let json: unknown
  try {
    json = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    const what = error instanceof SyntaxError ? 'JSON' : 'UTF-8 text'
    return { line, problem: `is not ${what}` }
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { line, problem: 'is not a JSON object with "text" and "label"' }
  }
  const fields = new Map<string, unknown>(Object.entries(json))
  const text = textOf(fields)
  if (text === null) return { line, problem: 'has no "text"' }
  if (!/\S/.test(text)) return { line, problem: 'has an empty text' }
  const label = labelOf(fields.get('label'))
  if (label === null) return { line, problem: 'has a label that is no text' }
  return { line, text, label }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function textOf(fields: ReadonlyMap<string, unknown>): string | null {
  const found = ['text', 'content_text', 'content'].map((key) => fields.get(key))
  const text = found.find((value) => typeof value === 'string')
  if (typeof text !== 'string') return null
  const title = fields.get('title')
  const whole = typeof title === 'string' && title !== '' ? `${title}\n${text}` : text
  return whole.slice(0, MAX_TEXT_LENGTH)
}

/** '' if there is none, null if it is invalid. */
function labelOf(value: unknown): string | null {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || value.length > MAX_LABEL_LENGTH) return null
  return value.trim()
}

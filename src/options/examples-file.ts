// A file of examples: pages on and off topic, as URLs or as texts. It has one of three forms:
//
//   lines        https://a.test/page, or a text; "- " before it: off topic; "+ " or nothing: on topic
//   JSON lines   {"url": …} or {"text": …, "title": …}, each with "label": positive or negative
//   JSON         {"positive": […], "negative": […]} with such objects, URLs or texts
//
// All problems are reported at once, each with its line.
import { shown } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Problems } from './bad-options.ts'
import { seedUrl } from './seeds.ts'

/** One page, by its URL or by its text. */
export type Example =
  | { readonly kind: 'url'; readonly url: CanonicalUrl }
  | { readonly kind: 'text'; readonly title: string; readonly text: string }

export type Examples = {
  readonly positive: readonly Example[]
  readonly negative: readonly Example[]
}

type Side = keyof Examples

/** More problems are only counted. */
const PROBLEMS_SHOWN = 5
const SIDES: ReadonlyMap<unknown, Side> = new Map<unknown, Side>([
  ...['positive', 'pos', 'true', '1', '+', true, 1].map((mark): [unknown, Side] => [
    mark,
    'positive',
  ]),
  ...['negative', 'neg', 'false', '0', '-1', '-', false, 0, -1].map((mark): [unknown, Side] => [
    mark,
    'negative',
  ]),
])
const KEYS: Readonly<Record<Side, readonly string[]>> = {
  positive: ['positive', 'examples_pos'],
  negative: ['negative', 'examples_neg'],
}

/** The examples in a file called `name`. */
export function readExamples(file: string, name: string, problems: Problems): Examples {
  const list = new ExampleList(name, problems)
  const text = file.replace(/^\ufeff/, '')
  const json = /^\s*[[{]/.test(text) ? parsed(text) : undefined
  if (json !== undefined) addJson(json, list)
  else if (beginsObject(text)) list.refuse('', `is not valid JSON: ${whyNot(text)}`)
  else addLines(text, list)
  list.finish()
  return { positive: list.positive, negative: list.negative }
}

/** Undefined when the whole text is not JSON; JSON lines are not. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True when the first line opens an object and does not close it: then the file is one JSON text. */
function beginsObject(text: string): boolean {
  const first = /^\s*([{].*)/.exec(text)?.[1]
  return first !== undefined && parsed(first) === undefined
}

function whyNot(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function addJson(json: unknown, list: ExampleList): void {
  if (Array.isArray(json)) {
    for (const [at, entry] of json.entries()) list.add(`entry ${at + 1}`, entry)
    return
  }
  const fields: Readonly<Record<string, unknown>> = { ...Object(json) }
  const keys = [...KEYS.positive, ...KEYS.negative]
  if (!keys.some((key) => key in fields)) {
    list.add('line 1', fields)
    return
  }
  for (const side of ['positive', 'negative'] as const) {
    for (const key of KEYS[side]) addSide(fields[key] ?? [], key, side, list)
  }
}

function addSide(entries: unknown, key: string, side: Side, list: ExampleList): void {
  if (!Array.isArray(entries)) {
    list.refuse(`"${key}"`, 'needs an array of URLs and texts')
    return
  }
  for (const [at, entry] of entries.entries()) list.add(`${key}[${at}]`, entry, side)
}

function addLines(text: string, list: ExampleList): void {
  for (const [at, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const where = `line ${at + 1}`
    if (line.startsWith('{')) {
      const json = parsed(line)
      if (json === undefined) list.refuse(where, `is not valid JSON: ${shown(line)}`)
      else list.add(where, json)
    } else {
      const [, mark = '+', written = ''] = /^(?:([+-])\s+)?(.*)$/.exec(line) ?? []
      list.add(where, written, SIDES.get(mark) ?? 'positive')
    }
  }
}

class ExampleList implements Examples {
  readonly positive: Example[] = []
  readonly negative: Example[] = []
  readonly #name: string
  readonly #problems: Problems
  /** The side of each URL or text so far. */
  readonly #known = new Map<string, Side>()
  #refused = 0

  constructor(name: string, problems: Problems) {
    this.#name = name
    this.#problems = problems
  }

  refuse(where: string, message: string): void {
    this.#refused++
    if (this.#refused > PROBLEMS_SHOWN) return
    this.#problems.add('flag', `--examples: ${`${this.#name} ${where}`.trim()}`, message)
  }

  /** `side`: for entries without a label of their own. */
  add(where: string, entry: unknown, side: Side | null = null): void {
    const given = side ?? sideOf(entry)
    const example = exampleOf(entry)
    if (given === null) {
      this.refuse(where, 'needs a label that is positive or negative (true or false, 1 or 0)')
    } else if (typeof example === 'string') this.refuse(where, example)
    else this.#put(where, example, given)
  }

  finish(): void {
    const { length } = this.positive
    const more = this.#refused - PROBLEMS_SHOWN
    if (more > 0) {
      this.#problems.add('flag', `--examples: ${this.#name}`, `${more} more entries are wrong`)
    } else if (this.#refused === 0 && length === 0) {
      const message = 'has no example of what the crawl is about: give positive ones, too'
      this.#problems.add('flag', '--examples', `${this.#name} ${message}`)
    }
  }

  #put(where: string, example: Example, side: Side): void {
    const key = example.kind === 'url' ? example.url : `${example.title}\n${example.text}`
    const before = this.#known.get(key)
    if (before === undefined) this[side].push(example)
    else if (before !== side) this.refuse(where, `${shown(key)} is on topic and off topic`)
    this.#known.set(key, before ?? side)
  }
}

/** The label of the entry; positive without one, null for an unknown one. */
function sideOf(entry: unknown): Side | null {
  const { label }: { label?: unknown } = typeof entry === 'object' && entry !== null ? entry : {}
  if (label === undefined) return 'positive'
  return SIDES.get(typeof label === 'string' ? label.trim().toLowerCase() : label) ?? null
}

/** The example, or what is wrong with it. */
function exampleOf(entry: unknown): Example | string {
  if (typeof entry === 'string') return exampleFrom(entry)
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return `needs a URL or a text, not ${shown(entry)}`
  }
  const { url = '', text = '', title = '' }: Readonly<Record<string, unknown>> = { ...entry }
  if (typeof url !== 'string' || typeof text !== 'string' || typeof title !== 'string') {
    return 'needs url, text and title to be texts'
  }
  // A text that comes with its URL need not be fetched.
  if (text.trim() !== '') return { kind: 'text', title, text }
  if (url.trim() !== '') return byUrl(url)
  return title.trim() === '' ? 'needs a url or a text' : { kind: 'text', title, text: '' }
}

/** Several words are a text; one word with a dot in its first part is a URL. */
function exampleFrom(written: string): Example | string {
  const word = written.trim()
  if (word === '') return 'is empty'
  if (/^https?:\/\//i.test(word)) return byUrl(word)
  const isAddress = /^[^\s/?#.]+\.[^\s/?#]+(?:[/?#]\S*)?$/.test(word) && !/[.!?]$/.test(word)
  const url = isAddress ? seedUrl(word) : null
  return url === null ? { kind: 'text', title: '', text: word } : { kind: 'url', url }
}

function byUrl(written: string): Example | string {
  const url = seedUrl(written)
  return url === null ? `${shown(written)} is not an http or https URL` : { kind: 'url', url }
}

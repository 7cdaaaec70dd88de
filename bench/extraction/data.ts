// Pages with truth, as they lie on disk: a folder per set, and in it
//
//   set.json    { "metric": "word" | "shingle" | "snippet", "tokens": "dense"? }
//   truth.json  { id: { text, url, type, lang, with, without, title, author, date, … } }
//   html/       <id>.html, UTF-8
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { InvalidInput } from '../../src/core/errors.ts'
import { METRICS, type Metric } from './metrics.ts'

export type Truth = {
  readonly id: string
  readonly file: string
  readonly url: string | null
  /** The kind of page, by the set's own names. */
  readonly kind: string
  /** The main content; null where a set has only snippets. */
  readonly text: string | null
  /** Pieces that must be in the text and pieces that must not; null where there are none. */
  readonly snippets: { readonly required: string[]; readonly forbidden: string[] } | null
  /** '' where the truth is not known, here and below. */
  readonly title: string
  readonly author: string
  /** Begins with YYYY-MM-DD. */
  readonly date: string
  readonly description: string
  readonly lang: string
}

export type PageSet = {
  readonly name: string
  readonly metric: Metric
  /** Scripts without spaces count by character. */
  readonly dense: boolean
  readonly pages: readonly Truth[]
}

const FORM =
  'wanted is a folder of sets, or one set: set.json, truth.json and html/<id>.html (bench/README.md)'

/** The sets below a folder, or the one it is; throws InvalidInput when it is neither. */
export function readSets(folder: string, names: readonly string[] | null): PageSet[] {
  const root = resolve(folder)
  if (!existsSync(root)) throw new InvalidInput(root, 'there is no such folder')
  if (isSet(root)) return [readSet(root)]
  const all = readdirSync(root)
    .filter((name) => isSet(join(root, name)))
    .sort()
  if (all.length === 0) throw new InvalidInput(root, `there are no pages with truth: ${FORM}`)
  const missing = names?.find((name) => !all.includes(name))
  if (missing !== undefined) {
    throw new InvalidInput(root, `there is no set '${missing}', only ${all.join(', ')}`)
  }
  return (names ?? all).map((name) => readSet(join(root, name)))
}

function isSet(folder: string): boolean {
  return existsSync(join(folder, 'truth.json'))
}

function readSet(folder: string): PageSet {
  const about = readObject(join(folder, 'set.json'))
  const metric = METRICS.find((name) => name === about.metric)
  if (metric === undefined) {
    throw new InvalidInput(
      join(folder, 'set.json'),
      `'metric' must be one of ${METRICS.join(', ')}, not ${JSON.stringify(about.metric)}`,
    )
  }
  const file = join(folder, 'truth.json')
  const pages = Object.entries(readObject(file))
    .map(([id, truth]) => decodeTruth(folder, id, truth))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  if (pages.length === 0) throw new InvalidInput(file, 'it names no pages')
  return { name: basename(folder), metric, dense: about.tokens === 'dense', pages }
}

function decodeTruth(folder: string, id: string, value: unknown): Truth {
  const at = `${join(folder, 'truth.json')}, page ${id}`
  if (!isObject(value)) throw new InvalidInput(at, 'the truth must be an object')
  const { text, url, type, title, author, date, description, lang } = value
  const file = join(folder, 'html', `${id}.html`)
  if (!existsSync(file)) throw new InvalidInput(at, `there is no ${file}`)
  const required = listOf(value.with)
  const forbidden = listOf(value.without)
  const snippets = required !== null && forbidden !== null ? { required, forbidden } : null
  if (typeof text !== 'string' && snippets === null) {
    throw new InvalidInput(at, "it has neither 'text' nor both of 'with' and 'without'")
  }
  return {
    id,
    file,
    url: typeof url === 'string' ? url : null,
    kind: textOf(type) || 'unknown',
    text: typeof text === 'string' ? text : null,
    snippets,
    title: textOf(title),
    author: textOf(author),
    date: textOf(date),
    description: textOf(description),
    lang: textOf(lang),
  }
}

function readObject(file: string): Record<string, unknown> {
  if (!existsSync(file)) throw new InvalidInput(file, `it is missing: ${FORM}`)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new InvalidInput(file, `it is no JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (!isObject(value)) throw new InvalidInput(file, 'it must hold a JSON object')
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null
  return value.filter((piece) => typeof piece === 'string')
}

/** Some truths name several authors in a list. */
function textOf(value: unknown): string {
  return (listOf(value) ?? [value]).filter((piece) => typeof piece === 'string').join(' ')
}

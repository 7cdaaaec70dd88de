// One JSON object per line, as mongoimport, jq, DuckDB and pandas take it.
import { PARTS } from '../core/page.ts'
import type { WholePage } from '../store/whole-pages.ts'
import { allParts, PAGE_COLUMNS, rowsOfPart } from './columns.ts'
import { type ExportChoices, type Exporter, STEP_NAMES, WHATS } from './exporter.ts'
import { type LineFile, lineOutput, namesOf, needsOf, writeLineFiles } from './line-files.ts'

export const ndjson: Exporter = {
  name: 'ndjson',
  about: 'JSON lines: pages whole, or the rows of a part; ready for mongoimport',
  ends: ['ndjson', 'jsonl'],
  whats: WHATS,
  takes: ['gzip', 'duplicates'],
  steps: STEP_NAMES,
  output: lineOutput,
  async write(job) {
    const { what } = job.choices
    const names = namesOf(what)
    const needs = what === 'pages' ? { parts: PARTS } : needsOf(names)
    const files = names.map((name) => fileOf(name, job.choices))
    await writeLineFiles(job, files, { extension: 'ndjson', needs })
  },
}

function fileOf(name: LineFile['name'], { what }: ExportChoices): LineFile {
  if (name === 'pages') {
    const isWhole = what === 'pages'
    return { name, head: '', linesOf: (page) => [jsonLine(pageObject(page, isWhole))] }
  }
  return { name, head: '', linesOf: (page) => rowsOfPart(page, name).map(rowLine) }
}

/** `isWhole`: with its parts. */
function pageObject(page: WholePage, isWhole: boolean): Record<string, unknown> {
  const columns = PAGE_COLUMNS.map(({ name, of }) => [name, of(page)])
  const parts = isWhole ? allParts(page) : {}
  return { _id: page.id, ...Object.fromEntries(columns), ...parts }
}

function rowLine({ page, position, row }: ReturnType<typeof rowsOfPart>[number]): string {
  return jsonLine({ page_id: page.id, page_url: page.url, position, ...row })
}

const ESCAPED = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g
/** What JSON leaves as it is, but some take for the end of a line, and terminals for a command. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** One line, whatever is in it. Halves of characters, which several readers refuse, become U+FFFD. */
export function jsonLine(value: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(value).replace(UNSEEN, escaped)
  // Whole characters are never written as escapes: what is left here are halves.
  if (!json.includes('\\ud')) return `${json}\n`
  return `${json.replace(ESCAPED, (all, half) => (half === undefined ? all : '\ufffd'))}\n`
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

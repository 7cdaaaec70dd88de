// One JSON object per line, for mongoimport, jq, DuckDB and pandas.
import { STORED_PARTS, type StoredPart } from '../core/page.ts'
import { escapedChar } from '../lib/json-line.ts'
import type { PageNeeds, WholePage } from '../store/page-reader.ts'
import { allParts, pageColumns, rowsOfPart } from './columns.ts'
import {
  type ExportChoices,
  type Exporter,
  type ExportJob,
  type Sink,
  STEP_NAMES,
  WHATS,
  type What,
} from './exporter.ts'
import { splitName } from './split.ts'

export const ndjson: Exporter = {
  name: 'ndjson',
  about: 'JSON lines: pages whole, or the rows of a part; ready for mongoimport',
  ends: ['ndjson', 'jsonl'],
  whats: WHATS,
  takes: ['gzip', 'duplicates', 'clusters', 'split'],
  steps: STEP_NAMES,
  output: lineOutput,
  async write(job) {
    const { what } = job.choices
    const names = namesOf(what)
    const needs = what === 'pages' ? { parts: STORED_PARTS } : needsOf(names)
    const files = names.map((name) => fileOf(name, job.choices))
    await writeLineFiles(job, files, { extension: 'ndjson', needs })
  },
}

function fileOf(name: LineFile['name'], { what, clusters = false }: ExportChoices): LineFile {
  if (name === 'pages') {
    const isWhole = what === 'pages'
    const linesOf = (page: WholePage) => [jsonLine(pageObject(page, { isWhole, clusters }))]
    return { name, head: '', linesOf }
  }
  return { name, head: '', linesOf: (page) => rowsOfPart(page, name).map(rowLine) }
}

/** `isWhole`: include the parts. */
function pageObject(
  page: WholePage,
  { isWhole, clusters }: { readonly isWhole: boolean; readonly clusters: boolean },
): Record<string, unknown> {
  const columns = pageColumns(clusters).map(({ name, of }) => [name, of(page)])
  const parts = isWhole ? allParts(page) : {}
  return { _id: page.id, ...Object.fromEntries(columns), ...parts }
}

function rowLine({ page, position, row }: ReturnType<typeof rowsOfPart>[number]): string {
  return jsonLine({ page_id: page.id, page_url: page.url, position, ...row })
}

const ESCAPED = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g
/**
 * Characters that JSON does not escape, but that some programs take for a line end, and terminals for a
 * command.
 */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Always one line. Lone surrogates, which several readers refuse, become U+FFFD. */
export function jsonLine(value: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(value).replace(UNSEEN, escapedChar)
  // JSON.stringify escapes only lone surrogates, never whole characters.
  if (!json.includes('\\ud')) return `${json}\n`
  return `${json.replace(ESCAPED, (all, half) => (half === undefined ? all : '\ufffd'))}\n`
}

export type LineFile = {
  /** Without the extension; also the name of its count in the summary. */
  readonly name: 'pages' | StoredPart
  /** The first line, with its line end; '' if there is none. */
  readonly head: string
  /** The lines of a page, with their line ends. */
  readonly linesOf: (page: WholePage) => readonly string[]
}

/** For formats with one line per page or row: a folder only if there are several files. */
export function lineOutput({ what, split }: ExportChoices): 'file' | 'folder' {
  return what === 'all' || split !== undefined ? 'folder' : 'file'
}

/** `all` means the page without its parts, and each part. */
export function namesOf(what: What): readonly LineFile['name'][] {
  return what === 'all' ? ['pages', ...STORED_PARTS] : [what]
}

export async function writeLineFiles(
  job: ExportJob,
  files: readonly LineFile[],
  { extension, needs }: { readonly extension: string; readonly needs: PageNeeds },
): Promise<void> {
  const { split } = job.choices
  const sinks = new Map<string, Sink>()
  const sinkOf = async (name: string, head: string): Promise<Sink> => {
    const known = sinks.get(name)
    if (known !== undefined) return known
    const sink = await job.target.append(`${name}.${extension}`)
    if (sink.length === 0 && head !== '') await sink.write(head)
    sinks.set(name, sink)
    return sink
  }
  // An export without pages has its files, too.
  if (split === undefined) for (const { name, head } of files) await sinkOf(name, head)
  for await (const page of job.pages(needs)) {
    for (const { name, head, linesOf } of files) {
      const lines = linesOf(page)
      if (name !== 'pages') job.count(name, lines.length)
      if (lines.length === 0) continue
      const sink = await sinkOf(split === undefined ? name : splitName(page, split), head)
      await sink.write(lines.join(''))
    }
    await job.settle(page.id)
  }
}

/** The parts of pages that these files need. */
export function needsOf(names: readonly LineFile['name'][]): PageNeeds {
  const hasPages = names.includes('pages')
  const parts = STORED_PARTS.filter(
    (part) => names.includes(part) || (hasPages && part === 'fields'),
  )
  return { text: hasPages, parts }
}

// `jelajah pages`: lists the pages of a crawl, streamed.
import { fieldsObject } from '../core/field-rules.ts'
import type { JobRecord } from '../core/job.ts'
import { aboutObject, type StoredPage } from '../core/page.ts'
import { showBytes } from '../lib/format.ts'
import { jsonLine } from '../lib/json-line.ts'
import { given } from '../lib/present.ts'
import { safeText } from '../lib/terminal.ts'
import type { ChosenBy } from '../options/option.ts'
import type { PageReader } from '../store/page-reader.ts'
import { type Command, readCommand } from './command.ts'
import { CRAWL, HOST, HOT, JSON_OUTPUT, MIN_RELEVANCE, ROW_LIMIT } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { Surroundings } from './sources.ts'
import { type Column, table } from './table.ts'
import { STORE_OPTIONS } from './workspace-options.ts'

const OPTIONS = [
  ...STORE_OPTIONS,
  CRAWL,
  HOST,
  HOT,
  MIN_RELEVANCE,
  ROW_LIMIT,
  {
    ...JSON_OUTPUT,
    help:
      'one JSON object per line: the columns of the table pages, text included; links, tables and ' +
      'other parts are in SQL (page_links …) and in parse --json',
  },
] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [
    ['pages --host example.com --limit 20', 'the first pages of one host'],
    ['pages --json > pages.ndjson', 'all of them with their text'],
    ['pages --hot --min-relevance 0.8', 'what a focused crawl was after'],
  ],
  run: (argv, around, out) => runPages(parsePages(argv, around), out),
}

/** Null: the newest crawl, any host, all rows. */
const DEFAULTS = {
  json: false,
  crawl: null,
  host: null,
  limit: null,
  hot: false,
  minRelevance: null,
}

export type PagesOptions = ReturnType<typeof parsePages>

export function parsePages(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around)
  read.problems.throwIfAny()
  return { ...DEFAULTS, ...read.chosen, ...read.workspace }
}

const CHUNK = 200

export async function runPages(options: PagesOptions, out: Output): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { crawl, host, hot, minRelevance, json } = options
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, crawl)
  await using pages = await workspace.pageReader()
  let left = options.limit ?? Number.POSITIVE_INFINITY
  let found = false
  const columns = pageColumns(job.topic !== null)
  const filter = { ...given({ host, minRelevance }), ...(hot ? { hot } : {}) }
  for (let after = 0; left > 0; ) {
    const limit = Math.min(CHUNK, left)
    const chunk = await pages.list({ crawlId: job.id, after, limit, ...filter })
    const last = chunk.at(-1)
    if (last === undefined) break
    const write = json ? await jsonOf(chunk, job, pages) : table(columns, chunk, after === 0)
    await out.write(write)
    after = last.id
    left -= chunk.length
    found = true
  }
  if (!found && host !== null) {
    const { refuseUnknownHost } = await import('../reads/known-host.ts')
    await refuseUnknownHost(workspace, host, [job.id])
  }
  if (!found && !json) out.warn(`no page matches${await whyEmpty(pages, job)}\n`)
  return EXIT.done
}

/** Names a crawl that has stored nothing, and what became of it; '' where it has pages. */
export async function whyEmpty(
  pages: Pick<PageReader, 'totals'>,
  { id, name, status, note }: Pick<JobRecord, 'id' | 'name' | 'status' | 'note'>,
): Promise<string> {
  const { stored, duplicates } = await pages.totals(id)
  if (stored + duplicates > 0) return ''
  const became = status === 'failed' ? 'has failed' : `is ${status}`
  const why = note === '' ? '' : ` (${note})`
  return safeText(`: crawl ${id}, ${name}, ${became}${why} and has no page; --crawl takes another`)
}

/** With the fields of a crawl that has rules for them. */
async function jsonOf(
  chunk: readonly StoredPage[],
  { settings }: JobRecord,
  pages: Pick<PageReader, 'partsOf'>,
): Promise<string> {
  if (settings.fields === null) return chunk.map((page) => pageJson(page)).join('')
  const lines = chunk.map(async (page) => {
    const { fields = '[]' } = await pages.partsOf(page.duplicateOf ?? page.id)
    return pageJson(page, fieldsObject(fields))
  })
  return (await Promise.all(lines)).join('')
}

export function pageJson(page: StoredPage, fields?: Readonly<Record<string, unknown>>): string {
  // Markdown is for `export --format markdown`: it is the text again.
  const { id, crawlId, url, duplicateOf, about, markdown: _, ...rest } = page
  return jsonLine({
    id,
    crawlId,
    url,
    duplicateOf,
    ...rest,
    about: aboutObject(about),
    ...(fields && { fields }),
  })
}

/** `focused`: with how relevant each page is, and a mark where it is hot. */
export function pageColumns(focused: boolean): readonly Column<StoredPage>[] {
  const [id, ...rest] = PAGE_COLUMNS
  return id !== undefined && focused ? [id, RELEVANCE, ...rest] : PAGE_COLUMNS
}

const RELEVANCE: Column<StoredPage> = {
  title: 'RELEVANT',
  of: ({ relevance, hot }) =>
    `${relevance === null ? '' : relevance.toFixed(2)}${hot ? ' hot' : '    '}`,
  align: 'right',
}

const PAGE_COLUMNS: readonly Column<StoredPage>[] = [
  { title: 'ID', of: ({ id }) => String(id), align: 'right', min: 6 },
  { title: 'DEPTH', of: ({ depth }) => String(depth), align: 'right' },
  { title: 'SIZE', of: ({ sizeBytes }) => showBytes(sizeBytes), align: 'right', min: 8 },
  { title: 'TITLE', of: titleOf, min: 40, max: 40 },
  { title: 'URL', of: ({ url }) => url, max: 200 },
]

function titleOf({ title, duplicateOf, noindex }: StoredPage): string {
  if (duplicateOf !== null) return `(same as ${duplicateOf})`
  return noindex ? '(noindex)' : title
}

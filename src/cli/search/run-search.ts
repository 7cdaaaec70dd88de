// `jelajah search`: brings the index up to date, asks it, and shows the hits.
import { CrawlerError } from '../../core/errors.ts'
import type { PageKind } from '../../core/page.ts'
import type { Field } from '../../core/search-field.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { isRunning } from '../../jobs/job-reader.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { showCount, showNumber, showTime } from '../../lib/format.ts'
import { given } from '../../lib/present.ts'
import { StopSignals } from '../../lib/stop-signals.ts'
import { cells, fit, safeText } from '../../lib/terminal.ts'
import { sinceTime } from '../../options/values.ts'
import { refuseUnknownHost } from '../../reads/known-host.ts'
import { catchUpInSteps, openSearch, type WorkspaceSearch } from '../../reads/search.ts'
import type { SearchResult } from '../../reads/shapes/page.ts'
import type { Search } from '../../search/search-index.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { StatusStream } from '../crawl/status-line.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import { COLOURED, PLAIN, type Style } from '../table.ts'

export type SearchChoices = WorkspaceChoice & {
  readonly json: boolean
  readonly quiet: boolean
  /** As it was written. */
  readonly crawl: string
  readonly columns: readonly Field[]
  readonly host: string
  readonly language: string
  readonly kind: PageKind
  readonly topic: string
  readonly hot: boolean
  /** As it was written. */
  readonly since: string
  readonly limit: number
  readonly offset: number
  readonly all: boolean
  readonly exact: boolean
  readonly rankWeight: number
}

/** What is absent was not asked for. */
export type SearchCommand = Partial<SearchChoices> &
  Pick<WorkspaceChoice, 'dataDir'> & {
    readonly query: string
    readonly limit: number
    readonly offset: number
  }

/** What takes no longer needs no word. */
const MOMENT_MS = 500
const PLAIN_WIDTH = 100

export type SearchDeps = {
  readonly clock: Clock
  readonly progress: StatusStream
  readonly colours: boolean
  readonly width: number
  /** Settled when catching up is to stop. */
  readonly stopped?: Promise<unknown>
}

export async function runSearch(
  command: SearchCommand,
  out: Output,
  given: Partial<SearchDeps> = {},
): Promise<ExitCode> {
  const world = { ...usualWorld(), ...given }
  // Also says where there is nothing at all to search.
  await using workspace = workspaceOf(command)
  const job = await chooseCrawl(workspace, command.crawl ?? null)
  const crawlId = command.crawl === undefined ? null : job.id
  const result = await answerTo({ command, workspace, crawlId }, out, world)
  if (result === null) {
    out.warn('stopped; what was indexed is kept, and the next search goes on from there\n')
    return EXIT.interrupted
  }
  if (result.total === 0 && command.host !== undefined) {
    await refuseUnknownHost(workspace, command.host, crawlId === null ? null : [crawlId])
  }
  if (result.cut) out.warn(`the query is too long; this much was used: ${tail(result.query)}\n`)
  if (result.behind > 0) {
    out.warn(`${await behindText(workspace, job.id, result.behind)}\n`)
  }
  const { colours, width } = world
  const style = colours ? COLOURED : PLAIN
  const shown = command.json
    ? `${JSON.stringify(result)}\n`
    : searchText(result, { style, width, offset: command.offset })
  await out.write(shown)
  return EXIT.done
}

type Asked = {
  readonly command: SearchCommand
  readonly workspace: Workspace
  /** Null: all there are. */
  readonly crawlId: number | null
}

/** Null when it was stopped before its end. */
async function answerTo(
  { command, workspace, crawlId }: Asked,
  out: Output,
  deps: SearchDeps,
): Promise<SearchResult | null> {
  const onAnew = () => out.warn('the index is of another version, or damaged: it is built again\n')
  await using search = openSearch(workspace, { clock: deps.clock, onAnew })
  if (!(await caughtUp(search, command, deps))) return null
  return await search.search(searchFrom(command, crawlId, deps.clock.now()))
}

function usualWorld(): SearchDeps {
  const { stdout, stderr } = process
  return {
    clock: systemClock,
    progress: stderr,
    colours: stdout.isTTY && stdout.hasColors(),
    width: stdout.isTTY ? stdout.columns : PLAIN_WIDTH,
  }
}

/** False when it was stopped before its end. */
async function caughtUp(
  place: WorkspaceSearch,
  { quiet = false }: SearchCommand,
  { clock, progress, stopped }: SearchDeps,
): Promise<boolean> {
  using leaving = new StopSignals({ stopped })
  const { signal } = leaving
  const bar = new ProgressPrinter({ stream: progress, clock, quiet })
  const began = clock.now()
  let most = 0
  const onBehind = (behind: number): void => {
    most = Math.max(most, behind)
    if (behind === 0 || clock.now() - began < MOMENT_MS) return
    bar.show(1 - behind / most, `indexing, ${showNumber(behind, 'page')} left`)
  }
  try {
    await catchUpInSteps(place, { signal, onBehind })
    return !signal.aborted
  } finally {
    bar.end()
  }
}

function searchFrom(command: SearchCommand, crawlId: number | null, now: number): Search {
  const { query, limit, offset, columns, all, exact, rankWeight } = command
  const { host, language, kind, topic, hot } = command
  const since = command.since === undefined ? null : sinceTime(command.since, now)
  return {
    text: query,
    limit,
    offset,
    // `--no-hot` asks for the others.
    filter: given({ crawlId, host, language, kind, topic, hot, since }),
    scoring: given({ stems: exact === undefined ? null : !exact, rankWeight }),
    ...given({ columns, all }),
  }
}

const TAIL = 60

/** The end of what was used: there it was cut. */
function tail(query: string): string {
  const text = safeText(query)
  return text.length > TAIL ? `…${text.slice(-TAIL)}` : text
}

/** Says how far the index is behind, and what would make it keep up. */
export async function behindText(
  workspace: Workspace,
  crawlId: number,
  behind: number,
): Promise<string> {
  const what = `${showNumber(behind, 'change')} of the store cannot be searched yet`
  const isOutrun = (await isRunning(workspace, crawlId)) && !(await isKept(workspace))
  if (!isOutrun) return what
  return `${what}: a crawl runs; 'jelajah index --follow', or --index on the crawl, keeps up with it`
}

/** A lock that this user may not look at counts as held: better no word than a wrong one. */
async function isKept(workspace: Workspace): Promise<boolean> {
  try {
    return await workspace.isLocked('search')
  } catch (error) {
    if (error instanceof CrawlerError) return true
    throw error
  }
}

/** As much of a result as is printed. Places are [start, end) in UTF-16 units. */
export type PrintedHit = {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly title_marks: readonly (readonly number[])[]
  readonly snippet_marks: readonly (readonly number[])[]
  readonly others: number
  readonly language: string
  readonly kind: string
  readonly hot: boolean
  readonly crawl: string
  readonly fetched_at: number
}

type FacetCounts = readonly { readonly value: string; readonly count: number }[]

export type PrintedResult = {
  readonly total: number
  readonly pages: number
  /** Pages that have all words. */
  readonly whole: number
  readonly suggestion: string | null
  readonly hits: readonly PrintedHit[]
  readonly facets: Readonly<
    Record<'hosts' | 'languages' | 'kinds' | 'crawls' | 'topics', FacetCounts>
  >
}

export type PrintOptions = {
  readonly style: Style
  /** Of the terminal. */
  readonly width: number
  /** Hits passed over. */
  readonly offset: number
}

const INDENT = '    '
/** Longer lines are hard to read. */
const MAX_WIDTH = 100
/** Values shown of each facet. */
const FACET_VALUES = 5
const FACET_CELLS = 40
const FACETS = ['hosts', 'languages', 'kinds', 'crawls', 'topics'] as const

/** Hits as people read them. All texts come from the web: they are shown, never obeyed. */
export function searchText(result: PrintedResult, options: PrintOptions): string {
  const { hits, suggestion } = result
  const blocks = hits.map((hit, nth) => hitText(hit, options.offset + nth + 1, options))
  const end = [
    ...facetLines(result, options),
    totalLine(result, options),
    ...(suggestion === null ? [] : [`did you mean: ${options.style.bold(safeText(suggestion))}`]),
  ]
  return [...notWholeNote(result), ...blocks, `${end.join('\n')}\n`].join('\n')
}

/** Stands before the hits, so that a reader of the first few is not misled. */
function notWholeNote({ whole, hits }: PrintedResult): string[] {
  if (whole > 0 || hits.length === 0) return []
  return ['no page has all these words; these have some of them:\n']
}

function hitText(hit: PrintedHit, number: number, { style, width }: PrintOptions): string {
  const room = Math.min(MAX_WIDTH, Math.max(20, width - INDENT.length))
  const hasTitle = safeText(hit.title).trim() !== ''
  const title = hasTitle ? piecesOf(hit.title, hit.title_marks) : piecesOf('(no title)', [])
  const [first = '', ...rest] = wrapped(title, room, style)
  return [
    `${String(number).padStart(INDENT.length - 1)} ${first}`,
    ...rest.map((line) => INDENT + line),
    INDENT + fit(safeText(hit.url), Math.max(20, width - INDENT.length)),
    ...wrapped(piecesOf(hit.snippet, hit.snippet_marks), room, style).map((line) => INDENT + line),
    INDENT + style.dim(fit(factsOf(hit), room)),
    '',
  ].join('\n')
}

function factsOf({ language, kind, fetched_at: at, crawl, hot, others }: PrintedHit): string {
  const similar = others > 0 ? showNumber(others, 'similar page') : ''
  const day = showTime(at).slice(0, 10)
  const facts = [language, kind, hot ? 'hot' : '', day, crawl, similar]
  return facts
    .map(safeText)
    .filter((fact) => fact !== '')
    .join(' · ')
}

function facetLines({ facets }: PrintedResult, { width }: PrintOptions): string[] {
  return FACETS.flatMap((name) => {
    const values = facets[name]
    // One value alone tells nothing apart.
    if (values.length < 2) return []
    const shown = values
      .slice(0, FACET_VALUES)
      .map(({ value, count }) => `${fit(safeText(value), FACET_CELLS)} ${showCount(count)}`)
    const more = values.length > FACET_VALUES ? ', …' : ''
    return [fit(`${`${name}:`.padEnd(11)}${shown.join(', ')}${more}`, Math.max(20, width))]
  })
}

function totalLine(result: PrintedResult, { offset }: PrintOptions): string {
  const { total, pages, whole, hits } = result
  if (total === 0) return 'nothing found'
  const similar = pages > total ? ` (${showNumber(pages, 'page')} with similar ones; --all)` : ''
  const words = whole === pages ? '' : `, ${whole === 0 ? 'none' : showCount(whole)} with all words`
  const end = offset + hits.length
  const found = showNumber(total, 'hit') + words + similar
  if (hits.length === total) return found
  const shown =
    hits.length === 0 ? 'none from here on' : `${showCount(offset + 1)}–${showCount(end)} shown`
  const more = end < total && hits.length > 0 ? `, --offset ${end} for more` : ''
  return `${found}; ${shown}${more}`
}

type Piece = { readonly text: string; readonly marked: boolean }

/** A text cut at its marks, each piece safe by itself. */
function piecesOf(text: string, marks: readonly (readonly number[])[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const [start = 0, end = 0] of marks) {
    pieces.push({ text: safeText(text.slice(at, start)), marked: false })
    pieces.push({ text: safeText(text.slice(start, end)), marked: true })
    at = end
  }
  return [...pieces, { text: safeText(text.slice(at)), marked: false }]
}

/** In lines of so many cells; a longer word is cut. */
function wrapped(pieces: readonly Piece[], width: number, style: Style): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const { text, marked } of pieces) {
    for (const part of text.split(/( +)/)) {
      if (part === '' || (part.startsWith(' ') && used === 0)) continue
      const room = cells(part)
      if (used > 0 && used + room > width) {
        lines.push(line.trimEnd())
        line = ''
        used = 0
        if (part.startsWith(' ')) continue
      }
      line += marked ? style.bold(fit(part, width)) : fit(part, width)
      used += Math.min(room, width)
    }
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

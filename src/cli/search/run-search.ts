// `jelajah search`: brings the index up to date, asks it, and shows the hits.
import { CrawlerError } from '../../core/errors.ts'
import { isRunning } from '../../jobs/job-reader.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { showNumber } from '../../lib/format.ts'
import { jsonLine } from '../../lib/json-line.ts'
import { given } from '../../lib/present.ts'
import { StopSignals } from '../../lib/stop-signals.ts'
import { safeText } from '../../lib/terminal.ts'
import { sinceTime, untilTime } from '../../options/values.ts'
import { refuseUnknownHost } from '../../reads/known-host.ts'
import {
  catchUpInSteps,
  openSearch,
  type SearchRequest,
  type WorkspaceSearch,
} from '../../reads/search.ts'
import type { SearchResult } from '../../reads/shapes/page.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { StatusStream } from '../crawl/status-line.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import { COLOURED, PLAIN } from '../table.ts'
import { searchText, suggestionsText } from './print-hits.ts'
import { forgetSaved, noteAsked, printSaved, withSaved } from './saved.ts'
import type { SearchCommand } from './search-command.ts'

/** Shorter waits are not reported. */
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
  asked: SearchCommand,
  out: Output,
  given: Partial<SearchDeps> = {},
): Promise<ExitCode> {
  const deps = { ...usualDeps(), ...given }
  await using workspace = workspaceOf(asked)
  const { listSaved = false, forget, save, saved } = asked
  const isKept = listSaved || [forget, save, saved].some((name) => name !== undefined)
  // Also says where there is nothing at all to search.
  if (isKept) await chooseCrawl(workspace, null)
  await using kept = isKept ? await workspace.savedSearches() : null
  if (kept !== null && listSaved) return printSaved(kept, asked, out)
  if (kept !== null && forget !== undefined) return forgetSaved(kept, forget, out)
  const command = kept === null || saved === undefined ? asked : await withSaved(kept, saved, asked)
  const job = await chooseCrawl(workspace, command.crawl ?? null)
  const crawlId = command.crawl === undefined ? null : job.id
  if (command.suggest) return runSuggest({ command, workspace, crawlId }, out, deps)
  const result = await answerTo({ command, workspace, crawlId }, out, deps)
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
  const { colours, width } = deps
  const style = colours ? COLOURED : PLAIN
  const shown = command.json
    ? jsonLine(result)
    : searchText(result, { style, width, offset: command.offset })
  await out.write(shown)
  if (kept !== null) await noteAsked(kept, command, { result, crawlId, out, now: deps.clock.now() })
  return EXIT.done
}

/** What the query may become. */
async function runSuggest(asked: Asked, out: Output, deps: SearchDeps): Promise<ExitCode> {
  const { command, workspace, crawlId } = asked
  const { query: text, limit, json } = command
  await using search = openSearch(workspace, { clock: deps.clock })
  if (!(await caughtUp(search, command, deps))) return EXIT.interrupted
  const crawlIds = crawlId === null ? null : [crawlId]
  const suggestions = await search.suggest({ text, limit, ...given({ crawlIds }) })
  const style = deps.colours ? COLOURED : PLAIN
  await out.write(json ? jsonLine(suggestions) : suggestionsText(suggestions, style))
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
  const onRebuild = () =>
    out.warn('the index is of another version, or damaged: it is built again\n')
  await using search = openSearch(workspace, { clock: deps.clock, onRebuild })
  if (!(await caughtUp(search, command, deps))) return null
  return await search.search(searchFrom(command, crawlId, deps.clock.now()))
}

function usualDeps(): SearchDeps {
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
  workspace: WorkspaceSearch,
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
    await catchUpInSteps(workspace, { signal, onBehind })
    return !signal.aborted
  } finally {
    bar.end()
  }
}

function searchFrom(command: SearchCommand, crawlId: number | null, now: number): SearchRequest {
  const { query, limit, offset, columns, all, sort, exact, rankWeight } = command
  const { host, language, kind, topic, hot, changedAfter } = command
  const from = (written?: string) => (written === undefined ? null : sinceTime(written, now))
  const to = (written?: string) => (written === undefined ? null : untilTime(written, now))
  const times = {
    since: from(command.since),
    until: to(command.until),
    publishedSince: from(command.publishedSince),
    publishedUntil: to(command.publishedUntil),
  }
  return {
    text: query,
    limit,
    offset,
    // `--no-hot` asks for the others.
    filter: given({ crawlId, host, language, kind, topic, hot, changedAfter, ...times }),
    scoring: given({ stems: exact === undefined ? null : !exact, rankWeight }),
    ...given({ columns, all, sort }),
    ...given({ synonyms: command.rules, likeUrl: command.like }),
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

// `jelajah search`: brings the index up to date, asks it, and shows what it found.

import { type Clock, systemClock } from '../../lib/clock.ts'
import { showNumber } from '../../lib/format.ts'
import { safeText } from '../../lib/terminal.ts'
import { sinceTime } from '../../options/since.ts'
import { catchUpInSteps } from '../../reads/catch-up-in-steps.ts'
import { refuseUnknownHost } from '../../reads/known-host.ts'
import { openSearch, type WorkspaceSearch } from '../../reads/open-search.ts'
import type { SearchResult } from '../../reads/shapes/page.ts'
import type { Search, SearchFilter } from '../../search/search-index.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import { ShutdownSignal } from '../shutdown-signal.ts'
import type { StatusStream } from '../status-printer.ts'
import { COLOURED, PLAIN } from '../style.ts'
import { behindText } from './behind-text.ts'
import { searchText } from './print-search.ts'
import type { SearchCommand } from './search-command.ts'

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
  const onAnew = () => out.warn('the index is of another version, or damaged: it is made anew\n')
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
  using leaving = new ShutdownSignal(stopped)
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
  return {
    text: query,
    limit,
    offset,
    filter: filterFrom(command, crawlId, now),
    scoring: {
      ...(exact === undefined ? {} : { stems: !exact }),
      ...(rankWeight === undefined ? {} : { rankWeight }),
    },
    ...(columns === undefined ? {} : { columns }),
    ...(all === undefined ? {} : { all }),
  }
}

function filterFrom(command: SearchCommand, crawlId: number | null, now: number): SearchFilter {
  const { host, language, kind, topic, hot, since } = command
  return {
    ...(crawlId === null ? {} : { crawlId }),
    ...(host === undefined ? {} : { host }),
    ...(language === undefined ? {} : { language }),
    ...(kind === undefined ? {} : { kind }),
    ...(topic === undefined ? {} : { topic }),
    // `--no-hot` asks for the others.
    ...(hot === undefined ? {} : { hot }),
    ...(since === undefined ? {} : { since: sinceTime(since, now) }),
  }
}

const TAIL = 60

/** The end of what was used: there it was cut. */
function tail(query: string): string {
  const text = safeText(query)
  return text.length > TAIL ? `…${text.slice(-TAIL)}` : text
}

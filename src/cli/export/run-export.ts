// `jelajah export`: writes pages of crawls as files for other programs.
import { InvalidInput } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import {
  atLeastWords,
  withoutBoilerplate,
  withoutNearDuplicates,
} from '../../export/boilerplate.ts'
import {
  BEGINNING,
  type ExportNote,
  type ExportState,
  newState,
  readState,
} from '../../export/export-state.ts'
import {
  type ExportChoices,
  type Exporter,
  needsClusters,
  type OpenStep,
} from '../../export/exporter.ts'
import { removeParts } from '../../export/out-path.ts'
import { type Outlet, PipeTarget } from '../../export/pipe-target.ts'
import { ExportInterrupted, type ExportProgress, runExport } from '../../export/run-export.ts'
import { withClusters } from '../../export/split.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { showBytes, showCount, showNumber, showRate, showTook } from '../../lib/format.ts'
import { Rate } from '../../lib/rate.ts'
import { StopSignals } from '../../lib/stop-signals.ts'
import { safeText } from '../../lib/terminal.ts'
import {
  type ExportFilter,
  filterFrom,
  namesOf,
  openExportSearch,
} from '../../library/export-pages.ts'
import type { LeftOut, PageReader } from '../../store/page-reader.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { StatusStream } from '../crawl/status-line.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { toStdout } from '../output.ts'
import { whyEmpty } from '../pages.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import { type ExportTarget, openExportTarget, pipeTarget } from './export-target.ts'

export type ExportCommand = WorkspaceChoice & {
  readonly exporter: Exporter
  readonly choices: ExportChoices
  readonly filter: ExportFilter
  /** Null: none. */
  readonly minWords: number | null
  readonly withoutBoilerplate: boolean
  readonly withoutNearDuplicates: boolean
  /** Absolute; null: stdout. */
  readonly out: string | null
  /** Replaces what is there. */
  readonly force: boolean
  /** Does not go on with an interrupted export. */
  readonly fresh: boolean
  readonly json: boolean
  readonly quiet: boolean
}

type ExportDeps = {
  readonly signal: AbortSignal
  readonly stdout: Outlet
  readonly stderr: StatusStream
  readonly clock: Clock
}

/** With Ctrl-C and the real streams. */
export async function runExportCommand(command: ExportCommand, out: Output): Promise<ExitCode> {
  using leaving = new StopSignals()
  const deps = {
    signal: leaving.signal,
    stdout: toStdout,
    stderr: process.stderr,
    clock: systemClock,
  }
  // Awaited, since signals are listened to until this function is left.
  return await exportPages(command, out, deps)
}

export async function exportPages(
  command: ExportCommand,
  out: Output,
  deps: ExportDeps,
): Promise<ExitCode> {
  const { json, quiet } = command
  await using workspace = workspaceOf(command)
  const { clock } = deps
  const startedAt = clock.now()
  // Says when there is no crawl at all, in the words of all commands.
  await chooseCrawl(workspace, null)
  await using store = await workspace.pageReader()
  await using goal = await openGoal({ command, workspace, store, deps })
  if (goal.state.note.pages > 0 && !quiet) tellResumed(goal.state.note, out)
  try {
    const { note, left } = await write({ command, workspace, store, deps }, goal)
    const bytes = (await goal.target?.size()) ?? null
    await goal.target?.complete()
    await goal.clear()
    const seconds = (clock.now() - startedAt) / 1000
    const { crawlIds = [] } = goal.state.filter
    const empty = note.pages === 0 ? await emptyCrawls(workspace, crawlIds) : ''
    await tellExport(command, { note, left, bytes, seconds, resumed: goal.resumed, empty }, out)
    return EXIT.done
  } catch (error) {
    if (!(error instanceof ExportInterrupted)) {
      if (command.out !== null) await clearUnbegun(command.out)
      throw error
    }
    const goesOn = command.out === null ? '' : '; the same command goes on where it stopped'
    if (!quiet && !json) out.warn(`interrupted${goesOn}\n`)
    return EXIT.interrupted
  }
}

async function emptyCrawls(workspace: Workspace, ids: readonly number[]): Promise<string> {
  await using jobs = await workspace.jobReader()
  await using pages = await workspace.pageReader()
  let told = ''
  for (const id of ids) {
    const job = await jobs?.get(id)
    if (job != null) told += await whyEmpty(pages, job)
  }
  return told
}

/** Failed before anything was noted: there is nothing to go on with, nor to be in the way. */
async function clearUnbegun(out: string): Promise<void> {
  if ((await readState(out))?.note.after === BEGINNING.after) await removeParts(out)
}

type Exporting = {
  readonly command: ExportCommand
  readonly workspace: Workspace
  readonly store: PageReader
  readonly deps: ExportDeps
}

async function openGoal({ command, workspace, store, deps }: Exporting): Promise<ExportTarget> {
  const { stdout, clock } = deps
  const { exporter, choices, filter, out, force, fresh } = command
  const kind = exporter.output(choices)
  const asked = askedFor(command)
  const mark = await store.mark()
  const begin = async (): Promise<ExportState> => {
    const now = clock.now()
    const { duplicates } = choices
    const resolved = await filterFrom(workspace, filter, { duplicates, now })
    const upTo = await store.lastId()
    return newState({ asked, mark, filter: resolved, upTo, begunAt: now })
  }
  const { gzip } = choices
  if (out !== null) return openExportTarget({ out, kind, gzip, force, fresh, asked, mark, begin })
  if (kind === 'folder') {
    throw new InvalidInput('--out', 'this export has several files: give a folder, not -')
  }
  return pipeTarget(await begin(), new PipeTarget(stdout, gzip))
}

/** Options that change what is written; not where it goes or what is printed. */
function askedFor(command: ExportCommand): ExportState['asked'] {
  const { exporter, choices, filter, minWords } = command
  const { withoutBoilerplate, withoutNearDuplicates } = command
  const steps = { minWords, withoutBoilerplate, withoutNearDuplicates }
  return { version: VERSION, format: exporter.name, ...choices, ...filter, ...steps }
}

type Written = Pick<ExportResult, 'note' | 'left'>

async function write(exporting: Exporting, goal: ExportTarget): Promise<Written> {
  const { command, workspace, store, deps } = exporting
  const { state, target } = goal
  if (target === null) return { note: state.note, left: null }
  const { exporter, choices, filter } = command
  using progress = new ExportBar(command, deps)
  const among = await matches(exporting, progress)
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  const range = { filter: { ...state.filter, ...among }, after: 0, upTo: state.upTo }
  if (progress.isShown) progress.total = Math.min(limit, await store.count(range))
  const left = await store.leftOut(range)
  const note = await runExport({
    ...{ exporter, choices, state, limit, store, target, ...among },
    signal: deps.signal,
    names: (crawlId) => namesOf(workspace, crawlId),
    steps: stepsOf(exporting, progress),
    onNote: (note) => goal.keep({ ...state, note }),
    onProgress: (done) => progress.show(done),
  })
  return { note, left }
}

async function matches(
  { command, workspace, deps }: Exporting,
  progress: ExportBar,
): Promise<{ readonly among?: readonly number[] }> {
  const { filter } = command
  const { signal } = deps
  if (filter.query === null) return {}
  const onBehind = (behind: number) => progress.showBehind(behind)
  await using search = await openExportSearch(workspace, { signal, onBehind })
  const language = filter.language === null ? {} : { language: filter.language }
  return { among: await search.matching({ text: filter.query, filter: language }) }
}

/** In the order in which they are done: words are counted of what is left. */
function stepsOf({ command, workspace }: Exporting, progress: ExportBar): readonly OpenStep[] {
  const { minWords } = command
  return [
    ...(command.withoutNearDuplicates ? [nearDuplicatesStep(workspace, progress)] : []),
    ...(command.withoutBoilerplate ? [withoutBoilerplate] : []),
    ...(minWords === null ? [] : [atLeastWords(minWords)]),
    ...(needsClusters(command.choices) ? [withClusters] : []),
  ]
}

/** Which pages stay is known before the first is written: the index is not needed any longer. */
function nearDuplicatesStep(workspace: Workspace, progress: ExportBar): OpenStep {
  return async (store, range, signal) => {
    const onBehind = (behind: number) => progress.showBehind(behind)
    await using search = await openExportSearch(workspace, { signal, onBehind })
    return await withoutNearDuplicates(search)(store, range, signal)
  }
}

const RATE_WINDOW_MS = 5000
const EVERY_MS = 100

type BarOptions = { readonly quiet: boolean }
type BarDeps = { readonly stderr: StatusStream; readonly clock: Clock }

class ExportBar implements Disposable {
  readonly isShown: boolean
  /** Pages there will be. */
  total = 0
  readonly #clock: Clock
  readonly #bar: ProgressPrinter
  readonly #rate = new Rate(RATE_WINDOW_MS)
  #shownAt = Number.NEGATIVE_INFINITY
  #mostBehind = 0

  constructor({ quiet }: BarOptions, { stderr, clock }: BarDeps) {
    this.isShown = !quiet && stderr.isTTY === true
    this.#clock = clock
    this.#bar = new ProgressPrinter({ stream: stderr, clock, quiet: !this.isShown })
  }

  show({ seen, pages }: ExportProgress): void {
    const now = this.#clock.now()
    if (!this.isShown || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    const perSecond = this.#rate.perSecond(seen, now)
    const share = this.total === 0 ? 1 : Math.max(seen, pages) / this.total
    const done = `${showCount(pages)} of ${showNumber(this.total, 'page')}`
    this.#bar.show(share, `${done} · ${showRate(perSecond)}/s`)
  }

  /** While the index catches up with the store. */
  showBehind(behind: number): void {
    this.#mostBehind = Math.max(this.#mostBehind, behind)
    const share = this.#mostBehind === 0 ? 1 : 1 - behind / this.#mostBehind
    this.#bar.show(share, `indexing, ${showNumber(behind, 'change')} to read`)
  }

  [Symbol.dispose](): void {
    this.#bar.end()
  }
}

type ExportResult = {
  readonly note: ExportNote
  /** Pages that nobody asked to leave out; null as `bytes`. */
  readonly left: LeftOut | null
  /** Null: not known, since everything was written before. */
  readonly bytes: number | null
  readonly seconds: number
  readonly resumed: boolean
  /** Which crawls have no page at all, and why; '' where they have. */
  readonly empty: string
}

/** On stderr where the export itself went to stdout. */
async function tellExport(
  command: ExportCommand,
  result: ExportResult,
  out: Output,
): Promise<void> {
  const { json, quiet } = command
  if (!json && quiet) return
  const text = json ? summaryJson(command, result) : summaryText(command, result)
  if (command.out === null) out.warn(text)
  else await out.write(text)
}

function tellResumed({ pages }: ExportNote, out: Output): void {
  out.warn(`going on with an interrupted export after ${showNumber(pages, 'page')}\n`)
}

function summaryJson(command: ExportCommand, result: ExportResult): string {
  const { exporter, choices, out } = command
  const { note, left, bytes, seconds, resumed } = result
  const { pages, counts } = note
  const about = { format: exporter.name, what: choices.what, out: out ?? '-' }
  const figures = { ...UNKNOWN, ...left, ...figuresOf(command), ...counts }
  return `${JSON.stringify({ ...about, pages, ...figures, bytes, seconds, resumed })}\n`
}

const UNKNOWN = { noindex: null, duplicates: null }

/** What is counted on the way: said also where it is none. */
function figuresOf(command: ExportCommand): Readonly<Record<string, number>> {
  return {
    ...(command.withoutNearDuplicates ? { near_duplicates: 0 } : {}),
    ...(command.withoutBoilerplate ? { boilerplate_blocks: 0, boilerplate_pages: 0 } : {}),
    ...(command.minWords === null ? {} : { too_short: 0 }),
  }
}

function summaryText(command: ExportCommand, result: ExportResult): string {
  const { out } = command
  const { note, bytes, seconds } = result
  const missing = missingOf(command, result)
  const why = missing.count === 0 ? '' : `; ${missing.reasons}`
  if (note.pages === 0) return `no page matches: the export is empty${why}${result.empty}\n`
  const figures = Object.entries(note.counts).filter(([, count]) => count > 0)
  const more = figures.map(([name, count]) => `, ${showCount(count)} ${name.replaceAll('_', ' ')}`)
  const size = bytes === null ? '' : ` (${showBytes(bytes)})`
  const where = out === null ? '' : ` to ${safeText(out)}`
  const all = showNumber(note.seen + missing.count, 'page')
  const pages =
    missing.count === 0 ? showNumber(note.pages, 'page') : `${showCount(note.pages)} of ${all}`
  const what = `${pages}${more.join('')}${where}${size}`
  return `Exported ${what} in ${showTook(seconds)}${why}\n`
}

/** Pages that are missing, so that the figures of a crawl and of its export can be compared. */
function missingOf({ filter }: ExportCommand, { left }: ExportResult) {
  // Where there is a limit, it is what most of them are missing for.
  const known = filter.limit === null && left !== null ? left : { noindex: 0, duplicates: 0 }
  const { noindex, duplicates } = known
  const reasons = [
    ...(noindex === 0 ? [] : [`${showNumber(noindex, 'asks', 'ask')} not to be indexed`]),
    ...(duplicates === 0 ? [] : [`${showNumber(duplicates, 'repeats', 'repeat')} another`]),
  ]
  return { count: noindex + duplicates, reasons: reasons.join(', ') }
}

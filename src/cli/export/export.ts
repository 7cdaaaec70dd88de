// `jelajah export`: pages of crawls as files for other programs.
import { once } from 'node:events'
import { InvalidInput } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { withoutBoilerplate } from '../../export/boilerplate.ts'
import type { Outlet } from '../../export/buffered-sink.ts'
import { BEGINNING, type ExportState, newState, readState } from '../../export/export-state.ts'
import type { OpenStep } from '../../export/exporter.ts'
import { atLeastWords } from '../../export/min-words.ts'
import { withoutNearDuplicates } from '../../export/near-duplicates.ts'
import { removeParts } from '../../export/out-place.ts'
import { PipeTarget } from '../../export/pipe-target.ts'
import { ExportInterrupted, runExport } from '../../export/run-export.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { WholePages } from '../../store/whole-pages.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { ShutdownSignal } from '../shutdown-signal.ts'
import type { StatusStream } from '../status-printer.ts'
import { ExportBar } from './export-bar.ts'
import type { ExportCommand } from './export-command.ts'
import { filterFrom, namesOf } from './export-pages.ts'
import { openExportSearch } from './export-search.ts'
import { type ExportResult, tellExport, tellResumed } from './export-summary.ts'
import { type ExportTarget, openExportPlace, pipeTarget } from './export-target.ts'

export type ExportDeps = {
  readonly signal: AbortSignal
  readonly stdout: Outlet
  readonly stderr: StatusStream
  readonly clock: Clock
}

/** With Ctrl-C and the real streams. */
export async function runExportCommand(command: ExportCommand, out: Output): Promise<ExitCode> {
  using leaving = new ShutdownSignal()
  const world = {
    signal: leaving.signal,
    stdout: toStdout,
    stderr: process.stderr,
    clock: systemClock,
  }
  // Awaited, since signals are listened to until this function is left.
  return await exportPages(command, out, world)
}

async function toStdout(bytes: Uint8Array): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
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
  await using store = await workspace.wholePages()
  await using goal = await openGoal({ command, workspace, store, deps })
  if (goal.state.note.pages > 0 && !quiet) tellResumed(goal.state.note, out)
  try {
    const { note, left } = await write({ command, workspace, store, deps }, goal)
    const bytes = (await goal.target?.size()) ?? null
    await goal.target?.complete()
    await goal.clear()
    const seconds = (clock.now() - startedAt) / 1000
    await tellExport(command, { note, left, bytes, seconds, resumed: goal.resumed }, out)
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

/** Failed before anything was noted: there is nothing to go on with, nor to be in the way. */
async function clearUnbegun(out: string): Promise<void> {
  if ((await readState(out))?.note.after === BEGINNING.after) await removeParts(out)
}

type Exporting = {
  readonly command: ExportCommand
  readonly workspace: Workspace
  readonly store: WholePages
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
  if (out !== null) return openExportPlace({ out, kind, gzip, force, fresh, asked, mark, begin })
  if (kind === 'folder') {
    throw new InvalidInput('--out', 'this export has several files: give a folder, not -')
  }
  return pipeTarget(await begin(), new PipeTarget(stdout, gzip))
}

/** What makes another export of it; not where it goes or how it is told. */
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

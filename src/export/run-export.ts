// The frame of every export: hands pages to the exporter, and saves checkpoints for a later run.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { VERSION } from '../core/version.ts'
import { ResourceStack } from '../lib/resource-stack.ts'
import type { PageNames } from '../store/graph-reader.ts'
import type { PageNeeds, PageReader, WholePage, WholePageRange } from '../store/page-reader.ts'
import { BEGINNING, type ExportNote, type ExportState } from './export-state.ts'
import type { ExportChoices, Exporter, ExportJob, Kept, OpenStep, PageStep } from './exporter.ts'
import type { NotedTarget } from './pipe-target.ts'

/** A checkpoint costs some syncs. An interruption repeats at most this much work. */
const NOTE_EVERY = { pages: 1000, bytes: 8 * 1024 * 1024 }

/** The export was asked to stop. The last checkpoint stays. */
export class ExportInterrupted extends Error {}

export type ExportProgress = { readonly seen: number; readonly pages: number }

type ExportOptions = {
  readonly exporter: Exporter
  readonly choices: ExportChoices
  /** A new state, or the one that an earlier run left. */
  readonly state: ExportState
  /** Only these pages; see `WholePageFilter`. */
  readonly among?: readonly number[]
  /** The most pages to write. */
  readonly limit: number
  readonly store: PageReader
  readonly names: (crawlId: number) => Promise<PageNames>
  readonly steps: readonly OpenStep[]
  readonly target: NotedTarget
  /** Pages or bytes, whichever comes first. */
  readonly noteEvery?: { readonly pages: number; readonly bytes: number }
  readonly signal: AbortSignal
  readonly onNote: (note: ExportNote) => Promise<void>
  readonly onProgress: (progress: ExportProgress) => void
}

/**
 * Writes the whole export and returns the final, complete checkpoint. Throws ExportInterrupted if aborted.
 */
export async function runExport(options: ExportOptions): Promise<ExportNote> {
  const frame = new Frame(options)
  await using steps = new ResourceStack()
  const opened: PageStep[] = []
  for (const open of options.steps) {
    opened.push(steps.use(await opening(open, options, frame.wholeRange)))
  }
  await options.exporter.write(frame.job(opened))
  return frame.end()
}

async function opening(
  open: OpenStep,
  { store, signal }: ExportOptions,
  range: WholePageRange,
): Promise<PageStep> {
  try {
    return await open(store, range, signal)
  } catch (error) {
    throw signal.aborted ? new ExportInterrupted() : error
  }
}

class Frame {
  readonly wholeRange: WholePageRange
  readonly #options: ExportOptions
  readonly #beginning: ExportNote
  #note: ExportNote
  #pages: number
  #seen: number
  #counts: Readonly<Record<string, number>>
  #takenAtNote: number
  #pagesAtNote: number

  constructor(options: ExportOptions) {
    const { state, among, target } = options
    this.#options = options
    this.#note = state.note
    this.#beginning = state.note
    this.#pages = state.note.pages
    this.#seen = state.note.seen
    this.#counts = state.note.counts
    this.#takenAtNote = target.taken
    this.#pagesAtNote = state.note.pages
    const filter = among === undefined ? state.filter : { ...state.filter, among }
    this.wholeRange = { filter, after: BEGINNING.after, upTo: state.upTo }
  }

  job(steps: readonly PageStep[]): ExportJob {
    const { choices, target, state, store, names } = this.#options
    return {
      ...{ choices, target, store, names },
      begunAt: state.begunAt,
      kept: this.#beginning.kept,
      pages: (needs) => this.#stream(needs, steps),
      ids: async () => (await store.idsIn(this.wholeRange)).slice(0, this.#options.limit),
      settle: (pageId, keep) => this.#settle(pageId, keep),
      count: (figure, by = 1) => this.#add({ [figure]: by }),
    }
  }

  async end(): Promise<ExportNote> {
    const { target, exporter, state } = this.#options
    const [pages, seen, counts] = [this.#pages, this.#seen, this.#counts]
    const { version: _, ...asked } = state.asked
    // Contains no time, so that exports of the same pages are equal.
    await target.describe({ jelajah: VERSION, format: exporter.name, pages, ...counts, asked })
    const files = await target.note()
    const note = { ...this.#note, pages, seen, counts, files, complete: true }
    await this.#options.onNote(note)
    return note
  }

  async *#stream(needs: PageNeeds, steps: readonly PageStep[]): AsyncGenerator<WholePage> {
    const { store, signal, limit, onProgress } = this.#options
    const range = { ...this.wholeRange, after: this.#beginning.after }
    if (this.#pages >= limit) return
    // Steps read texts, even if none are written.
    const read = steps.length === 0 ? needs : { ...needs, text: true }
    for await (const { page, counts } of pageStream({ store, range, needs: read, steps })) {
      if (signal.aborted) throw new ExportInterrupted()
      this.#seen++
      this.#add(counts)
      if (page === null) continue
      this.#pages++
      onProgress({ seen: this.#seen, pages: this.#pages })
      yield page
      if (this.#pages >= limit) return
    }
  }

  #add(counts: Readonly<Record<string, number>>): void {
    this.#counts = sum(this.#counts, counts)
  }

  async #settle(pageId: number, keep?: () => Promise<Kept | null>): Promise<void> {
    const { target, onNote, noteEvery = NOTE_EVERY } = this.#options
    const isDue =
      this.#pages - this.#pagesAtNote >= noteEvery.pages ||
      target.taken - this.#takenAtNote >= noteEvery.bytes
    if (!isDue) return
    const kept = keep === undefined ? null : await keep()
    if (keep !== undefined && kept === null) return
    const files = await target.note()
    const [pages, seen, counts] = [this.#pages, this.#seen, this.#counts]
    this.#note = { after: pageId, pages, seen, counts, files, kept, complete: false }
    this.#takenAtNote = target.taken
    this.#pagesAtNote = pages
    await onNote(this.#note)
  }
}

/** Pages per read: mostly some hundred kilobytes, and never many megabytes (page-reader.ts). */
const CHUNK = 100

type PassedPage = {
  /** Null if a step left it out. */
  readonly page: WholePage | null
  readonly counts: Readonly<Record<string, number>>
}

type StreamOptions = {
  readonly store: Pick<PageReader, 'wholePages'>
  readonly range: WholePageRange
  readonly needs: PageNeeds
  readonly steps: readonly PageStep[]
}

/** The pages of an export, one by one, after all steps. Every page of the range, including those left out. */
export async function* pageStream(options: StreamOptions): AsyncGenerator<PassedPage> {
  const { store, needs, steps } = options
  let { range } = options
  for (;;) {
    // Lets signals be handled even if nothing else waits.
    await nextTurn()
    const chunk = await store.wholePages(range, needs, CHUNK)
    const last = chunk.at(-1)
    if (last === undefined) return
    yield* await stepped(chunk, steps)
    range = { ...range, after: last.id }
  }
}

async function stepped(
  pages: readonly WholePage[],
  steps: readonly PageStep[],
): Promise<readonly PassedPage[]> {
  let passed: PassedPage[] = pages.map((page) => ({ page, counts: {} }))
  for (const step of steps) {
    const left = passed.map(({ page }) => page).filter((page) => page !== null)
    const answers = await step.apply(left)
    let next = 0
    passed = passed.map((before) => {
      if (before.page === null) return before
      const { page, counts = {} } = answers[next++] ?? before
      return { page, counts: sum(before.counts, counts) }
    })
  }
  return passed
}

function sum(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const all: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) all[name] = (all[name] ?? 0) + count
  return all
}

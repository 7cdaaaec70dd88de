// An export as a stream: the same formats and filters as `jelajah export`, without a file.
import { InvalidInput, shown } from '../core/errors.ts'
import { PAGE_KINDS, type PageKind } from '../core/page.ts'
import { VERSION } from '../core/version.ts'
import { newState } from '../export/export-state.ts'
import type { ExportChoices, Exporter, What } from '../export/exporter.ts'
import { EXPORTERS, exporterNamed } from '../export/index.ts'
import { PipeTarget } from '../export/pipe-target.ts'
import { ExportInterrupted, runExport } from '../export/run-export.ts'
import type { Clock } from '../lib/clock.ts'
import type { Workspace } from '../workspace/workspace.ts'
import {
  anything,
  type Checks,
  checkFields,
  count,
  crawlChoice,
  namingOptions,
  oneOf,
  relevance,
  text,
  time,
  truth,
} from './check-arguments.ts'
import { filterFrom, namesOf, openExportSearch } from './export-pages.ts'

export type ExportRequest = {
  /** A format that is one file: `ndjson`, `csv`, `warc`, `edges`. */
  readonly format: string
  /** Whole pages, or the rows of one part. */
  readonly what?: What
  /** By number or name; `all`: all of them. The newest if it is left out. */
  readonly crawl?: number | string
  readonly host?: string
  readonly language?: string
  readonly kind?: PageKind
  readonly hot?: boolean
  /** Fetched at this time or later, such as `2026-01-31` or `7d`. */
  readonly since?: string
  readonly minRelevance?: number
  /** Only pages with everything that this search asks for. */
  readonly query?: string
  readonly limit?: number
  readonly gzip?: boolean
  readonly duplicates?: boolean
}

const REQUEST: Checks = {
  ...{ format: anything, what: anything, crawl: crawlChoice, host: text, language: text },
  ...{ kind: oneOf(PAGE_KINDS), hot: truth, since: time, minRelevance: relevance, query: text },
  ...{ limit: count(0), gzip: truth, duplicates: truth },
}

export async function* exportStream(
  workspace: Workspace,
  request: ExportRequest,
  clock: Clock,
): AsyncGenerator<Uint8Array, void, void> {
  checkFields(request, REQUEST, 'request')
  const exporter = formatOf(request)
  const choices = choicesOf(exporter, request)
  if (exporter.output(choices) !== 'file') {
    throw new InvalidInput('format', `${exporter.name} has several files: use 'jelajah export'`)
  }
  const stop = new AbortController()
  const pipe = new Pipe(stop.signal)
  const written = write({ workspace, exporter, choices, request, clock }, pipe, stop.signal)
  written.then(
    () => pipe.end(),
    (error) => pipe.fail(error),
  )
  try {
    yield* pipe.read()
  } finally {
    // A reader who leaves early ends the export.
    stop.abort()
    await written.catch(() => {})
  }
}

type Exporting = {
  readonly workspace: Workspace
  readonly exporter: Exporter
  readonly choices: ExportChoices
  readonly request: ExportRequest
  readonly clock: Clock
}

async function write(exporting: Exporting, pipe: Pipe, signal: AbortSignal): Promise<void> {
  const { workspace, exporter, choices, request, clock } = exporting
  const { crawl, host = null, language = null, kind = null, hot = false, since = null } = request
  const { minRelevance = null, query = null, limit = Number.POSITIVE_INFINITY } = request
  const asked = { ...{ host, language, kind, hot, since, minRelevance, query }, topic: null }
  const which = crawl === undefined ? null : String(crawl)
  const now = clock.now()
  const { duplicates } = choices
  const wanted = { ...asked, crawl: which, limit: request.limit ?? null }
  const filter = await namingOptions(() => filterFrom(workspace, wanted, { duplicates, now }))
  await using store = await workspace.pageReader()
  const [mark, upTo] = [await store.mark(), await store.lastId()]
  const state = newState({ asked: { version: VERSION }, mark, filter, upTo, begunAt: now })
  const among = query === null ? {} : { among: await matching(exporting, query, signal) }
  await using target = new PipeTarget((bytes) => pipe.write(bytes), choices.gzip)
  await runExport({
    ...{ exporter, choices, state, limit, store, target, signal, steps: [], ...among },
    names: (crawlId) => namesOf(workspace, crawlId),
    onNote: async () => {},
    onProgress: () => {},
  })
  await target.complete()
}

async function matching(
  { workspace, request }: Exporting,
  query: string,
  signal: AbortSignal,
): Promise<readonly number[]> {
  await using search = await openExportSearch(workspace, { signal, onBehind: () => {} })
  const { language } = request
  return await search.matching({ text: query, filter: language === undefined ? {} : { language } })
}

function formatOf({ format }: ExportRequest): Exporter {
  const exporter = exporterNamed(format)
  if (exporter !== null) return exporter
  const known = EXPORTERS.map(({ name }) => name).join(', ')
  throw new InvalidInput('format', `needs one of ${known}, not ${shown(format)}`)
}

function choicesOf({ name, whats }: Exporter, request: ExportRequest): ExportChoices {
  const { what = whats[0] ?? 'pages', gzip = false, duplicates = false } = request
  if (!whats.includes(what)) {
    throw new InvalidInput('what', `${name} writes ${whats.join(', ')}, not ${shown(what)}`)
  }
  const rest = { per: 'page', ids: false, outside: false, formulaGuard: true } as const
  return { ...rest, what, gzip, duplicates }
}

/** From a writer to a reader, one piece at a time. */
class Pipe {
  readonly #signal: AbortSignal
  #piece: Uint8Array | null = null
  #ended: { readonly error: unknown } | 'whole' | null = null
  #wakeReader: () => void = () => {}
  #wakeWriter: () => void = () => {}

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wakeWriter())
  }

  /** Resolves when the reader has taken it. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#piece = bytes
    this.#wakeReader()
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve
      if (this.#signal.aborted) resolve()
    })
    if (this.#signal.aborted) throw new ExportInterrupted()
  }

  end(): void {
    this.#ended = 'whole'
    this.#wakeReader()
  }

  fail(error: unknown): void {
    this.#ended = { error }
    this.#wakeReader()
  }

  async *read(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const piece = this.#piece
      if (piece !== null) {
        this.#piece = null
        yield piece
        this.#wakeWriter()
      } else if (this.#ended === null) {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve
        })
      } else break
    }
    if (this.#ended !== 'whole') throw this.#ended.error
  }
}

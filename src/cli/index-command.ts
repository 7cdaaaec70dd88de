// `jelajah index`: brings the search index up to date, or keeps it so until it is stopped. Whenever it ends,
// what was indexed is kept.
import { CrawlerError } from '../core/errors.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { showCount, showNumber, showRate, showTook } from '../lib/format.ts'
import { StopSignals } from '../lib/stop-signals.ts'
import { safeText } from '../lib/terminal.ts'
import { type ChosenBy, flag } from '../options/option.ts'
import type { IndexSource, IndexWriter } from '../search/index/index-writer.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Command, readCommand } from './command.ts'
import { JSON_OUTPUT, QUIET } from './common-options.ts'
import type { StatusStream } from './crawl/status-line.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { ProgressPrinter } from './progress-printer.ts'
import type { Surroundings } from './sources.ts'
import { STORE_OPTIONS } from './workspace-options.ts'

const OPTIONS = [
  ...STORE_OPTIONS,
  flag({
    name: 'follow',
    help: 'keep it up to date until Ctrl-C, also while crawls run; serves run/feed.sock when nobody does',
  }),
  flag({
    name: 'rebuild',
    help: 'build it again from the stored pages',
  }),
  JSON_OUTPUT,
  QUIET,
] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [
    ['index --data ./news', 'read what came since the last time'],
    ['index --follow', 'beside crawls, until Ctrl-C'],
    ['index --rebuild', 'build it again'],
  ],
  run: (argv, around, out) => runIndex(parseIndex(argv, around), out),
}

const DEFAULTS = { follow: false, rebuild: false, json: false, quiet: false }

type IndexOptions = ReturnType<typeof parseIndex>

function parseIndex(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around)
  read.problems.throwIfAny()
  return { ...DEFAULTS, ...read.chosen, ...read.workspace }
}

/** A search holds the index for a moment. A process that holds it longer keeps it. */
const OTHERS_MS = 3000

export type IndexDeps = {
  readonly clock: Clock
  readonly progress: StatusStream
  /** Settled when it is to stop; besides signals. */
  readonly stopped?: Promise<unknown>
  /** How long it waits for another one to leave the index. */
  readonly othersMs: number
}

export async function runIndex(
  options: IndexOptions,
  out: Output,
  given: Partial<IndexDeps> = {},
): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { openIndexSource } = await import('../search/index/index-writer.ts')
  const { quiet } = options
  await using workspace = workspaceOf(options)
  const { clock, progress, stopped, othersMs } = { ...usualDeps(), ...given }
  // Says where there is nothing at all to index.
  await chooseCrawl(workspace, null)
  const bar = new ProgressPrinter({ stream: progress, clock, quiet })
  using leaving = new StopSignals({ stopped })
  await using source = await openIndexSource(workspace)
  if (source === null)
    throw new CrawlerError('store-unreachable', `${workspace.shown} has no store`)
  const indexed = new IndexProgress(clock)
  const say = (text: string): void => {
    bar.end()
    if (!quiet) out.warn(`${safeText(text)}\n`)
  }
  const run = {
    ...options,
    workspace,
    source,
    clock,
    indexed,
    bar,
    say,
    othersMs,
    leaving: leaving.signal,
  }
  const code = await index(run).finally(() => bar.end())
  const shown = options.json ? JSON.stringify(indexed.figures) : indexed.text
  if (options.json || !quiet) await out.write(`${shown}\n`)
  return code
}

function usualDeps(): IndexDeps {
  return { clock: systemClock, progress: process.stderr, othersMs: OTHERS_MS }
}

type Run = IndexOptions & {
  readonly workspace: Workspace
  readonly othersMs: number
  readonly source: IndexSource
  readonly clock: Clock
  readonly indexed: IndexProgress
  readonly bar: ProgressPrinter
  readonly say: (text: string) => void
  readonly leaving: AbortSignal
}

async function index(run: Run): Promise<ExitCode> {
  const { indexAll, indexOn, openRanks, openWriter } = await import('../search/index/indexing.ts')
  const { KeptFeed } = await import('../crawl/keep-feed.ts')
  const { workspace, rebuild, indexed, say, bar } = run
  const onRebuild = (): void => {
    indexed.rebuilt = true
    say('the search index was made by another version, or is damaged: it is built again')
  }
  const onBehind = (behind: number): void => {
    indexed.hear(behind)
    if (behind > 0) bar.show(indexed.share, indexed.progress)
    else bar.end()
  }
  await using ranked = await openRanks(workspace, run.source)
  const indexing = { ...run, ranks: ranked.ranks, watcher: { onBehind, onRebuild } }
  await using writer = await openWriter(indexing, run.othersMs)
  if (writer === null) throw held(workspace)
  if (rebuild) await writer.discard()
  indexed.rebuilt ||= rebuild
  await indexed.begin(writer, run.source)
  const isDone = await indexAll(writer, indexing)
  if (isDone && run.follow) {
    say(`up to date; follows ${workspace.shown} until Ctrl-C`)
    await using _feed = new KeptFeed({ workspace, onNotice: say })
    await indexOn(writer, indexing, new AbortController().signal)
  }
  await indexed.end(writer)
  if (isDone) return EXIT.done
  say('stopped; what was read is kept, and the same command goes on from there')
  return EXIT.interrupted
}

function held(workspace: Workspace): CrawlerError {
  const message =
    `another process keeps the search index of ${workspace.shown}: a server, a crawl with --index, or ` +
    "another 'jelajah index'. Leave it to that one, or stop it first."
  return new CrawlerError('store-busy', message)
}

/** How much was read, how fast, and how much is left. */
class IndexProgress {
  rebuilt = false
  readonly #clock: Clock
  readonly #startedAt: number
  #from = 0
  #cursor = 0
  #pages = 0
  #behind = 0
  /** Since it was up to date the last time: when that was, and how far behind it has been. */
  #stretch: { readonly at: number; most: number }

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startedAt = clock.now()
    this.#stretch = { at: this.#startedAt, most: 0 }
  }

  async begin(writer: IndexWriter, { changes }: IndexSource): Promise<void> {
    const { mark, cursor } = await writer.position()
    this.#from = mark === (await changes.mark()) ? cursor : 0
    this.#cursor = this.#from
    this.#behind = Math.max(0, (await changes.last()) - this.#from)
    this.#stretch.most = this.#behind
  }

  hear(behind: number): void {
    if (this.#behind === 0) this.#stretch = { at: this.#clock.now(), most: behind }
    this.#stretch.most = Math.max(this.#stretch.most, behind)
    this.#behind = behind
  }

  async end(writer: IndexWriter): Promise<void> {
    this.#cursor = (await writer.position()).cursor
    this.#pages = await writer.pages()
  }

  get share(): number {
    return this.#stretch.most === 0 ? 1 : 1 - this.#behind / this.#stretch.most
  }

  get progress(): string {
    const { at, most } = this.#stretch
    const rate = perSecond(most - this.#behind, (this.#clock.now() - at) / 1000)
    return `${showNumber(this.#behind, 'page')} behind, ${rate}`
  }

  get text(): string {
    const { read, seconds, behind, pages } = this.figures
    const left = behind === 0 ? '' : `, ${showCount(behind)} behind`
    return (
      `${showNumber(read, 'change')} read in ${showTook(seconds)}${left}; ` +
      `${showNumber(pages, 'page')} can be searched`
    )
  }

  get figures() {
    return {
      read: Math.max(0, this.#cursor - this.#from),
      behind: this.#behind,
      pages: this.#pages,
      cursor: this.#cursor,
      rebuilt: this.rebuilt,
      seconds: (this.#clock.now() - this.#startedAt) / 1000,
    }
  }
}

function perSecond(count: number, seconds: number): string {
  return `${showRate(count / Math.max(seconds, 0.001))}/s`
}

// `jelajah crawl` as a person sees it: status line, Ctrl-C, summary, exit code.

import type { JobRecord } from '../../core/job.ts'
import type { RefreshSummary } from '../../core/summary.ts'
import { reasonCode } from '../../core/visit.ts'
import { shownWorkspace } from '../../core/workspace-url.ts'
import { crawlInCompany } from '../../crawl/crawl-with-services.ts'
import type { Progress } from '../../crawl/progress.ts'
import { inWords } from '../../crawl/reason-words.ts'
import type { RunResult } from '../../crawl/run-job.ts'
import type { CrawlEnd } from '../../crawl/supervisor.ts'
import { type Clock, runClock } from '../../lib/clock.ts'
import { showNumber } from '../../lib/format.ts'
import { Rate } from '../../lib/rate.ts'
import { safeText } from '../../lib/terminal.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { summaryText } from '../print.ts'
import { StatusPrinter } from '../status-printer.ts'
import type { CrawlOptions } from './crawl-command.ts'
import type { Status } from './status-line.ts'

const EXIT_OF: Readonly<Record<CrawlEnd, ExitCode>> = {
  empty: EXIT.done,
  away: EXIT.incomplete,
  limit: EXIT.done,
  hot: EXIT.done,
  harvest: EXIT.done,
  'left-out': EXIT.done,
  interrupted: EXIT.interrupted,
  paused: EXIT.interrupted,
  stopped: EXIT.interrupted,
  shutdown: EXIT.interrupted,
  time: EXIT.timeLimit,
}
const RATE_WINDOW_MS = 10_000
/** What a user can do about the more surprising ends of a seed. */
const REMEDIES: Readonly<Record<string, string>> = {
  scope: ' (name it as a seed, or use --scope any)',
  'private-address': ' (--allow-private lets it in, --allow-private=ADDRESS that one alone)',
  robots: ' (the site asks crawlers to stay out)',
  'robots-unreachable': ' (the same command tries again)',
  'host-unreachable': ' (the same command tries again)',
}
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export async function runCrawl(options: CrawlOptions, out: Output): Promise<ExitCode> {
  const { quiet, json } = options
  const printer = new StatusPrinter({ stream: process.stderr, clock: runClock, quiet })
  for (const warning of options.warnings) printer.notice(`warning: ${warning}`)
  const result = await watched(options, printer)
  const { summary } = result
  await out.write(json ? `${JSON.stringify(summary)}\n` : summaryText(summary))
  for (const line of quiet ? [] : advice(result, options)) out.warn(`${line}\n`)
  return exitOf(result)
}

function exitOf({ end, status }: RunResult): ExitCode {
  if (status === 'failed') return EXIT.error
  return status === 'incomplete' ? EXIT.incomplete : EXIT_OF[end]
}

async function watched(options: CrawlOptions, printer: StatusPrinter): Promise<RunResult> {
  const statusOf = createStatus(runClock)
  let running: JobRecord | null = null
  const signals = new StopSignals(printer)
  try {
    return await crawlInCompany(options, {
      onStart: (job, continued) => {
        running = job
        if (options.refresh !== null) printer.notice(`looking again at crawl ${job.id}`)
        else if (continued) printer.notice(`continuing crawl ${job.id}; --fresh would start anew`)
        else if (options.verbose)
          printer.notice(`crawl ${job.id} in ${shownWorkspace({ data: options.dataDir })}`)
      },
      onProgress: (progress) => {
        if (running !== null) printer.show(statusOf(running, progress))
      },
      onNotice: (text) => printer.notice(text),
      onBusy: (text) => printer.busy(text),
      onDrainable: (drain) => signals.onFirst(() => drain('interrupted')),
    })
  } finally {
    signals[Symbol.dispose]()
    printer.end()
  }
}

/** The first asks the crawl to finish what is under way; the second leaves at once. */
class StopSignals implements Disposable {
  readonly #printer: StatusPrinter
  readonly #listener = () => this.#stop()
  #drain: (() => void) | null = null
  #asked = false

  constructor(printer: StatusPrinter) {
    this.#printer = printer
    for (const signal of STOP_SIGNALS) process.on(signal, this.#listener)
  }

  onFirst(drain: () => void): void {
    this.#drain = drain
  }

  #stop(): void {
    // Before the crawl itself nothing is under way that could be lost.
    if (this.#asked || this.#drain === null) {
      this.#printer.end()
      // The children notice that we are gone and leave by themselves; nothing stored is lost.
      process.exit(EXIT.interrupted)
    }
    this.#asked = true
    this.#printer.notice('stopping: finishing what is under way (Ctrl-C again to leave at once)')
    this.#drain()
  }

  [Symbol.dispose](): void {
    for (const signal of STOP_SIGNALS) process.off(signal, this.#listener)
  }
}

function createStatus(clock: Clock): (job: JobRecord, progress: Progress) => Status {
  const startedAt = clock.now()
  const rate = new Rate(RATE_WINDOW_MS)
  let toRevisit: number | null = null
  return ({ settings, topic }, progress) => {
    const { stored, counts, hosts, inFlight, bytes, harvest, revisits, awayMs } = progress
    if (revisits !== undefined) toRevisit = Math.max(toRevisit ?? 0, revisits)
    const of = toRevisit ?? 0
    const done = of - (revisits ?? 0)
    return {
      ...(revisits === undefined ? {} : { revisits: { done, of } }),
      ...(awayMs === undefined ? {} : { awayMs }),
      stored,
      maxPages: settings.maxPages,
      pagesPerSecond: rate.perSecond(stored + done, clock.now()),
      queued: counts.queued,
      inFlight,
      failed: counts.failed,
      refused: counts.refused,
      bytes,
      elapsedMs: clock.now() - startedAt,
      durationMs: settings.durationMs,
      hosts,
      harvest: topic === null ? null : harvest,
    }
  }
}

function advice(result: RunResult, options: CrawlOptions): string[] {
  const { settings } = options
  const { end, summary, lostSeeds, troubled } = result
  const waiting = showNumber(summary.queued, 'URL still waits', 'URLs still wait')
  const lines: string[] = []
  if (summary.refresh !== undefined) {
    lines.push(...roundAdvice(end, summary.refresh))
  } else if (end === 'interrupted' || end === 'time' || end === 'away') {
    lines.push(`${waiting}: the same command goes on from here.`)
  } else if (result.status === 'incomplete') {
    lines.push('Something is missing: the same command tries to get it.')
  } else if (end === 'empty' && summary.stored > 0 && summary.pages_per_second === 0) {
    lines.push('Nothing was left to fetch: --refresh looks again at what is stored.')
  } else if (end === 'limit' && summary.queued > 0) {
    lines.push(`Stopped at --max-pages ${settings.maxPages}; ${waiting}: a larger one goes on.`)
  } else if (end === 'hot') {
    lines.push(`Stopped at --max-hot ${settings.maxHot}; ${waiting}: a larger one goes on.`)
  } else if (end === 'harvest') {
    lines.push(`Stopped by --harvest-floor; ${waiting}: a lower one goes on.`)
  } else if (end === 'left-out') {
    lines.push(
      `Stopped: ${summary.note}; ${waiting}. A lower --min-relevance or --min-terms, more of --language, or a larger --max-pages, goes on.`,
    )
  }
  if (lostSeeds.length > 0) lines.push('Seeds that led to no page:')
  for (const { seed, end, words } of lostSeeds) {
    const way = end.url === seed ? '' : `${seed} → `
    lines.push(safeText(`  ${way}${words}${remedyFor(end.reason)}`))
  }
  const told = new Set(lostSeeds.map(({ end }) => end.host))
  const others = troubled.filter(({ host }) => !told.has(host))
  if (others.length > 0) lines.push('Hosts that gave trouble last:')
  for (const { host, trouble } of others) lines.push(safeText(`  ${host}: ${inWords(trouble)}`))
  if (lostSeeds.length > 0)
    lines.push(`'jelajah urls --data ${shownWorkspace({ data: options.dataDir })}' tells more.`)
  return lines
}

function roundAdvice(end: CrawlEnd, { not_yet }: RefreshSummary): string[] {
  if (end !== 'interrupted' && end !== 'time') return []
  const waiting = `${showNumber(not_yet, 'page')} still to be asked for`
  return [`${waiting}: the same command goes on from here.`]
}

function remedyFor(reason: string): string {
  return REMEDIES[reasonCode(reason)] ?? ''
}

// `jelajah crawl` as a person sees it: status line, Ctrl-C, summary, exit code.
import type { JobRecord } from '../../core/job.ts'
import type { CrawlSummary, FocusSummary, RefreshSummary } from '../../core/summary.ts'
import { reasonCode } from '../../core/visit.ts'
import { shownWorkspace } from '../../core/workspace-url.ts'
import type { CrawlRequest } from '../../crawl/crawl.ts'
import { crawlInCompany } from '../../crawl/crawl-with-services.ts'
import type { Progress } from '../../crawl/progress.ts'
import { inWords } from '../../crawl/refusal-text.ts'
import type { RunResult } from '../../crawl/run-job.ts'
import type { CrawlEnd } from '../../crawl/supervisor.ts'
import { type Clock, runClock } from '../../lib/clock.ts'
import {
  showBytes,
  showCount,
  showNumber,
  showPercent,
  showRate,
  showTook,
} from '../../lib/format.ts'
import { Rate } from '../../lib/rate.ts'
import { StopSignals } from '../../lib/stop-signals.ts'
import { safeText } from '../../lib/terminal.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import type { RefreshRequest } from './refresh-options.ts'
import { type Status, StatusPrinter } from './status-line.ts'

export type CrawlOptions = Omit<CrawlRequest, 'refresh'> & {
  /** Null: a crawl is begun, or goes on. */
  readonly refresh: RefreshRequest | null
  /** Keep the search index up to date meanwhile. */
  readonly index: boolean
  /** Only say what would be done. */
  readonly dryRun: boolean
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  /** What the user should hear before the crawl starts. */
  readonly warnings: readonly string[]
  /** Set if the same command begins anew, so that nothing goes on from here. */
  readonly isAnew?: true
}

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
  scope: 'name it as a seed, or use --scope any',
  robots: 'the site asks crawlers to stay out',
  'robots-unreachable': 'the same command tries again',
  'host-unreachable': 'the same command tries again',
}

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
  let drain: (() => void) | null = null
  // The children notice that we are gone and leave by themselves; nothing stored is lost.
  using signals = new StopSignals({
    onFirst: () => {
      // Before the crawl itself nothing is under way that could be lost.
      if (drain === null) return signals.leave()
      printer.notice('stopping: finishing what is under way (Ctrl-C again to leave at once)')
      drain()
    },
    onLeave: () => printer.end(),
  })
  try {
    return await crawlInCompany(options, {
      onStart: (job, continued) => {
        running = job
        if (options.refresh !== null) printer.notice(`looking again at crawl ${job.id}`)
        else if (continued)
          printer.notice(`continuing crawl ${job.id}; --fresh would start again from the seeds`)
        else if (options.verbose)
          printer.notice(`crawl ${job.id} in ${shownWorkspace({ data: options.dataDir })}`)
      },
      onProgress: (progress) => {
        if (running !== null) printer.show(statusOf(running, progress))
      },
      onNotice: (text) => printer.notice(text),
      onBusy: (text) => printer.busy(text),
      onDrainable: (asked) => {
        drain = () => asked('interrupted')
      },
    })
  } finally {
    printer.end()
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
  if (options.isAnew) return lines
  if (summary.refresh !== undefined) {
    lines.push(...roundAdvice(end, summary.refresh))
  } else if (end === 'interrupted' || end === 'time' || end === 'away') {
    lines.push(`${waiting}: the same command goes on from here.`)
  } else if (result.status === 'incomplete') {
    lines.push('Something is missing: the same command tries to get it.')
  } else if (end === 'empty' && summary.stored > 0 && summary.pages_per_second === 0) {
    lines.push('Nothing was left to fetch: --refresh looks again at what is stored.')
  } else if (end === 'limit' && summary.queued > 0) {
    lines.push(pagesAdvice(summary, settings.maxPages, waiting))
  } else if (end === 'hot') {
    lines.push(`Stopped at --max-hot ${settings.maxHot}; ${waiting}: a larger one goes on.`)
  } else if (end === 'harvest') {
    lines.push(`Stopped by --harvest-floor; ${waiting}: a lower one goes on.`)
  } else if (end === 'left-out') {
    lines.push(
      `Stopped: ${summary.note}; ${waiting}. A lower --min-relevance or --min-terms, more of --language, or a larger --max-pages, goes on.`,
    )
  }
  lines.push(...topicAdvice(summary))
  lines.push(...privateAdvice(summary, { lostSeeds, isOpen: settings.allowPrivate === true }))
  lines.push(...seedLines(lostSeeds, summary.note ?? ''))
  const told = new Set(lostSeeds.map(({ end }) => end.host))
  const others = troubled.filter(({ host }) => !told.has(host))
  if (others.length > 0) lines.push('Hosts that gave trouble last:')
  for (const { host, trouble } of others) lines.push(safeText(`  ${host}: ${inWords(trouble)}`))
  if (lostSeeds.length > 0)
    lines.push(`'jelajah urls --data ${shownWorkspace({ data: options.dataDir })}' tells more.`)
  return lines
}

/** What to do about --max-pages, in a crawl that may have had as many before. */
export function pagesAdvice(
  { stored, pages_per_second }: Pick<CrawlSummary, 'stored' | 'pages_per_second'>,
  maxPages: number,
  waiting: string,
): string {
  const stopped = `Stopped at --max-pages ${maxPages}`
  if (stored < maxPages || pages_per_second > 0)
    return `${stopped}; ${waiting}: a larger one goes on.`
  return `${stopped}; it has ${showNumber(stored, 'page')} already, ${waiting}: give more than ${stored}.`
}

/** What opens private addresses to which there were links; of a seed that leads there it is said with the seed. */
export function privateAdvice(
  { reasons }: Pick<CrawlSummary, 'reasons'>,
  { lostSeeds, isOpen }: Pick<RunResult, 'lostSeeds'> & { readonly isOpen: boolean },
): string[] {
  const code = 'private-address'
  const isTold = lostSeeds.some(({ end }) => reasonCode(end.reason) === code)
  if (isOpen || isTold || (reasons[code] ?? 0) === 0) return []
  return ['Links lead to private addresses: --allow-private=HOST lets the crawl go there.']
}

/** Fewer judged pages say little about the topic. */
const ENOUGH_JUDGED = 50
/** Below this share of hot pages, the words of the topic are doubtful. */
const FEW_HOT = 0.01

/** What to do when hardly any page was about the topic. */
export function topicAdvice({ judged = 0, hot = 0, topic }: Partial<FocusSummary>): string[] {
  if (topic === undefined || judged < ENOUGH_JUDGED || hot >= judged * FEW_HOT) return []
  return [
    'Hardly a page is about the topic. --dry-run shows the words it looks for; --topic-model, --examples or',
    'more --keywords may describe it better, a lower --hot-threshold asks for less (with --fresh or --name).',
  ]
}

function roundAdvice(end: CrawlEnd, { not_yet }: RefreshSummary): string[] {
  if (end !== 'interrupted' && end !== 'time') return []
  const waiting = `${showNumber(not_yet, 'page')} still to be asked for`
  return [`${waiting}: the same command goes on from here.`]
}

/** Why seeds led to no page. What the summary has said of one is not said again, only what to do about it. */
export function seedLines(lost: RunResult['lostSeeds'], note: string): string[] {
  const isTold = ({ words }: RunResult['lostSeeds'][number]): boolean => note.includes(words)
  const untold = lost.filter((seed) => !isTold(seed))
  const remedies = lost.filter(isTold).map(({ end }) => remedyFor(end.reason))
  return [
    ...[...new Set(remedies)].flatMap((remedy) => (remedy === '' ? [] : [sentence(remedy)])),
    ...(untold.length > 0 ? ['Seeds that led to no page:'] : []),
    ...untold.map(({ seed, end, words }) => {
      const way = end.url === seed ? '' : `${seed} → `
      const remedy = remedyFor(end.reason)
      return safeText(`  ${way}${words}${remedy === '' ? '' : ` (${remedy})`}`)
    }),
  ]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function remedyFor(reason: string): string {
  return REMEDIES[reasonCode(reason)] ?? ''
}

/** '' if no page came to the crawl: in a recrawl, or where better pages replaced others. */
function rate({ refresh, pages_per_second }: CrawlSummary): string {
  if (refresh !== undefined || pages_per_second === 0) return ''
  return `, ${showRate(pages_per_second)} per second`
}

const HOSTS_SHOWN = 5

export function summaryText(summary: CrawlSummary): string {
  const { stored, duplicates, refused, outside, failed, queued } = summary
  const hosts = Object.entries(summary.hosts).sort(([, a], [, b]) => b - a)
  const rest = hosts.length - HOSTS_SHOWN
  const lines = [
    `Crawl ${summary.crawl} ${summary.status}: ${showNumber(stored, 'page')} stored ` +
      `(${showBytes(summary.bytes)}) in ${showTook(summary.seconds)}${rate(summary)}`,
    `  ${showNumber(duplicates, 'duplicate')}, ${showCount(refused)} refused, ` +
      `${showCount(failed)} failed, ${showCount(outside)} outside, ${showCount(queued)} still queued`,
    ...reasonLines(summary),
    ...truncatedLines(summary),
    ...refreshLines(summary),
    ...harvestLines(summary),
    ...(summary.note === undefined ? [] : [`  ended because ${safeText(summary.note)}`]),
    ...hosts
      .slice(0, HOSTS_SHOWN)
      .map(([host, pages]) => `  ${showCount(pages).padStart(9)}  ${safeText(host)}`),
    ...(rest > 0 ? [`             and ${showNumber(rest, 'more host')}`] : []),
    // Where all was fetched, or there was nobody to share with, the figure would only mislead.
    ...(summary.fairness_over > 1 && queued > 0
      ? [`  fairness ${summary.fairness.toFixed(3)} (1 = ${evenly(summary.fairness_over)})`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function truncatedLines({ truncated }: CrawlSummary): string[] {
  if (truncated === 0) return []
  return [`  ${showNumber(truncated, 'page')} cut (--max-body, --max-links-body)`]
}

function evenly(domains: number): string {
  return `each of ${domains} seed domains got its share`
}

const REASONS_SHOWN = 4

function reasonLines({ reasons }: CrawlSummary): string[] {
  const all = Object.entries(reasons)
  if (all.length === 0) return []
  const told = all.slice(0, REASONS_SHOWN).map(([code, count]) => `${code} ${showCount(count)}`)
  return [safeText(`  most often: ${told.join(', ')}${all.length > told.length ? ', …' : ''}`)]
}

const KEPT = [
  ['not_due', 'not due'],
  ['not_yet', 'not asked for yet'],
  ['unanswered', 'kept without an answer'],
] as const

function refreshLines({ refresh }: CrawlSummary): string[] {
  if (refresh === undefined) return []
  const { round, changed, gone, unchanged, kept } = refresh
  const looked = refresh.new + changed + gone + unchanged
  if (looked === 0 && kept > 0 && kept === refresh.not_due) {
    return [`  round ${round}: nothing of ${showNumber(kept, 'page')} is due`]
  }
  const found = `${showCount(refresh.new)} new, ${showCount(changed)} changed, ${showCount(gone)} gone`
  const rest = KEPT.filter(([name]) => refresh[name] > 0)
  const why = rest.map(([name, words]) => `, ${showCount(refresh[name])} ${words}`).join('')
  return [`  round ${round}: ${found}, ${showCount(unchanged)} unchanged${why}`]
}

function harvestLines({ hot, judged, harvest_rate, recent_harvest_rate }: CrawlSummary): string[] {
  if (hot === undefined) return []
  if (judged === undefined) return [`  ${showNumber(hot, 'hot page')}`]
  if (harvest_rate == null) return []
  const recent = recent_harvest_rate == null ? '' : `, of late ${showPercent(recent_harvest_rate)}`
  const pages = `${showNumber(hot, 'hot page')} of ${showCount(judged)} judged`
  return [`  harvest ${showPercent(harvest_rate)}: ${pages}${recent}`]
}

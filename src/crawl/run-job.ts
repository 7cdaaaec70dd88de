// One run of an existing job that this process has claimed: the crawl, the work at its end, and the summary.
// The caller sets the job's status.
import { fairnessOf } from '../core/fairness.ts'
import { type Harvest, hotIsImportance, NO_HARVEST } from '../core/importance.ts'
import type { Job, JobRecord, JobStatus } from '../core/job.ts'
import { namedAgain, type PluginRecord } from '../core/plugin.ts'
import { maskProxies, refuseMasked } from '../core/proxy-secrets.ts'
import type { FrontierUpdate } from '../frontier/frontier.ts'
import type { Clock } from '../lib/clock.ts'
import { showNumber } from '../lib/format.ts'
import type { JobStore } from '../store/job-store.ts'
import type { PageTotals } from '../store/page-reader.ts'
import type { Recrawl } from '../store/recrawl-store.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type CrawlOutcome, summarise } from './crawl-summary.ts'
import { endOfCrawlImportance } from './end-of-crawl.ts'
import { frontierNeeds } from './frontier-needs.ts'
import { HotWatch, hotMeans, maxHotOf } from './hot-watch.ts'
import type { Drain, RunWatcher } from './job-run.ts'
import { openSupervisor } from './open-supervisor.ts'
import { type KnownProgress, NO_PROGRESS } from './progress.ts'
import { endRecrawl, summariseRecrawl, takeUpRecrawl } from './recrawls.ts'
import { isStopRule, noteOf, type StopRule } from './stop-rules.ts'
import type { CrawlEnd, DrainReason } from './supervisor.ts'
import { verdictOf } from './verdict.ts'

export type JobRun = {
  readonly job: JobRecord
  /** The record that the last run left; null for a new job. */
  readonly last: JobRecord | null
  readonly jobs: JobStore
  readonly workspace: Workspace
  readonly clock: Clock
  readonly watcher: RunWatcher
  /** Aborted if another process runs it, against all rules; then this run ends with `store-busy`. */
  readonly lost?: AbortSignal
  /** Plug-ins that were named for this run. Default: none. */
  readonly plugins?: readonly PluginRecord[]
  /** False: only workers fetch and parse its pages, as for a master. Default: true. */
  readonly carries?: boolean
  /** Opens the processes that fetch and parse; tests replace it. */
  readonly openProcesses?: typeof openSupervisor
}

export type RunResult = CrawlOutcome & {
  readonly end: CrawlEnd
  readonly status: JobStatus
  readonly note: string
}

/** `before`: totals of earlier runs. `round`: the recrawl of this run; null if it is none. */
type Run = JobRun & { readonly before: PageTotals; readonly round: Recrawl | null }
type Ended = { readonly end: CrawlEnd; readonly harvest: Harvest }

/** Ends after which the same crawl continues sooner or later. */
const UNENDED: readonly CrawlEnd[] = ['interrupted', 'paused', 'shutdown', 'away']
/** As many as a scouter reports. */
const HOSTS_TOLD = 50
/** Ends that the same request would reach again. */
const REPEATED: readonly StopRule[] = ['harvest', 'left-out']

export async function runJob(given: JobRun): Promise<RunResult> {
  const jobRun = withNamedPlugins(given)
  const { job, jobs, workspace, clock } = jobRun
  const startedAt = clock.now()
  if (jobRun.carries ?? true) refuseMasked(job.settings)
  await jobs.beginRun(job)
  const before = await totalsOf(workspace, job.id)
  await refuseHalfACrawl(workspace, job.id, before.stored)
  await reconcile(jobRun)
  const round = await takeUpRecrawl(jobRun, jobRun.watcher)
  const stop = new RunStop()
  const run = { ...jobRun, watcher: stop.heardBy(jobRun.watcher), before, round }
  const { end: crawlEnd, harvest } = await crawlOn(run)
  await workspace.checkFiles(job.id)
  if (round !== null && isAtItsEnd(crawlEnd)) await endRecrawl(run, round)
  const hasRest = !UNENDED.includes(crawlEnd)
  const rest = { ...run, signal: stop.afterThe(crawlEnd) }
  const end = stop.endOf(crawlEnd, !hasRest || (await endOfCrawlImportance(rest)))
  const seconds = (clock.now() - startedAt) / 1000
  const { status, note } = await verdictOf({ job, workspace, end, isRound: round !== null })
  const refresh = round === null ? null : await summariseRecrawl(run, round)
  const ran = { status, note, seconds, before: before.stored, harvest, refresh }
  return { end, status, note, ...(await summarise(job, workspace, ran)) }
}

function withNamedPlugins({ job, plugins = [], ...run }: JobRun): JobRun {
  const { settings } = job
  const named = namedAgain(settings.plugins, plugins)
  return { ...run, job: { ...job, settings: { ...settings, plugins: named } } }
}

/** Whether everything was visited. */
function isAtItsEnd(end: CrawlEnd): boolean {
  return end === 'empty' || end === 'limit' || isStopRule(end)
}

async function crawlOn(run: Run): Promise<Ended> {
  const enough = enoughBefore(run)
  if (enough !== null) return { end: enough, harvest: NO_HARVEST }
  const ended = await supervise(run)
  if (ended.end !== 'limit') return ended
  // The scouter only knows that the store accepts no more pages.
  const { stored, hot } = await totalsOf(run.workspace, run.job.id)
  const { maxPages, maxHot, keepBest } = run.job.settings
  // A crawl that keeps only its best pages may have stored more.
  const isHot = keepBest === null ? stored < maxPages : maxHot !== null && hot >= maxHot
  return isHot ? { ...ended, end: 'hot' } : ended
}

/** Why a run need not start: the reason that ended the last one still applies. */
function enoughBefore({ job, last, before, round }: Run): StopRule | null {
  const { settings } = job
  if (last === null || round !== null) return null
  const { maxHot } = settings
  if (maxHot !== null && before.hot >= maxHot && hotMeans(last) === hotMeans(job)) return 'hot'
  if (last.status !== 'completed') return null
  const why = REPEATED.find((enough) => last.note === noteOf(enough, settings))
  const asked = ({ seeds, settings, topic }: JobRecord) =>
    JSON.stringify([seeds, maskProxies(settings), topic?.fingerprint ?? ''])
  return why !== undefined && asked(last) === asked(job) ? why : null
}

async function supervise(run: Run): Promise<Ended> {
  const { job, workspace, clock, watcher, before, openProcesses = openSupervisor } = run
  // Hotness then depends on the whole graph, so this limit cannot be checked page by page.
  const watched = hotIsImportance(job.settings)
  const hotWatch = watched ? new HotWatch({ job, workspace }) : null
  const maxHot = watched ? null : maxHotOf(run)
  const known = await knownProgress(run)
  const supervised = { ...ofRound(job, run.round), settings: { ...job.settings, maxHot } }
  const { notices, pairs } = await workspace.beginRun(frontierNeeds(supervised, clock), () =>
    waitingResults(workspace, supervised),
  )
  for (const notice of notices) watcher.onNotice(notice)
  await using supervisor = await openProcesses({
    job: supervised,
    ...{ workspace, clock, pairs, carries: run.carries ?? true },
    ...(run.lost === undefined ? {} : { lost: run.lost }),
    durationMs: timeLeft(run),
    known,
    hotBefore: before.hot,
    onProgress: (progress) => {
      watcher.onProgress(progress)
      hotWatch?.look(progress.stored, () => supervisor.enough('hot'))
    },
    onNotice: watcher.onNotice,
    onBusy: watcher.onBusy,
  })
  watcher.onDrainable((why, withinMs) => supervisor.drain(why, withinMs))
  const end = await supervisor.run()
  // Includes what happened after the last heartbeats.
  const { stored, counts } = await knownProgress(run)
  watcher.onProgress({ ...supervisor.progress, stored, counts, inFlight: 0 })
  await hotWatch?.idle()
  return { end, harvest: supervisor.progress.harvest }
}

/** A run that is no recrawl ignores earlier recrawls. */
function ofRound({ round: _, ...job }: JobRecord, round: Recrawl | null): JobRecord {
  return round === null ? job : { ...job, round: round.round }
}

/** From the stores. If the frontier cannot be read, the scouter reports it. */
async function knownProgress({ job, workspace }: Run): Promise<KnownProgress> {
  const { counts, hosts } = await frontierFigures(job, workspace).catch(() => NO_PROGRESS)
  const totals = await totalsOf(workspace, job.id)
  const { index: fairness } = fairnessOf(job.seeds, hosts, job.settings.delayMs)
  return { stored: totals.stored, counts, hosts, fairness }
}

async function frontierFigures(
  job: JobRecord,
  workspace: Workspace,
): Promise<Pick<KnownProgress, 'counts' | 'hosts'>> {
  await using urlStates = await workspace.urlStates(job)
  if (urlStates === null) return NO_PROGRESS
  return { counts: await urlStates.counts(), hosts: await urlStates.hosts(HOSTS_TOLD) }
}

/**
 * At the terminal the time limit applies to every run, and so it does to a recrawl. A job of the API may be
 * paused; the limit applies to all its runs together.
 */
function timeLeft({ job, round }: Run): number | null {
  const { settings, origin, ranMs } = job
  const { durationMs } = settings
  if (durationMs === null) return null
  return origin === 'api' && round === null ? Math.max(0, durationMs - ranMs) : durationMs
}

/** Pages without their frontier: continuing would fetch them all again and mix up the results. */
async function refuseHalfACrawl(
  workspace: Workspace,
  crawlId: number,
  stored: number,
): Promise<void> {
  if (stored === 0 || (await workspace.hasFrontier(crawlId))) return
  throw workspace.frontierMissing(crawlId, stored)
}

/** Tells a frontier that was restored from a backup, or lost a part, what the store has. */
async function reconcile({ job, workspace, clock, watcher }: JobRun): Promise<void> {
  const made = await workspace.reconcile(frontierNeeds(job, clock), watcher.onBusy)
  if (made === null) return
  const { settled, requeued } = made
  if (settled + requeued === 0) return
  const pages = `${showNumber(settled, 'page')} of the store settled`
  const urls = `${showNumber(requeued, 'URL')} without a page queued again`
  watcher.onNotice(`the frontier did not agree with the store: ${pages}, ${urls}`)
}

async function totalsOf(workspace: Workspace, crawlId: number): Promise<PageTotals> {
  await using pages = await workspace.pageReader()
  return pages.totals(crawlId)
}

/** The time for the remaining work after a stop request or a time limit. */
const REST_MS = 4_000

/** The stop request for a whole run: the crawl drains, and the work after it is cut short. */
class RunStop {
  readonly #controller = new AbortController()
  /** Why it was asked to stop; null if it was not. */
  #why: DrainReason | null = null

  /** The same watcher; this object also notices when the watcher ends the crawl early. */
  heardBy<T extends RunWatcher>(watcher: T): T {
    const onDrainable = (drain: Drain): void =>
      watcher.onDrainable((why, withinMs) => {
        this.#why ??= why
        this.#controller.abort()
        drain(why, withinMs)
      })
    return { ...watcher, onDrainable }
  }

  /** Aborted when the work after the crawl must stop. */
  afterThe(end: CrawlEnd): AbortSignal {
    const isStopped = end === 'time' || end === this.#why
    return isStopped ? AbortSignal.timeout(REST_MS) : this.#controller.signal
  }

  /** How the run ended. If it was stopped during the work after the crawl, a later run does that work. */
  endOf(end: CrawlEnd, isRestDone: boolean): CrawlEnd {
    return isRestDone ? end : (this.#why ?? end)
  }
}

/**
 * Receipts that wait in the store, as results for the frontier: of pages that an earlier run stored, when
 * it was killed before its scouters had settled them. Only asked for where several scouters will share the
 * frontier; a single one gets these receipts from its parser before it leases anything.
 */
export async function waitingResults(
  workspace: Pick<Workspace, 'pageStore'>,
  job: Job,
): Promise<readonly FrontierUpdate[]> {
  await using store = await workspace.pageStore(job)
  const waiting = await store.undelivered()
  if (waiting.length === 0) return []
  // Loaded only when they are needed: the supervisor neither parses nor settles otherwise.
  const { receiptAgain } = await import('../parser/parse-result.ts')
  const { updateFrom } = await import('../scouter/receipts.ts')
  const { decodeFound } = await import('../wire/receipt.ts')
  return waiting.map((undelivered) => {
    const { head, found } = receiptAgain(undelivered)
    return updateFrom({ ...head, found: decodeFound(found) })
  })
}

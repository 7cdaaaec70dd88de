// One run of a job that exists and that this process has claimed: crawl, then what is left to do when
// a crawl has ended, then how it went. Whoever calls it keeps the job's status.
import { fairnessOf } from '../core/fairness.ts'
import { type Harvest, NO_HARVEST } from '../core/harvest.ts'
import { hotIsImportance } from '../core/importance.ts'
import type { JobRecord, JobStatus } from '../core/job.ts'
import { maskProxies, refuseMasked } from '../core/proxy-secrets.ts'
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
  /** As the last run left it; null for a new one. */
  readonly last: JobRecord | null
  readonly jobs: JobStore
  readonly workspace: Workspace
  readonly clock: Clock
  readonly watcher: RunWatcher
  /** Aborted when somebody else runs it, against all rules: then this run ends with `store-busy`. */
  readonly lost?: AbortSignal
  /** False: its pages are carried by workers alone, as a master does not. Left out: true. */
  readonly carries?: boolean
  /** Opens what fetches and parses; in place of real processes, for tests. */
  readonly openProcesses?: typeof openSupervisor
}

export type RunResult = CrawlOutcome & {
  readonly end: CrawlEnd
  readonly status: JobStatus
  readonly note: string
}

/** `before`: what earlier runs have stored. `round`: what this one is of; null: of none. */
type Run = JobRun & { readonly before: PageTotals; readonly round: Recrawl | null }
type Ended = { readonly end: CrawlEnd; readonly harvest: Harvest }

/** Ends after which the same crawl goes on sooner or later. */
const UNENDED: readonly CrawlEnd[] = ['interrupted', 'paused', 'shutdown', 'away']
/** As many as a scouter tells of. */
const HOSTS_TOLD = 50
/** Ends that the same request would come to again. */
const REPEATED: readonly StopRule[] = ['harvest', 'left-out']

export async function runJob(jobRun: JobRun): Promise<RunResult> {
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

/** Whether all that was to be visited was. */
function isAtItsEnd(end: CrawlEnd): boolean {
  return end === 'empty' || end === 'limit' || isStopRule(end)
}

async function crawlOn(run: Run): Promise<Ended> {
  const enough = enoughBefore(run)
  if (enough !== null) return { end: enough, harvest: NO_HARVEST }
  const ended = await supervise(run)
  if (ended.end !== 'limit') return ended
  // The scouter only knows that the store takes no more.
  const { stored } = await totalsOf(run.workspace, run.job.id)
  return stored < run.job.settings.maxPages ? { ...ended, end: 'hot' } : ended
}

/** Why a run need not start: what ended the last one still holds. */
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
  const notices = await workspace.beginRun(frontierNeeds(supervised, clock))
  for (const notice of notices) watcher.onNotice(notice)
  await using supervisor = await openProcesses({
    job: supervised,
    ...{ workspace, clock, carries: run.carries ?? true },
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
  await finishCopy(run, watcher.onNotice)
  // What came after the last beats: nobody should remember less than there is.
  const { stored, counts } = await knownProgress(run)
  watcher.onProgress({ ...supervisor.progress, stored, counts, inFlight: 0 })
  await hotWatch?.idle()
  return { end, harvest: supervisor.progress.harvest }
}

/** Whoever fetched has copied what they could; what is left of it is the owner's. */
async function finishCopy(
  { job, workspace }: Run,
  onNotice: (text: string) => void,
): Promise<void> {
  const onError = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error)
    onNotice(`the states of URLs are not all in the database yet: ${why}; the next run copies them`)
  }
  try {
    await using _copying = await workspace.copying(job, onError)
  } catch (error) {
    onError(error)
  }
}

/** Earlier rounds are no business of a run that is of none. */
function ofRound({ round: _, ...job }: JobRecord, round: Recrawl | null): JobRecord {
  return round === null ? job : { ...job, round: round.round }
}

/** As the stores have it; a frontier that cannot be read is for the scouter to complain about. */
async function knownProgress({ job, workspace }: Run): Promise<KnownProgress> {
  const { counts, hosts } = await ledgerFigures(job, workspace).catch(() => NO_PROGRESS)
  const totals = await totalsOf(workspace, job.id)
  const { index: fairness } = fairnessOf(job.seeds, hosts, job.settings.delayMs)
  return { stored: totals.stored, counts, hosts, fairness }
}

async function ledgerFigures(
  job: JobRecord,
  workspace: Workspace,
): Promise<Pick<KnownProgress, 'counts' | 'hosts'>> {
  await using urlStates = await workspace.ledger(job)
  if (urlStates === null) return NO_PROGRESS
  return { counts: await urlStates.counts(), hosts: await urlStates.hosts(HOSTS_TOLD) }
}

/**
 * At the terminal every run has its time, and so it has when a job is gone over again; a job of the API
 * may be paused, and has it once.
 */
function timeLeft({ job, round }: Run): number | null {
  const { settings, origin, ranMs } = job
  const { durationMs } = settings
  if (durationMs === null) return null
  return origin === 'api' && round === null ? Math.max(0, durationMs - ranMs) : durationMs
}

/** Pages without their frontier: to go on would fetch them all again and believe half of it. */
async function refuseHalfACrawl(
  workspace: Workspace,
  crawlId: number,
  stored: number,
): Promise<void> {
  if (stored === 0 || (await workspace.hasFrontier(crawlId))) return
  throw workspace.frontierMissing(crawlId, stored)
}

/** A frontier that was put back, or lost a part of itself, learns what the store has. */
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

// The word to stop, for all of a run: the crawl drains, and what is left to do after it is cut short.

/** Who has been told to stop, or whose time is up, is done with the rest in so long, or leaves it. */
const REST_MS = 4_000

class RunStop {
  readonly #controller = new AbortController()
  /** Why it was asked to stop; null: it was not. */
  #why: DrainReason | null = null

  /** The same watcher; whoever it gives the way to end the crawl early is heard here, too. */
  heardBy<T extends RunWatcher>(watcher: T): T {
    const onDrainable = (drain: Drain): void =>
      watcher.onDrainable((why, withinMs) => {
        this.#why ??= why
        this.#controller.abort()
        drain(why, withinMs)
      })
    return { ...watcher, onDrainable }
  }

  /** Until when what comes after the crawl may go on. */
  afterThe(end: CrawlEnd): AbortSignal {
    const isStopped = end === 'time' || end === this.#why
    return isStopped ? AbortSignal.timeout(REST_MS) : this.#controller.signal
  }

  /** How the run ended: one that was stopped while it did the rest goes on with that another time. */
  endOf(end: CrawlEnd, isRestDone: boolean): CrawlEnd {
    return isRestDone ? end : (this.#why ?? end)
  }
}

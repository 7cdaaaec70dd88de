// Jobs in answers and events: the stored record, and the current figures of jobs that run here.
import { basename } from 'node:path'
import { harvestRate, hotIsImportance } from '../core/importance.ts'
import { type CrawlSettings, type JobRecord, jobId, readJobId } from '../core/job.ts'
import { topicText } from '../core/topic-text.ts'
import type { Progress } from '../crawl/progress.ts'
import type { LiveJob } from '../crawl/run-measures.ts'
import { WAITING } from '../fleet/shared-run.ts'
import type { Dispatcher } from '../jobs/dispatcher.ts'
import type { Clock } from '../lib/clock.ts'
import { given } from '../lib/present.ts'
import { encodeOptions } from '../options/settings.ts'
import type { WorkspaceReads } from '../reads/reads.ts'
import type { JobHistory, JobOverview, JobProgress, JobSummary } from '../reads/shapes/job.ts'
import type { CrawlTotals } from '../reads/totals.ts'
import { jobHost } from '../reads/urls.ts'
import type { Sample } from '../store/job-journal.ts'
import type { JobReader } from '../store/job-store.ts'
import type { ApiDeps } from './api-deps.ts'
import { Refusal } from './errors.ts'

export type JobViewDeps = Pick<ApiDeps, 'reads' | 'journal' | 'clock' | 'fleet'> & {
  readonly dispatcher: Pick<Dispatcher, 'live' | 'isElsewhere' | 'ahead'>
}

/** A summary is short; the overview has all seeds. */
const SEEDS_SHOWN = 20
const HOSTS_SHOWN = 50

export class JobViews {
  readonly #deps: JobViewDeps
  readonly #totals: KnownTotals
  readonly #cpu: CpuMeter

  constructor(deps: JobViewDeps) {
    this.#deps = deps
    this.#totals = new KnownTotals(deps)
    this.#cpu = new CpuMeter(deps.clock)
  }

  async summary(job: JobRecord): Promise<JobSummary> {
    const totals = await this.#totals.of(job)
    return this.#summary(job, totals, await this.#deps.dispatcher.isElsewhere(job))
  }

  /** In the order of the jobs. */
  async summaries(jobs: readonly JobRecord[]): Promise<JobSummary[]> {
    const { dispatcher } = this.#deps
    const totals = await this.#totals.ofAll(jobs)
    const elsewhere = await Promise.all(jobs.map((job) => dispatcher.isElsewhere(job)))
    return jobs.map((job, at) => this.#summary(job, totals[at], elsewhere[at] ?? false))
  }

  async overview(job: JobRecord): Promise<JobOverview> {
    const totals = await this.#totals.of(job)
    return {
      job: this.#summary(job, totals, await this.#deps.dispatcher.isElsewhere(job)),
      options: encodeOptions(job),
      progress: this.progress(job.id),
      pages_per_host: { ...totals?.hosts },
      fairness: totals?.fairness ?? 1,
    }
  }

  async history({ id }: JobRecord): Promise<JobHistory> {
    const { dispatcher, journal } = this.#deps
    return columnsOf(dispatcher.live(id)?.history ?? (await journal.history(id)))
  }

  /** Null unless the job runs here. */
  progress(crawlId: number): JobProgress | null {
    const live = this.#deps.dispatcher.live(crawlId)
    if (live === null || live.progress === null) return null
    const { progress, pagesPerSecond, busy } = live
    const now = this.#deps.clock.now()
    const { stored, counts, hosts, inFlight, bytes, restarts, fairness, revisits } = progress
    const { judged, hot, recentHot, recentJudged } = progress.harvest
    return {
      at: now,
      stored,
      duplicates: counts.duplicate,
      refused: counts.refused,
      outside: counts.outside,
      failed: counts.failed,
      queued: counts.queued + counts.leased,
      in_flight: inFlight,
      ...(revisits === undefined ? {} : { revisits }),
      bytes,
      pages_per_second: rounded(pagesPerSecond),
      fairness: rounded(fairness),
      harvest_rate: harvestRate(hot, judged),
      recent_harvest_rate: harvestRate(recentHot, recentJudged),
      restarts,
      busy,
      processes: this.#processes(live, progress),
      hosts: hosts.slice(0, HOSTS_SHOWN).map((host) => jobHost(host, now)),
    }
  }

  #summary(job: JobRecord, totals: CrawlTotals | undefined, elsewhere: boolean): JobSummary {
    const { dispatcher } = this.#deps
    const { settings } = job
    const live = dispatcher.live(job.id)
    const topic = aboutOf(settings)
    const isJudged = topic !== null || hotIsImportance(settings)
    return {
      id: jobId(job.id),
      name: job.name,
      status: job.status,
      note: live?.busy.startsWith(WAITING) ? live.busy : job.note,
      origin: job.origin,
      seeds: job.seeds.slice(0, SEEDS_SHOWN),
      ordering: settings.ordering,
      topic,
      max_pages: settings.maxPages,
      started_at: job.startedAt,
      ended_at: job.endedAt,
      ran_ms: Math.round(Math.max(job.ranMs, live?.job.ranMs ?? 0)),
      ...given({ round: job.round, refresh: totals?.refresh }),
      elsewhere,
      ahead: dispatcher.ahead(job.id),
      ...countsOf(totals, live?.progress ?? null),
      hot: isJudged ? (totals?.hot ?? 0) : null,
      judged: isJudged ? (totals?.judged ?? 0) : null,
    }
  }

  #processes({ cpu }: LiveJob, progress: Progress): JobProgress['processes'] {
    const { scouterPid, scouterRssBytes, parserPid, parserRssBytes } = progress
    const children = [
      { role: 'scouter', pid: scouterPid, rss_bytes: scouterRssBytes, cpu: rounded(cpu.scouter) },
      { role: 'parser', pid: parserPid, rss_bytes: parserRssBytes, cpu: rounded(cpu.parser) },
    ]
    const rss_bytes = process.memoryUsage.rss()
    const server = { role: 'server', pid: process.pid, rss_bytes, cpu: rounded(this.#cpu.share()) }
    // The processes of a shared job are on other machines; they are shown with their workers.
    if (this.#deps.fleet !== undefined) return [server]
    return [...children.filter(({ pid }) => pid !== 0), server]
  }
}

type Counts = Pick<
  JobSummary,
  'stored' | 'duplicates' | 'refused' | 'outside' | 'failed' | 'queued' | 'bytes'
>

/** A running job is ahead of the last stored figures, never behind. */
function countsOf(totals: CrawlTotals | undefined, live: Progress | null): Counts {
  const {
    stored = 0,
    duplicates = 0,
    refused = 0,
    outside = 0,
    failed = 0,
    queued = 0,
    bytes = 0,
  } = totals ?? {}
  if (live === null) return { stored, duplicates, refused, outside, failed, queued, bytes }
  const { counts } = live
  return {
    stored: Math.max(stored, live.stored),
    duplicates: Math.max(duplicates, counts.duplicate),
    refused: counts.refused,
    outside: counts.outside,
    failed: counts.failed,
    queued: counts.queued + counts.leased,
    bytes,
  }
}

/** Null without a topic. For a file only its base name is shown. */
function aboutOf(settings: CrawlSettings): string | null {
  const { examples, classifier } = settings
  const plain = (path: string | null) => (path === null ? null : basename(path))
  const text = topicText({ ...settings, examples: plain(examples), classifier: plain(classifier) })
  return text === '' ? null : text
}

function columnsOf(samples: readonly Sample[]): JobHistory {
  return {
    at: samples.map(({ at }) => at),
    stored: samples.map(({ stored }) => stored),
    refused: samples.map(({ refused }) => refused),
    outside: samples.map(({ outside }) => outside),
    failed: samples.map(({ failed }) => failed),
    queued: samples.map(({ queued }) => queued),
    pages_per_second: samples.map(({ pagesPerSecond }) => rounded(pagesPerSecond)),
    recent_harvest_rate: samples.map(({ recentHarvestRate }) => recentHarvestRate),
    scouter_rss_bytes: samples.map(({ scouterRssBytes }) => scouterRssBytes),
    parser_rss_bytes: samples.map(({ parserRssBytes }) => parserRssBytes),
    cpu: samples.map(({ cpu }) => rounded(cpu)),
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

type Known = Pick<JobRecord, 'status' | 'endedAt'> & {
  readonly at: number
  readonly totals: CrawlTotals
}

const FRESH_MS = 1_000
/** After its end a crawl still does some work: its importance is computed, its last notes are written. */
const SETTLED_MS = 60_000
const MAX_KNOWN = 2_000

type TotalsDeps = Pick<ApiDeps, 'clock'> & { readonly reads: Pick<WorkspaceReads, 'totals'> }

/**
 * Totals of crawls, read as rarely as possible: those of a crawl that ended some time ago do not change,
 * and the others need not be newer than a second.
 */
export class KnownTotals {
  readonly #deps: TotalsDeps
  readonly #known = new Map<number, Known>()

  constructor(deps: TotalsDeps) {
    this.#deps = deps
  }

  /** Undefined if the crawl was removed meanwhile. */
  async of(job: JobRecord): Promise<CrawlTotals | undefined> {
    const [totals] = await this.ofAll([job])
    return totals
  }

  async ofAll(jobs: readonly JobRecord[]): Promise<readonly (CrawlTotals | undefined)[]> {
    const asked = jobs.filter((job) => !this.#isKnown(job))
    const read = asked.length === 0 ? [] : await this.#deps.reads.totals(asked.map(({ id }) => id))
    const at = this.#deps.clock.now()
    for (const [index, { id, status, endedAt }] of asked.entries()) {
      const totals = read[index]
      if (totals !== undefined) this.#keep(id, { status, endedAt, at, totals })
    }
    return jobs.map(({ id }) => this.#known.get(id)?.totals)
  }

  #isKnown({ id, status, endedAt }: JobRecord): boolean {
    const known = this.#known.get(id)
    // A client that is notified of a change needs the matching figures.
    if (known === undefined || known.status !== status || known.endedAt !== endedAt) return false
    if (endedAt !== null && known.at - endedAt > SETTLED_MS) return true
    return this.#deps.clock.now() - known.at < FRESH_MS
  }

  #keep(id: number, known: Known): void {
    this.#known.delete(id)
    this.#known.set(id, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }
}

const WINDOW_MS = 2_000

/** CPU use of this process over the last seconds. */
class CpuMeter {
  readonly #clock: Clock
  #since: { readonly at: number; readonly usedMs: number }
  #share = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = { at: clock.now(), usedMs: ownCpuMs() }
  }

  /** Share of one core over the last seconds; 1 is a core fully used. */
  share(): number {
    const at = this.#clock.now()
    const passedMs = at - this.#since.at
    if (passedMs < WINDOW_MS) return this.#share
    const usedMs = ownCpuMs()
    this.#share = (usedMs - this.#since.usedMs) / passedMs
    this.#since = { at, usedMs }
    return this.#share
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The job that a request names. Throws a `Refusal` if there is no such job. */
export async function findJob(jobs: JobReader, id: string): Promise<JobRecord> {
  const crawlId = readJobId(id)
  const job = crawlId === null ? null : await jobs.get(crawlId)
  if (job === null) throw noJob(id)
  return job
}

export function noJob(id: string): Refusal {
  const known = readJobId(id) === null ? 'jobs are named like crawl_1' : `there is no job ${id}`
  return new Refusal(404, known)
}

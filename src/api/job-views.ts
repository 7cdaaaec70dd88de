// Jobs in answers and events: the stored record, and the current figures of jobs that run here.
import { basename } from 'node:path'
import { harvestRate } from '../core/harvest.ts'
import { hotIsImportance } from '../core/importance.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import { jobId } from '../core/job-id.ts'
import { topicText } from '../core/topic-text.ts'
import type { Progress } from '../crawl/progress.ts'
import type { LiveJob } from '../crawl/run-measures.ts'
import { WAITING } from '../fleet/shared-run.ts'
import { encodeOptions } from '../options/settings.ts'
import type { JobGlance, JobHistory, JobOverview, JobProgress } from '../reads/shapes/job.ts'
import type { CrawlTotals } from '../reads/totals.ts'
import { jobHost } from '../reads/urls.ts'
import type { Sample } from '../store/job-journal.ts'
import type { ApiDeps } from './api-deps.ts'
import { CpuMeter, KnownTotals } from './known-totals.ts'

type ViewWorld = Pick<ApiDeps, 'dispatcher' | 'reads' | 'journal' | 'clock' | 'fleet'>

/** A summary is short; the overview has all seeds. */
const SEEDS_SHOWN = 20
const HOSTS_SHOWN = 50

export class JobViews {
  readonly #world: ViewWorld
  readonly #totals: KnownTotals
  readonly #cpu: CpuMeter

  constructor(world: ViewWorld) {
    this.#world = world
    this.#totals = new KnownTotals(world)
    this.#cpu = new CpuMeter(world.clock)
  }

  async glance(job: JobRecord): Promise<JobGlance> {
    const totals = await this.#totals.of(job)
    return this.#glance(job, totals, await this.#world.dispatcher.isElsewhere(job))
  }

  /** In the order of the jobs. */
  async glances(jobs: readonly JobRecord[]): Promise<JobGlance[]> {
    const { dispatcher } = this.#world
    const totals = await this.#totals.ofAll(jobs)
    const elsewhere = await Promise.all(jobs.map((job) => dispatcher.isElsewhere(job)))
    return jobs.map((job, at) => this.#glance(job, totals[at], elsewhere[at] ?? false))
  }

  async overview(job: JobRecord): Promise<JobOverview> {
    const totals = await this.#totals.of(job)
    return {
      job: this.#glance(job, totals, await this.#world.dispatcher.isElsewhere(job)),
      options: encodeOptions(job),
      progress: this.progress(job.id),
      pages_per_host: { ...totals?.hosts },
      fairness: totals?.fairness ?? 1,
    }
  }

  async history({ id }: JobRecord): Promise<JobHistory> {
    const { dispatcher, journal } = this.#world
    return columnsOf(dispatcher.live(id)?.history ?? (await journal.history(id)))
  }

  /** Null unless the job runs here. */
  progress(crawlId: number): JobProgress | null {
    const live = this.#world.dispatcher.live(crawlId)
    if (live === null || live.progress === null) return null
    const { progress, pagesPerSecond, busy } = live
    const now = this.#world.clock.now()
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

  #glance(job: JobRecord, totals: CrawlTotals | undefined, elsewhere: boolean): JobGlance {
    const { dispatcher } = this.#world
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
      ...(job.round === undefined ? {} : { round: job.round }),
      ...(totals?.refresh === undefined ? {} : { refresh: totals.refresh }),
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
    if (this.#world.fleet !== undefined) return [server]
    return [...children.filter(({ pid }) => pid !== 0), server]
  }
}

type Counts = Pick<
  JobGlance,
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

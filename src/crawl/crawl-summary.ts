// The summary of a crawl, read back from its stores: figures and warnings.
import { type Fairness, fairnessOf, hasSeveralSites, NOBODY_TO_SHARE } from '../core/fairness.ts'
import type { HostState, UrlCounts } from '../core/host.ts'
import { type Harvest, harvestRate, hotIsImportance } from '../core/importance.ts'
import type { JobRecord, JobStatus } from '../core/job.ts'
import type { CrawlSummary, FocusSummary, RefreshSummary } from '../core/summary.ts'
import { topicText } from '../core/topic-text.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { UrlRecord } from '../core/visit.ts'
import { LEAVES_OUT } from '../core/visit.ts'
import { countRefused, type UrlStates } from '../frontier/url-states.ts'
import type { PageTotals } from '../store/page-reader.ts'
import { openUrlStates } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { endInWords, endOfSeed } from './verdict.ts'

export type CrawlOutcome = {
  readonly summary: CrawlSummary
  /** Seeds that led to no page, each with its outcome behind redirects; the first few. */
  readonly lostSeeds: readonly LostSeed[]
  /** Hosts that failed at their last request. */
  readonly troubled: readonly HostState[]
}

/** A seed, and the record of the URL where its redirects ended. */
type LostSeed = {
  readonly seed: CanonicalUrl
  readonly end: UrlRecord
  /** The same for a person. */
  readonly words: string
}

/** Facts that only the run itself knows. */
type Ran = {
  readonly status: JobStatus
  readonly note: string
  readonly seconds: number
  /** Pages stored by earlier runs. */
  readonly before: number
  readonly harvest: Harvest
  /** Set for a recrawl; else null. */
  readonly refresh: RefreshSummary | null
}

const SHOWN = 10
/** With more hosts, only the largest are compared. */
const HOSTS_COMPARED = 50_000
/** With more URLs than this, counting their reasons would take too long. */
const MOST_COUNTED = 2_000_000

export async function summarise(
  job: JobRecord,
  workspace: Workspace,
  ran: Ran,
): Promise<CrawlOutcome> {
  await using pages = await workspace.pageReader()
  await using urlStates = await openUrlStates(workspace, job)
  const totals = await pages.totals(job.id)
  const { stored, duplicates, bytes, hosts } = totals
  const counts = await urlStates.counts()
  const { status, seconds, before, note } = ran
  const fairness = await fairnessBy(urlStates, job)
  const summary = {
    crawl: job.id,
    status,
    stored,
    duplicates,
    refused: counts.refused,
    outside: counts.outside,
    failed: counts.failed,
    queued: counts.queued + counts.leased,
    bytes,
    truncated: await pages.truncated(job.id),
    seconds: round(seconds),
    pages_per_second: round(Math.max(0, stored - before) / Math.max(seconds, 0.001)),
    hosts: Object.fromEntries(hosts),
    fairness: round(fairness.index),
    fairness_over: fairness.over,
    ordering: job.settings.ordering,
    ...(note === '' ? {} : { note }),
    reasons: await topReasons(urlStates, counts),
    ...(ran.refresh === null ? {} : { refresh: ran.refresh }),
    ...(hotIsImportance(job.settings) ? { hot: totals.hot } : {}),
    ...(job.topic === null ? {} : await focusSummary(job, totals, urlStates, ran)),
  }
  return {
    summary,
    lostSeeds: await lostSeeds(urlStates, job),
    troubled: (await urlStates.hosts(SHOWN)).filter(({ trouble }) => trouble !== ''),
  }
}

/** How evenly the domains of the seeds were served. */
export async function fairnessBy(
  urlStates: Pick<UrlStates, 'hosts'> | null,
  { seeds, settings }: Pick<JobRecord, 'seeds' | 'settings'>,
): Promise<Fairness> {
  if (urlStates === null || !hasSeveralSites(seeds)) return NOBODY_TO_SHARE
  return fairnessOf(seeds, await urlStates.hosts(HOSTS_COMPARED), settings.delayMs)
}

async function focusSummary(
  { settings }: JobRecord,
  { judged: kept, hot }: PageTotals,
  urlStates: UrlStates,
  { harvest }: Ran,
): Promise<FocusSummary> {
  const { minRelevance, minTerms, languages } = settings
  const keepsAll = minRelevance === null && minTerms === null && languages.length === 0
  const judged = kept + (keepsAll ? 0 : countRefused(await urlStates.outcomes(), LEAVES_OUT))
  return {
    topic: topicText(settings),
    judged,
    hot,
    harvest_rate: roundedRate(hot, judged),
    recent_harvest_rate: roundedRate(harvest.recentHot, harvest.recentJudged),
  }
}

function roundedRate(hot: number, judged: number): number | null {
  const rate = harvestRate(hot, judged)
  return rate === null ? null : round(rate)
}

/** Why URLs were refused, left out or failed, the most frequent reason first. */
async function topReasons(
  urlStates: UrlStates,
  counts: UrlCounts,
): Promise<Readonly<Record<string, number>>> {
  const ends = counts.refused + counts.outside + counts.failed
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (ends === 0 || all > MOST_COUNTED) return {}
  const outcomes = (await urlStates.outcomes()).filter(
    ({ state }) => state === 'refused' || state === 'failed',
  )
  return Object.fromEntries(outcomes.slice(0, SHOWN).map(({ code, count }) => [code, count]))
}

async function lostSeeds(urlStates: UrlStates, job: JobRecord): Promise<readonly LostSeed[]> {
  const lost: LostSeed[] = []
  for (const seed of job.seeds) {
    if (lost.length === SHOWN) break
    const end = await endOfSeed(urlStates, seed, job)
    if (end !== null && (end.state === 'refused' || end.state === 'failed'))
      lost.push({ seed, end, words: await endInWords(urlStates, end) })
  }
  return lost
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

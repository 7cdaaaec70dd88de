// How a crawl came out, once it ended: `completed` only when nothing is missing. What the frontier and the
// store say is compared for that; whatever is missing is told, and a later run may get it.
import type { JobRecord, JobStatus } from '../core/job.ts'
import { hostOf } from '../core/url.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { PageTotals } from '../store/page-reader.ts'
import { openUrlStates } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { statusAfter } from './job-run.ts'
import { seedFailures } from './seed-failures.ts'
import { isStopRule, noteOf } from './stop-rules.ts'
import type { CrawlEnd } from './supervisor.ts'

export type Verdict = { readonly status: JobStatus; readonly note: string }

export type Ended = {
  readonly job: JobRecord
  readonly workspace: Workspace
  /** It was gone over again. */
  readonly isRound: boolean
  readonly end: CrawlEnd
}

/** Ends by which somebody asked it to stop, or its time was up. */
const CUT_SHORT = ['interrupted', 'time', 'paused', 'stopped', 'shutdown'] as const
const HOSTS_TOLD = 3

export async function verdictOf(ended: Ended): Promise<Verdict> {
  const { job, workspace, end } = ended
  const cut = CUT_SHORT.find((why) => why === end)
  if (cut !== undefined) {
    const note = cut === 'time' && job.origin === 'api' ? 'its time was up' : ''
    return { status: statusAfter(cut), note }
  }
  await using pages = await workspace.pageReader()
  await using urlStates = await openUrlStates(workspace, job)
  const totals = await pages.totals(job.id)
  const missing = await whatIsMissing(ended, totals, urlStates)
  // A seed that is gone by now is news that a round was for, and the next one looks at it again.
  const isBarren = totals.stored + totals.duplicates === 0 && !ended.isRound
  const lost =
    isBarren && (end === 'empty' || end === 'away') ? await seedFailures(urlStates, job) : null
  if (isBarren && (lost !== null || missing.length > 0)) {
    return { status: 'failed', note: lost ?? missing.join('; ') }
  }
  if (missing.length > 0) return { status: 'incomplete', note: missing.join('; ') }
  return { status: 'completed', note: isStopRule(end) ? noteOf(end, job.settings) : '' }
}

async function whatIsMissing(
  { job, end }: Ended,
  { stored }: PageTotals,
  urlStates: UrlStates,
): Promise<string[]> {
  const counts = await urlStates.counts()
  const waiting = counts.queued + counts.leased
  const missing: string[] = []
  if (end === 'away') missing.push('the network was away for too long')
  if (end === 'empty' && waiting > 0) missing.push(`${urls(waiting)} still wait, in no queue`)
  if (counts.stored !== stored) {
    missing.push(`the frontier counts ${counts.stored} stored pages, the store has ${stored}`)
  }
  const unreached = await urlStates.unreached([...new Set(job.seeds.map(hostOf))])
  if (unreached.length > 0) {
    const sum = unreached.reduce((all, one) => all + one.urls, 0)
    const hosts = unreached.slice(0, HOSTS_TOLD).map(({ host }) => host)
    const more = unreached.length - hosts.length
    const shown = `${hosts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    missing.push(`${urls(sum)} could not be reached at ${shown}`)
  }
  return missing
}

function urls(count: number): string {
  return `${count} ${count === 1 ? 'URL' : 'URLs'}`
}

// How a crawl came out, once it ended: `completed` only when nothing is missing. What the frontier and the
// store say is compared for that; whatever is missing is told, and a later run may get it.
import type { Job, JobRecord, JobStatus } from '../core/job.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../core/url.ts'
import { createIdentity } from '../core/url-identity.ts'
import type { UrlRecord } from '../core/url-record.ts'
import { LEAVES_OUT, type Refusal, reasonCode } from '../core/visit.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { PageTotals } from '../store/page-reader.ts'
import { openUrlStates } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { statusAfter } from './job-run.ts'
import { inWords } from './refusal-text.ts'
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

// Why a crawl brought nothing: what its seeds came to.

const MAX_HOPS = 10
const SHOWN = 3
const GIVEN_UP: readonly Refusal[] = ['robots-unreachable', 'host-unreachable']

/** Null when at least one seed was fetched; otherwise in words what the first ones came to. */
export async function seedFailures(urlStates: UrlStates, job: Job): Promise<string | null> {
  const lost: string[] = []
  for (const seed of job.seeds) {
    const end = await endOfSeed(urlStates, seed, job)
    if (end === null || !isLost(end)) return null
    if (lost.length < SHOWN) lost.push(await endInWords(urlStates, end))
  }
  const more = job.seeds.length - lost.length
  const rest = more > 0 ? `; and ${more} more` : ''
  return `no seed could be fetched: ${lost.join('; ')}${rest}`
}

/** What became of a seed, or of where it leads, for a person. A host that was given up has a reason of its own, and that is what can be mended. */
export async function endInWords(urlStates: UrlStates, end: UrlRecord): Promise<string> {
  const { url, state, reason, host } = end
  const isGivenUp = GIVEN_UP.some((refusal) => refusal === reasonCode(reason))
  const trouble = isGivenUp ? ((await urlStates.host(host))?.trouble ?? '') : ''
  if (trouble === '') return `${url} ${state}: ${inWords(reason)}`
  if (trouble.startsWith('http-')) return `${url} ${state}: ${reason}: ${inWords(trouble)}`
  return `${url} failed: ${inWords(trouble)}`
}

/** Where the way of a seed ended, behind its redirects; null when it is not known. */
export async function endOfSeed(
  urlStates: UrlStates,
  seed: CanonicalUrl,
  { settings }: Pick<Job, 'settings'>,
): Promise<UrlRecord | null> {
  // Seeds have lost what makes no other page, as all URLs have; those of older crawls have not.
  const known = createIdentity(settings.stripParams)(seed)
  let end = (await urlStates.find(known)) ?? (await urlStates.find(seed))
  for (let hop = 0; hop < MAX_HOPS && end?.state === 'redirected'; hop++) {
    const next = canonicalise(end.reason)
    end = (next && (await urlStates.find(next))) ?? end
  }
  return end
}

/** A page that was read and then not kept is no failure. */
function isLost({ state, reason }: UrlRecord): boolean {
  if (state === 'failed') return true
  const code = reasonCode(reason)
  return state === 'refused' && !LEAVES_OUT.some((refusal) => refusal === code)
}

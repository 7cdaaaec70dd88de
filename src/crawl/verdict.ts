// The final status of a crawl: `completed` only if nothing is missing. Frontier and store are compared for
// that; missing pages are reported, and a later run may get them.
import type { Job, JobRecord, JobStatus } from '../core/job.ts'
import { type CanonicalUrl, canonicalise, createIdentity, hostOf } from '../core/url.ts'
import { LEAVES_OUT, type Refusal, reasonCode, type UrlRecord } from '../core/visit.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { PageTotals } from '../store/page-reader.ts'
import { openUrlStates } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { statusAfter } from './job-run.ts'
import { inWords } from './refusal-text.ts'
import { isStopRule, noteOf } from './stop-rules.ts'
import type { CrawlEnd } from './supervisor.ts'

type Verdict = { readonly status: JobStatus; readonly note: string }

type Ended = {
  readonly job: JobRecord
  readonly workspace: Workspace
  /** This was a recrawl. */
  readonly isRound: boolean
  readonly end: CrawlEnd
}

/** Ends by a stop request or a time limit. */
const CUT_SHORT = ['interrupted', 'time', 'paused', 'stopped', 'shutdown'] as const
const HOSTS_TOLD = 3
/** A server lost them, and nobody who owns them can write them again. */
const LOST_ROWS =
  "it has lost rows; run 'jelajah doctor --rebuild-frontier', then continue the crawl"

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
  // A recrawl may find that a seed is gone; that is a result, and the next one checks it again.
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
  { job, workspace, end }: Ended,
  { stored }: PageTotals,
  urlStates: UrlStates,
): Promise<string[]> {
  const counts = await urlStates.counts()
  const waiting = counts.queued + counts.leased
  const missing: string[] = []
  if (end === 'away') missing.push('the network was away for too long')
  if (end === 'empty' && waiting > 0) missing.push(`${urls(waiting)} still wait, in no queue`)
  // A crawl that had enough lacks nothing if the store has more than the frontier knows: rows were lost, or
  // stored pages wait to be read again after a rebuild. The next run that needs them tells.
  const hasEnough = end === 'limit' || isStopRule(end)
  if (counts.stored > stored || (counts.stored < stored && !hasEnough)) {
    const differ = `the frontier counts ${counts.stored} stored pages, the store has ${stored}`
    missing.push((await workspace.hasFrontier(job.id)) ? differ : `${differ}: ${LOST_ROWS}`)
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

const MAX_HOPS = 10
const SHOWN = 3
const GIVEN_UP: readonly Refusal[] = ['robots-unreachable', 'host-unreachable']

/** Null if at least one seed was fetched; otherwise the outcomes of the first ones, in words. */
async function seedFailures(urlStates: UrlStates, job: Job): Promise<string | null> {
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

/**
 * Explains why a crawl stored nothing, by the outcomes of its seeds. The outcome of a seed, or of its
 * redirect target, in words. A host that was given up has a reason of its own, and the user can act on that
 * one.
 */
export async function endInWords(urlStates: UrlStates, end: UrlRecord): Promise<string> {
  const { url, state, reason, host } = end
  const isGivenUp = GIVEN_UP.some((refusal) => refusal === reasonCode(reason))
  const trouble = isGivenUp ? ((await urlStates.host(host))?.trouble ?? '') : ''
  if (trouble === '') return `${url} ${state}: ${inWords(reason)}`
  if (trouble.startsWith('http-')) return `${url} ${state}: ${reason}: ${inWords(trouble)}`
  return `${url} failed: ${inWords(trouble)}`
}

/** The URL where the redirects of a seed end; null if it is unknown. */
export async function endOfSeed(
  urlStates: UrlStates,
  seed: CanonicalUrl,
  { settings }: Pick<Job, 'settings'>,
): Promise<UrlRecord | null> {
  // Seeds lose parameters that make no other page, like all URLs; seeds of older crawls kept them.
  const known = createIdentity(settings.stripParams)(seed)
  let end = (await urlStates.find(known)) ?? (await urlStates.find(seed))
  for (let hop = 0; hop < MAX_HOPS && end?.state === 'redirected'; hop++) {
    const next = canonicalise(end.reason)
    end = (next && (await urlStates.find(next))) ?? end
  }
  return end
}

/** A page that was read and then left out is no failure. */
function isLost({ state, reason }: UrlRecord): boolean {
  if (state === 'failed') return true
  const code = reasonCode(reason)
  return state === 'refused' && !LEAVES_OUT.some((refusal) => refusal === code)
}

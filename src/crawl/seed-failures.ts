// Why a crawl brought nothing: what its seeds came to.
import type { Job } from '../core/job.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import { createIdentity } from '../core/url-identity.ts'
import type { UrlRecord } from '../core/url-record.ts'
import { LEAVES_OUT, type Refusal, reasonCode } from '../core/visit.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { inWords } from './refusal-text.ts'

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

// Why a crawl brought nothing: what its seeds came to.
import type { Job } from '../core/job.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { UrlRecord } from '../core/url-record.ts'
import { LEAVES_OUT, reasonCode } from '../core/visit.ts'
import { openSqliteUrlLedger } from '../frontier/sqlite/sqlite-url-ledger.ts'
import type { UrlLedger } from '../frontier/url-ledger.ts'
import { frontierPath } from './places.ts'

const MAX_HOPS = 10
const SHOWN = 3

/** Null when at least one seed was fetched; otherwise in words what the first ones came to. */
export async function whyNoSeed(dataDir: string, job: Job): Promise<string | null> {
  await using ledger = await openSqliteUrlLedger(frontierPath(dataDir, job.id), job)
  const lost: string[] = []
  for (const seed of job.seeds) {
    const end = await endOfSeed(ledger, seed)
    if (end === null || !isLost(end)) return null
    if (lost.length < SHOWN) lost.push(`${end.url} ${end.state}: ${end.reason}`)
  }
  const more = job.seeds.length - lost.length
  const rest = more > 0 ? `; and ${more} more` : ''
  return `no seed could be fetched: ${lost.join('; ')}${rest}`
}

/** Where the way of a seed ended, behind its redirects; null when it is not known. */
export async function endOfSeed(ledger: UrlLedger, seed: CanonicalUrl): Promise<UrlRecord | null> {
  let end = await ledger.find(seed)
  for (let hop = 0; hop < MAX_HOPS && end?.state === 'redirected'; hop++) {
    const next = canonicalise(end.reason)
    end = (next && (await ledger.find(next))) ?? end
  }
  return end
}

/** A page that was read and then not kept is no failure. */
function isLost({ state, reason }: UrlRecord): boolean {
  if (state === 'failed') return true
  const code = reasonCode(reason)
  return state === 'refused' && !LEAVES_OUT.some((refusal) => refusal === code)
}

// Rows of URLs and hosts as people see them, decoded from what a database returns.
import type { HostState } from '../core/host.ts'
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import type { UrlRecord } from '../core/visit.ts'
import type { Candidate } from '../ordering/ordering.ts'
import { shownState } from './engine/states.ts'
import type { ListedUrl, Outcome } from './url-states.ts'

type Row = Readonly<Record<string, unknown>>

/** `finder`: the URL of the page or sitemap that led to it. */
export function recordFrom(row: Row): UrlRecord {
  const url = String(row.url) as CanonicalUrl
  return {
    crawlId: Number(row.crawl_id),
    url,
    host: hostOf(url),
    state: shownState(Number(row.state)),
    reason: String(row.reason),
    depth: Number(row.depth),
    foundOn: row.finder === null ? null : String(row.finder),
    priority: Number(row.priority),
    tries: Number(row.tries),
    nextAt: row.next_at === null ? null : Number(row.next_at),
  }
}

export function listedFrom(row: Row): ListedUrl {
  return { ...recordFrom(row), position: Number(row.position) }
}

/** `n` URLs with the state `shown`; `url` and `reason` are the example. */
export function outcomeFrom(row: Row): Outcome {
  return {
    state: shownState(Number(row.shown)),
    code: String(row.code),
    count: Number(row.n),
    example: { url: String(row.url) as CanonicalUrl, reason: String(row.reason) },
  }
}

export function hostFrom(row: Row): HostState {
  return {
    host: String(row.host),
    site: String(row.site),
    queued: Number(row.queued),
    inFlight: Number(row.in_flight),
    stored: Number(row.stored),
    failures: Number(row.failures),
    trouble: String(row.trouble),
    delayMs: Number(row.delay_ms),
    restsUntil: Number(row.rests_until),
  }
}

export function candidateFrom(row: Row): Candidate {
  return {
    url: String(row.url) as CanonicalUrl,
    depth: Number(row.depth),
    foundAt: Number(row.found_at),
    inLinks: Number(row.in_links),
    signals: signalsFrom(row.signals),
  }
}

function signalsFrom(value: unknown): readonly number[] | null {
  if (!(value instanceof Uint8Array)) return null
  return Array.from(new Float64Array(Uint8Array.from(value).buffer))
}

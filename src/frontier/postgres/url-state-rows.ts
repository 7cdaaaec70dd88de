// Rows of URLs and hosts as people see them; the decoders of this edge, and what SQL says of states.
import type { HostState } from '../../core/host.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { URL_STATES, type UrlState } from '../../core/visit.ts'
import type { Row } from '../../db/postgres.ts'
import { DELAYED, DUPLICATE, REDIRECTED, shownState, UNREACHABLE } from '../engine/states.ts'
import type { ListedUrl } from '../url-states.ts'

/** The state that is shown. */
export const SHOWN = `CASE state WHEN ${UNREACHABLE} THEN ${URL_STATES.indexOf('refused')}
  WHEN ${DELAYED} THEN ${URL_STATES.indexOf('queued')} ELSE state END`
/** Of duplicates and redirects the reason is a URL. */
export const CODE = `CASE WHEN state IN (${DUPLICATE}, ${REDIRECTED}) THEN ''
  ELSE split_part(reason, ':', 1) END`

export function stateOf(row: Row, column: string): UrlState {
  return shownState(Number(row[column]))
}

export function listedFrom(row: Row): ListedUrl {
  const url = String(row.url) as CanonicalUrl
  return {
    crawlId: Number(row.crawl_id),
    url,
    host: hostOf(url),
    state: stateOf(row, 'state'),
    reason: String(row.reason),
    depth: Number(row.depth),
    foundOn: row.finder === null ? null : String(row.finder),
    priority: Number(row.priority),
    tries: Number(row.tries),
    nextAt: row.next_at === null ? null : Number(row.next_at),
    position: Number(row.position),
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

export function signalsFrom(value: unknown): readonly number[] | null {
  if (!(value instanceof Uint8Array)) return null
  return Array.from(new Float64Array(Uint8Array.from(value).buffer))
}

// Asking for a page that is stored: only if it changed, and what the answer says of it.
import type { Found } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { FetchRequest } from '../http/fetcher.ts'
import type { Again } from '../wire/handover.ts'
import type { Visit } from './visit.ts'

/** What came of a stored page, and where it led to. */
export type CameTo = {
  readonly came: NonNullable<Again['came']>
  readonly found: readonly Found[]
}

const NOT_MODIFIED = 304
/**
 * They say something of us or of the moment, nothing of the page: a wall that is put up before a whole
 * site must not empty the store.
 */
const NOT_OF_THE_PAGE: readonly number[] = [401, 403, 407, 408, 425, 429]
/** A server may have sent anything under these names; what is sent back must be a header. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1000}[\x21-\x7e])?$/

/** The headers that ask for a page only if it is another one than ours. */
export function conditionsOf({ revisit }: Pick<Lease, 'revisit'>): Pick<FetchRequest, 'headers'> {
  if (revisit === undefined || !revisit.stored) return {}
  const { etag, lastModified } = revisit
  const headers: Record<string, string> = {}
  // An asterisk would ask for anything but what is there.
  if (SENDABLE.test(etag) && etag !== '*') headers['if-none-match'] = etag
  if (SENDABLE.test(lastModified)) headers['if-modified-since'] = lastModified
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/**
 * What an answer says for sure of a page that is stored; null when it is to be parsed, or says nothing
 * that one could go by.
 */
export function cameTo(url: CanonicalUrl, status: number, visit: Visit): CameTo | null {
  if (status === NOT_MODIFIED) return { came: { to: 'unchanged' }, found: [] }
  switch (visit.outcome) {
    case 'redirected': {
      const { to } = visit
      // One that leads to itself wants something of its visitor, a cookie perhaps.
      if (to.url === url) return null
      return { came: { to: 'redirected', reason: to.url }, found: [to] }
    }
    case 'refused':
      return { came: { to: 'refused', reason: visit.reason }, found: [] }
    case 'failed':
      if (status < 400 || status > 499 || NOT_OF_THE_PAGE.includes(status)) return null
      return { came: { to: 'failed', reason: visit.reason }, found: [] }
    case 'fetched':
      return null
  }
}

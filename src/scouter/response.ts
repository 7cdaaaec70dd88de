// What the answer to a request for a page or a sitemap means, by its status and headers alone: the body
// is never looked at here.
import type { CrawlSettings } from '../core/job.ts'
import type { Found } from '../core/link.ts'
import { type CanonicalUrl, canonicalise, type UrlIdentity } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { BodyRoom, RoomShare } from '../http/body-reader.ts'
import type { Fetched, FetchRequest, ResponseHeaders } from '../http/fetcher.ts'
import type { UrlHasher } from '../lib/url-hash.ts'
import type { Again, HandoverHead } from '../wire/handover.ts'

/** As much of a sitemap takes nothing of the memory for long bodies. */
const USUAL_SITEMAP_BYTES = 1024 * 1024
/** Sitemaps may be 50 MiB by their own standard; gzipped ones are far smaller. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024

type BodyLimits = Pick<CrawlSettings, 'maxBodyBytes' | 'maxLinksBytes'>
type Response = Extract<Fetched, { outcome: 'response' }>

export type VisitResult =
  /** The body goes to the parser. */
  | { readonly outcome: 'fetched'; readonly response: Response }
  | { readonly outcome: 'redirected'; readonly to: Found }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly transient: boolean }

/** Statuses that may be different next time. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Types the parser reads; it looks at the bytes where no type is declared. */
const READABLE = /^\s*(?:text\/(?!css|javascript|calendar|csv|vcard)|application\/xhtml\+xml|$)/i
const SITEMAP_TYPES =
  /^\s*(?:text\/|application\/(?:.*\+)?xml|application\/(?:x-)?gzip|application\/octet-stream|$)/i

/** Whether the parser reads pages of this type at all. */
export function isReadable(contentType: string): boolean {
  return READABLE.test(contentType)
}

/** How many body bytes of this answer are wanted: none unless the parser will read it. */
export function bytesWanted(
  kind: Lease['kind'],
  { maxBodyBytes, maxLinksBytes }: BodyLimits,
): (status: number, headers: ResponseHeaders) => number {
  return (status, { contentType }) => {
    if (!isPage(status)) return 0
    if (kind === 'sitemap') return SITEMAP_TYPES.test(contentType) ? MAX_SITEMAP_BYTES : 0
    return isReadable(contentType) ? Math.max(maxBodyBytes, maxLinksBytes) : 0
  }
}

/** How much it may take of the memory for long bodies. */
export function shareOf(
  kind: Lease['kind'],
  { maxBodyBytes }: BodyLimits,
  room: BodyRoom,
): RoomShare {
  // The rest of a page is only read for its links; of a sitemap everything counts.
  if (kind === 'sitemap') return { sure: USUAL_SITEMAP_BYTES, isEnough: false, room }
  return { sure: maxBodyBytes, isEnough: true, room }
}

type ClassifyOptions = {
  readonly hash: UrlHasher
  /** The form in which the crawl knows a URL; left out: as it is. */
  readonly identity?: UrlIdentity
}

export function classifyResponse(
  lease: Pick<Lease, 'kind' | 'url'>,
  fetched: Exclude<Fetched, { outcome: 'stale' }>,
  { hash, identity = (url) => url }: ClassifyOptions,
): VisitResult {
  if (fetched.outcome !== 'response') return fetched
  const { status, headers } = fetched
  if (REDIRECTS.has(status))
    return classifyRedirect(lease.url, headers.location, { hash, identity })
  if (!isPage(status)) {
    return { outcome: 'failed', reason: `http-${status}`, transient: TRANSIENT.has(status) }
  }
  const types = lease.kind === 'sitemap' ? SITEMAP_TYPES : READABLE
  if (!types.test(headers.contentType)) {
    return { outcome: 'refused', reason: `type: ${headers.contentType.slice(0, 100)}` }
  }
  return { outcome: 'fetched', response: fetched }
}

function classifyRedirect(
  from: CanonicalUrl,
  location: string | null,
  { hash, identity }: Required<ClassifyOptions>,
): VisitResult {
  if (location === null) {
    return { outcome: 'failed', reason: 'redirect-target: none was given', transient: false }
  }
  const given = canonicalise(location, from)
  if (given === null) {
    const shown = location.slice(0, 100)
    return { outcome: 'failed', reason: `redirect-target: ${shown}`, transient: false }
  }
  const known = identity(given)
  // A site that insists on its session id, or whatever else we leave out of URLs, gets it this once.
  const to = known === from ? given : known
  return { outcome: 'redirected', to: { url: to, hash: hash(to), nofollow: false, signals: null } }
}

/** What the parser must know about an answer besides its body. */
export function handoverHead(
  lease: Pick<Lease, 'kind' | 'id' | 'token' | 'url' | 'depth' | 'revisit'>,
  response: Response,
): HandoverHead {
  const { status, headers, startedAt, tookMs, truncated } = response
  return {
    kind: lease.kind === 'sitemap' ? 'sitemap' : 'page',
    id: lease.id,
    token: lease.token,
    url: lease.url,
    depth: lease.depth,
    status,
    contentType: headers.contentType,
    contentEncoding: headers.contentEncoding,
    robotsTag: headers.robotsTag,
    etag: headers.etag,
    lastModified: headers.lastModified,
    fetchedAt: startedAt,
    fetchMs: tookMs,
    truncated: truncated || status === 206,
    ...(lease.revisit?.stored ? { again: { contentHash: lease.revisit.contentHash } } : {}),
  }
}

/** Some servers cut a page and send 206 unasked: the parser gets it flagged as truncated. */
function isPage(status: number): boolean {
  return status === 200 || status === 203 || status === 206
}

/** The result of asking for a stored page again, and where the page leads to now. */
type RevisitResult = {
  readonly came: NonNullable<Again['came']>
  readonly found: readonly Found[]
}

const NOT_MODIFIED = 304
/**
 * They say something about us or about the moment, nothing about the page: a wall that is put up before
 * a whole site must not empty the store.
 */
const NOT_ABOUT_THE_PAGE: readonly number[] = [401, 403, 407, 408, 425, 429]
/** A server may have sent anything as a validator; what is sent back must be a valid header. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1000}[\x21-\x7e])?$/

/** The headers that ask for a page only if it differs from the stored one. */
export function conditionsOf({ revisit }: Pick<Lease, 'revisit'>): Pick<FetchRequest, 'headers'> {
  if (revisit === undefined || !revisit.stored) return {}
  const { etag, lastModified } = revisit
  const headers: Record<string, string> = {}
  // An asterisk would match any page.
  if (SENDABLE.test(etag) && etag !== '*') headers['if-none-match'] = etag
  if (SENDABLE.test(lastModified)) headers['if-modified-since'] = lastModified
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** What an answer says for certain about a stored page; null: it must be parsed, or says nothing certain. */
export function revisitResult(
  url: CanonicalUrl,
  status: number,
  result: VisitResult,
): RevisitResult | null {
  if (status === NOT_MODIFIED) return { came: { to: 'unchanged' }, found: [] }
  switch (result.outcome) {
    case 'redirected': {
      const { to } = result
      // A redirect to itself wants something of its visitor, a cookie perhaps.
      if (to.url === url) return null
      return { came: { to: 'redirected', reason: to.url }, found: [to] }
    }
    case 'refused':
      return { came: { to: 'refused', reason: result.reason }, found: [] }
    case 'failed':
      if (status < 400 || status > 499 || NOT_ABOUT_THE_PAGE.includes(status)) return null
      return { came: { to: 'failed', reason: result.reason }, found: [] }
    case 'fetched':
      return null
  }
}

// One visit: from a lease for a page or a sitemap to what came of it. Decides by status and
// headers alone; the body is never looked at here.
import type { CrawlSettings } from '../core/job.ts'
import type { Found } from '../core/link.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { UrlIdentity } from '../core/url-identity.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { BodyRoom, RoomShare } from '../http/body-room.ts'
import type { Fetched, ResponseHeaders } from '../http/fetcher.ts'
import type { UrlHasher } from '../lib/url-hash.ts'
import type { HandoverHead } from '../wire/handover.ts'

/** What of a sitemap needs none of the room for long bodies. */
export const USUAL_SITEMAP_BYTES = 1024 * 1024
/** Sitemaps may be 50 MiB by their own standard; gzipped ones are far smaller. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024

type BodyLimits = Pick<CrawlSettings, 'maxBodyBytes' | 'maxLinksBytes'>

export type Visit =
  /** The body goes to the parser. */
  | { readonly outcome: 'fetched'; readonly response: Extract<Fetched, { outcome: 'response' }> }
  | { readonly outcome: 'redirected'; readonly to: Found }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly transient: boolean }

/** Statuses that may be different next time. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Types the parser reads; what declares none is sniffed there. */
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

export type JudgeOptions = {
  readonly hash: UrlHasher
  /** How the crawl knows URLs; left out: as they are. */
  readonly identity?: UrlIdentity
}

/** What it may have of the memory for long bodies. */
export function shareOf(
  kind: Lease['kind'],
  { maxBodyBytes }: BodyLimits,
  room: BodyRoom,
): RoomShare {
  // Of a page the rest is for its links; a sitemap has nothing else.
  if (kind === 'sitemap') return { sure: USUAL_SITEMAP_BYTES, isEnough: false, room }
  return { sure: maxBodyBytes, isEnough: true, room }
}

export function judgeVisit(
  lease: Pick<Lease, 'kind' | 'url'>,
  fetched: Exclude<Fetched, { outcome: 'stale' }>,
  { hash, identity = (url) => url }: JudgeOptions,
): Visit {
  if (fetched.outcome !== 'response') return fetched
  const { status, headers } = fetched
  if (REDIRECTS.has(status)) return judgeRedirect(lease.url, headers.location, { hash, identity })
  if (!isPage(status)) {
    return { outcome: 'failed', reason: `http-${status}`, transient: TRANSIENT.has(status) }
  }
  const types = lease.kind === 'sitemap' ? SITEMAP_TYPES : READABLE
  if (!types.test(headers.contentType)) {
    return { outcome: 'refused', reason: `type: ${headers.contentType.slice(0, 100)}` }
  }
  return { outcome: 'fetched', response: fetched }
}

function judgeRedirect(
  from: CanonicalUrl,
  location: string | null,
  { hash, identity }: Required<JudgeOptions>,
): Visit {
  if (location === null) {
    return { outcome: 'failed', reason: 'redirect-target: none was given', transient: false }
  }
  const given = canonicalise(location, from)
  if (given === null) {
    const shown = location.slice(0, 100)
    return { outcome: 'failed', reason: `redirect-target: ${shown}`, transient: false }
  }
  const known = identity(given)
  // A site that wants its session, or whatever else we leave out, gets it: this once.
  const to = known === from ? given : known
  return { outcome: 'redirected', to: { url: to, hash: hash(to), nofollow: false, signals: null } }
}

/** What the parser must know of an answer beside its body. */
export function handoverHead(
  lease: Pick<Lease, 'kind' | 'id' | 'token' | 'url' | 'depth' | 'revisit'>,
  response: Extract<Fetched, { outcome: 'response' }>,
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

/** 206 comes unasked from servers that cut: the parser gets it flagged as truncated. */
function isPage(status: number): boolean {
  return status === 200 || status === 203 || status === 206
}

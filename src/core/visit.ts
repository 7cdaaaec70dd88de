// States and reasons of URLs. Every URL ever seen is in exactly one state. All states but the first two have
// a `reason`: a code, then a colon, a space and a detail for people.
import type { CanonicalUrl } from './url.ts'

export const URL_STATES = [
  'queued',
  'leased',
  'stored',
  'duplicate',
  'redirected',
  'refused',
  'failed',
] as const
export type UrlState = (typeof URL_STATES)[number]

/** A rule forbids to fetch or to store it. */
export const REFUSALS = [
  'robots',
  'robots-unreachable',
  /** Its robots.txt asks for a longer delay than `--max-crawl-delay`. */
  'crawl-delay',
  'host-unreachable',
  'scope',
  'filter',
  'depth',
  'nofollow',
  'type',
  'length',
  'trap',
  /** A budget is used up: of the crawl, the host or its registrable domain. */
  'budget-requests',
  'budget-host-requests',
  'budget-host-bytes',
  'budget-host-cpu',
  'budget-host-barren',
  'budget-domain-requests',
  'budget-domain-bytes',
  'budget-domain-cpu',
  'budget-domain-barren',
  /** The host sent so many "forbidden" responses that it was given up; a later run tries again. */
  'forbidden-host',
  /** The link triggers an action: log out, delete, add to a cart. */
  'action-link',
  'private-address',
  'port',
  'buffer',
  /** The page is off topic, in another language, or too short. */
  'off-topic',
  'language',
  'too-short',
  /** It was stored, and dropped for a more important page. */
  'not-among-best',
  /** Only off-topic pages link to it, and the ordering does not follow those. */
  'focus',
  /** A plug-in drops the page. */
  'plugin',
  /** A plug-in refuses all links to it. */
  'plugin-link',
] as const
export type Refusal = (typeof REFUSALS)[number]

/** Refusals that follow from the user's own limits, not from the web or from politeness. */
export const OUTSIDE: readonly string[] = ['scope', 'filter', 'depth'] satisfies Refusal[]

export function isOutside(reason: string): boolean {
  return OUTSIDE.includes(reasonCode(reason))
}

/** Refusals of pages that were fetched and read. */
export const LEAVES_OUT: readonly Refusal[] = ['off-topic', 'language', 'too-short', 'plugin']

/** The fetch failed. `http` is followed by the status: `http-404`. */
export const FAILURES = [
  'http',
  'dns',
  'connect',
  'tls',
  'protocol',
  'timeout-connect',
  'timeout-headers',
  'timeout-idle',
  'timeout-total',
  'decode',
  'redirect-loop',
  'redirect-limit',
  'redirect-target',
  'parser-crash',
  'parse-timeout',
  'parse-memory',
  /** A hook of a plug-in failed on it. */
  'plugin-error',
] as const
export type Failure = (typeof FAILURES)[number]

/** The new state of a URL whose stored page is gone. */
export type PageLoss = {
  readonly to: 'failed' | 'refused' | 'redirected'
  /** If redirected: the target. */
  readonly reason: string
}

/** The size of a sitemap. */
export type SitemapSize = {
  /** After decompression. */
  readonly bytes: number
  /** The number of URLs in it. */
  readonly entries: number
}

/** The new role of a page that was a duplicate of another. */
export type RoleChange = {
  readonly url: CanonicalUrl
  /** The URL of the page it repeats; null if it is now a page of its own. */
  readonly of: CanonicalUrl | null
  /** Its page was dropped for a better one. */
  readonly isDropped?: true
}

/** The reason of a URL whose page was dropped for a better one. */
export const NOT_AMONG_BEST: Refusal = 'not-among-best'

/** The reason of a stored page whose recrawl gave no usable response; the page stays. */
export const NOT_REFRESHED = 'not-refreshed'

/** The machine-readable part of a reason: `trap` of `trap: /calendar?d has used its 200 pages`. */
export function reasonCode(reason: string): string {
  const colon = reason.indexOf(':')
  return colon < 0 ? reason : reason.slice(0, colon)
}

/** One URL as users and programs see it. A row of `urls`. */
export type UrlRecord = {
  readonly crawlId: number
  readonly url: CanonicalUrl
  readonly host: string
  readonly state: UrlState
  /** '' if there is none. */
  readonly reason: string
  readonly depth: number
  /** The page, sitemap or redirect that led to it first; null for seeds. */
  readonly foundOn: string | null
  readonly priority: number
  readonly tries: number
  /** Epoch ms of the next try; null if none is planned. */
  readonly nextAt: number | null
}

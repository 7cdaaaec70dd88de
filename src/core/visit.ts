// What can become of a URL. Every URL ever seen is in exactly one state, and every state but the
// first two says why in `reason`: a code, and after a colon and a space whatever helps a person.
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

/** We will not fetch it, or not keep it: a rule said no. */
export const REFUSALS = [
  'robots',
  'robots-unreachable',
  /** Its robots.txt asks for a longer gap than this crawl keeps. */
  'crawl-delay',
  'host-unreachable',
  'scope',
  'filter',
  'depth',
  'nofollow',
  'type',
  'length',
  'trap',
  /** A budget is used up: of the crawl, of the host, of its registrable domain. */
  'budget-requests',
  'budget-host-requests',
  'budget-host-bytes',
  'budget-host-cpu',
  'budget-host-barren',
  'budget-domain-requests',
  'budget-domain-bytes',
  'budget-domain-cpu',
  'budget-domain-barren',
  /** The host said no so often that it means all of it; a later run tries again. */
  'forbidden-host',
  /** It would do something rather than show something: log out, delete, put into a cart. */
  'action-link',
  'private-address',
  'port',
  'buffer',
  /** Its page is not about what the crawl is about, is in another language, or has too few words. */
  'off-topic',
  'language',
  'too-short',
  /** Only pages off topic link to it, and the ordering follows none of those. */
  'focus',
] as const
export type Refusal = (typeof REFUSALS)[number]

/** Left out by what the user asked for: neither the web nor a rule of manners forbade it. */
export const OUTSIDE: readonly string[] = ['scope', 'filter', 'depth'] satisfies Refusal[]

export function isOutside(reason: string): boolean {
  return OUTSIDE.includes(reasonCode(reason))
}

/** Why a page that was read as one is not kept. */
export const LEAVES_OUT: readonly Refusal[] = ['off-topic', 'language', 'too-short']

/** We tried and it did not work. `http` is followed by the status: `http-404`. */
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
] as const
export type Failure = (typeof FAILURES)[number]

/** A page that was stored is gone: what its URL came to. */
export type Gone = {
  readonly to: 'failed' | 'refused' | 'redirected'
  /** Of redirected: the URL it led to. */
  readonly reason: string
}

/** What was read of a sitemap. */
export type SitemapSize = {
  /** Decoded. */
  readonly bytes: number
  /** URLs it lists. */
  readonly entries: number
}

/** What a page is now that had been a duplicate of another. */
export type Standing = {
  readonly url: CanonicalUrl
  /** The URL of the page it repeats; null: it is a page of its own. */
  readonly of: CanonicalUrl | null
}

/** Of a stored page that was asked for again and gave no answer to go by: it is as it was. */
export const NOT_REFRESHED = 'not-refreshed'

/** The machine-readable part of a reason: `trap` of `trap: /calendar?d has used its 200 pages`. */
export function reasonCode(reason: string): string {
  const colon = reason.indexOf(':')
  return colon < 0 ? reason : reason.slice(0, colon)
}

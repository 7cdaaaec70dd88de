// What a frontier on a server knows, kept once more in the store: for people who read `urls` and `hosts`
// with SQL, and to make the frontier anew when its server lost it.
//
// The copy comes a moment after the frontier. It is brought up to date in the frontier's own order, so
// that it is always some earlier state of the frontier, but for URLs that changed since: a URL that is
// `stored` here has its links here.
//
// Left out: robots.txt and sitemaps, which are asked for anew, and who holds a lease.
import type { HostState, UrlCounts } from '../core/host.ts'
import type { Via } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { UrlState } from '../core/visit.ts'

/** A URL with all that its frontier keeps of it. */
export type UrlCopy = {
  /** Its id in the frontier; they grow in order of discovery. */
  readonly position: number
  readonly url: CanonicalUrl
  readonly state: UrlState
  /** Refused only because it was out of reach: a later run tries it again. */
  readonly outOfReach: boolean
  readonly reason: string
  readonly depth: number
  readonly hops: number
  /** The page that named it first, by its position; of a sitemap or from outside: null. */
  readonly foundOn: number | null
  /** The sitemap that named it first. */
  readonly foundIn: string | null
  readonly via: Via
  readonly foundAt: number
  readonly inLinks: number
  readonly signals: readonly number[] | null
  readonly priority: number
  readonly tries: number
  readonly nextAt: number | null
}

/** A host as it was when this was written; `ownDelayMs`: the gap that it asked for or needs itself. */
export type HostCopy = HostState & { readonly ownDelayMs: number }

/** Things of a frontier as a whole, by name: what its ordering has learned, what it was judged by. */
export type FrontierNote = { readonly name: string; readonly bytes: Uint8Array }

export type StatesBatch = {
  readonly urls: readonly UrlCopy[]
  readonly hosts: readonly HostCopy[]
  readonly notes: readonly FrontierNote[]
}

/** Goes with the crawl itself. */
export interface UrlStates {
  /** Writes what is in the batch over what was there, all in one step. May be repeated. */
  save(crawlId: number, batch: StatesBatch): Promise<void>
  /** In order of position; `after` is the last one seen, 0 to begin. */
  list(crawlId: number, after: number, limit: number): Promise<readonly UrlCopy[]>
  /** By name; `after` is the last one seen, '' to begin. */
  hosts(crawlId: number, after: string, limit: number): Promise<readonly HostCopy[]>
  notes(crawlId: number): Promise<readonly FrontierNote[]>
  /** How many URLs of each state there are in the copy. Looks at every one. */
  counts(crawlId: number): Promise<UrlCounts>
}

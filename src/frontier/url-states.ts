// The frontier as readers see it: every URL's state, from any process, also while a crawl runs.
import type { HostState, UrlCounts } from '../core/host.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { UrlRecord } from '../core/url-record.ts'
import type { Refusal, UrlState } from '../core/visit.ts'
import type { Candidate } from '../ordering/ordering.ts'
import type { RobotsRecord } from './frontier.ts'

/** What a crawl's ordering has learned: for its `load`. */
export type LearnedState = { readonly name: string; readonly bytes: Uint8Array }

/** URLs of one host that were given up as out of reach. */
export type Unreached = { readonly host: string; readonly urls: number }

/** URLs that came to the same end for the same reason. */
export type Outcome = {
  readonly state: UrlState
  /** The code of their reason; '' where a state needs none, or its reason is a URL. */
  readonly code: string
  readonly count: number
  /** The first of them. */
  readonly example: { readonly url: CanonicalUrl; readonly reason: string }
}

export interface UrlStates extends AsyncDisposable {
  find(url: CanonicalUrl): Promise<UrlRecord | null>
  /** In order of discovery; `after` is the last `position` seen, 0 to begin. */
  list(options: {
    readonly after: number
    readonly limit: number
    readonly state?: UrlState
    /** Only those whose reason has this code. */
    readonly code?: string
  }): Promise<readonly (UrlRecord & { readonly position: number })[]>
  counts(): Promise<UrlCounts>
  /** How many URLs are refused for one of these reasons. Looks at every URL. */
  countRefused(codes: readonly Refusal[]): Promise<number>
  /** How many URLs came to what end, the most first. Looks at every URL. */
  outcomes(): Promise<readonly Outcome[]>
  /**
   * What was given up as out of reach, or as forbidden, at hosts that had answered before, or that are one
   * of these: the hosts of the seeds.
   */
  unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]>
  /** Stored pages that a round has still to visit; null when it was not begun here. */
  pagesToRevisit(round: number): Promise<number | null>
  hosts(limit: number): Promise<readonly HostState[]>
  /** One host by its name; null when the crawl never queued a URL of it. */
  host(name: string): Promise<HostState | null>
  /** What is known of an origin's robots.txt; null when nothing is. */
  robots(origin: string): Promise<RobotsRecord | null>
  /** How many URLs of its host would be fetched before this queued one. */
  ahead(url: CanonicalUrl): Promise<number>
  /** A URL with the facts its ordering weighs, as they were last written; null when it is unknown. */
  candidate(url: CanonicalUrl): Promise<Candidate | null>
  /** What the ordering has learned, as it was last written; null when nothing is kept. */
  learned(): Promise<LearnedState | null>
}

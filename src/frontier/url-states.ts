// The read side of the frontier: every URL's state, from any process, also while a crawl runs.
import type { HostState, UrlCounts } from '../core/host.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Refusal, UrlRecord, UrlState } from '../core/visit.ts'
import type { Candidate } from '../ordering/ordering.ts'
import type { RobotsRecord } from './frontier.ts'

/** The saved state of a crawl's ordering, for its `load`. */
export type LearnedState = {
  readonly name: string
  readonly bytes: Uint8Array
  /** The partition it was learned from; undefined if the frontier is not divided. */
  readonly part?: number
}

/** URLs of one host that were given up as unreachable. */
export type Unreached = { readonly host: string; readonly urls: number }

/** URLs with the same state and the same reason code. */
export type Outcome = {
  readonly state: UrlState
  /** The code of the reason; '' if the state needs none, or if its reason is a URL. */
  readonly code: string
  readonly count: number
  /** The first of them. */
  readonly example: { readonly url: CanonicalUrl; readonly reason: string }
}

/** How many URLs were refused for one of these reasons. */
export function countRefused(outcomes: readonly Outcome[], codes: readonly Refusal[]): number {
  const wanted = new Set<string>(codes)
  return outcomes
    .filter(({ state, code }) => state === 'refused' && wanted.has(code))
    .reduce((sum, { count }) => sum + count, 0)
}

export type ListedUrl = UrlRecord & { readonly position: number }

export interface UrlStates extends AsyncDisposable {
  find(url: CanonicalUrl): Promise<UrlRecord | null>
  /** In order of discovery. `after` is the last `position` seen, 0 to begin. */
  list(options: {
    readonly after: number
    readonly limit: number
    readonly state?: UrlState
    /** Only URLs whose reason has this code. */
    readonly code?: string
  }): Promise<readonly ListedUrl[]>
  counts(): Promise<UrlCounts>
  /** The number of URLs per outcome, the largest first. Reads every URL. */
  outcomes(): Promise<readonly Outcome[]>
  /**
   * URLs that were given up as unreachable or forbidden, at hosts that had answered before or that belong to
   * a seed (`seedHosts`).
   */
  unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]>
  /** Stored pages that a recrawl has still to visit; null if it was not begun here. */
  pagesToRevisit(round: number): Promise<number | null>
  hosts(limit: number): Promise<readonly HostState[]>
  /** One host by its name; null if the crawl never queued a URL of it. */
  host(name: string): Promise<HostState | null>
  /** The known state of an origin's robots.txt; null if there is none. */
  robots(origin: string): Promise<RobotsRecord | null>
  /** The number of URLs of its host that would be fetched before this queued one. */
  ahead(url: CanonicalUrl): Promise<number>
  /** A URL with the facts that its ordering weighs, as last written; null if it is unknown. */
  candidate(url: CanonicalUrl): Promise<Candidate | null>
  /** The saved state of the ordering, as last written: of each partition that has one. */
  learned(): Promise<readonly LearnedState[]>
}

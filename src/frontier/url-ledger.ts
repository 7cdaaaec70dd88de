// The frontier as readers see it: every URL's state, from any process, also while a crawl runs.
import type { HostState, UrlCounts } from '../core/host.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { UrlRecord } from '../core/url-record.ts'
import type { Refusal, UrlState } from '../core/visit.ts'
import type { Candidate } from '../ordering/ordering.ts'

/** What a crawl's ordering has learned: for its `load`. */
export type LearnedState = { readonly name: string; readonly bytes: Uint8Array }

export interface UrlLedger extends AsyncDisposable {
  find(url: CanonicalUrl): Promise<UrlRecord | null>
  /** In order of discovery; `after` is the last `position` seen, 0 to begin. */
  list(options: {
    readonly after: number
    readonly limit: number
    readonly state?: UrlState
  }): Promise<readonly (UrlRecord & { readonly position: number })[]>
  counts(): Promise<UrlCounts>
  /** How many URLs are refused for one of these reasons. Looks at every URL. */
  countRefused(codes: readonly Refusal[]): Promise<number>
  hosts(limit: number): Promise<readonly HostState[]>
  /** How many URLs of its host would be fetched before this queued one. */
  ahead(url: CanonicalUrl): Promise<number>
  /** A URL with the facts its ordering weighs, as they were last written; null when it is unknown. */
  candidate(url: CanonicalUrl): Promise<Candidate | null>
  /** What the ordering has learned, as it was last written; null when nothing is kept. */
  learned(): Promise<LearnedState | null>
}

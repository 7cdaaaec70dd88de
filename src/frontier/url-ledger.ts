// The frontier as readers see it: every URL's state, from any process, also while a crawl runs.
import type { HostState, UrlCounts } from '../core/host.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { UrlState } from '../core/visit.ts'

/** A row of `urls`. */
export type UrlRecord = {
  readonly crawlId: number
  readonly url: CanonicalUrl
  readonly host: string
  readonly state: UrlState
  /** '' while there is nothing to say. */
  readonly reason: string
  readonly depth: number
  /** The page, sitemap or redirect that named it first; null for seeds. */
  readonly foundOn: string | null
  readonly priority: number
  readonly tries: number
  /** Epoch ms of the next try; null when none is planned. */
  readonly nextAt: number | null
}

export interface UrlLedger extends AsyncDisposable {
  find(url: CanonicalUrl): Promise<UrlRecord | null>
  /** In order of discovery; `after` is the last `position` seen, 0 to begin. */
  list(options: {
    readonly after: number
    readonly limit: number
    readonly state?: UrlState
  }): Promise<readonly (UrlRecord & { readonly position: number })[]>
  counts(): Promise<UrlCounts>
  hosts(limit: number): Promise<readonly HostState[]>
  /** How many URLs of its host would be fetched before this queued one. */
  ahead(url: CanonicalUrl): Promise<number>
}

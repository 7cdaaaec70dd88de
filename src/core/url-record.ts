// What is known of one URL, as people and programs read it.
import type { CanonicalUrl } from './url.ts'
import type { UrlState } from './visit.ts'

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

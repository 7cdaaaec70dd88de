// One URL as users and programs see it.
import type { CanonicalUrl } from './url.ts'
import type { UrlState } from './visit.ts'

/** A row of `urls`. */
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

// A directed edge of the web: page → URL.
import type { CanonicalUrl } from './url.ts'

/** How a URL was discovered. */
export const VIAS = ['seed', 'link', 'redirect', 'sitemap'] as const
export type Via = (typeof VIAS)[number]

/** One link as a page shows it; stored in `page_links`. */
export type Link = {
  readonly url: CanonicalUrl
  readonly anchor: string
  /** The link's rel tokens, in lower case, separated by spaces; '' if there are none. */
  readonly rel: string
}

/** A 64-bit hash of a URL as two unsigned 32-bit lanes: the key of the seen-set. */
export type UrlHash = { readonly hi: number; readonly lo: number }

/** A URL on its way into the frontier. */
export type Found = {
  readonly url: CanonicalUrl
  /** Computed by the parser, so that the frontier need not hash known URLs. */
  readonly hash: UrlHash
  /** True if the page asked not to follow it (rel=nofollow, meta robots, X-Robots-Tag). */
  readonly nofollow: boolean
  /** The signals that the ordering's judge noted about this link; null if none. */
  readonly signals: readonly number[] | null
  /** A meta refresh; it counts as a redirect. */
  readonly refresh?: boolean
  /** A plug-in refuses it, or gave no answer about it; `nofollow` is then true as well. */
  readonly barred?: Barred
}

export type Barred = 'refused' | 'unanswered'

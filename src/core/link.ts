// A directed edge of the web: page → URL.
import type { CanonicalUrl } from './url.ts'

/** How a URL came to our notice. */
export const VIAS = ['seed', 'link', 'redirect', 'sitemap'] as const
export type Via = (typeof VIAS)[number]

/** One link as a page shows it; stored in `page_links`. */
export type Link = {
  readonly url: CanonicalUrl
  readonly anchor: string
  /** The link's rel tokens, lower case, space-separated; '' when it has none. */
  readonly rel: string
}

/** A 64-bit hash of a URL as two unsigned 32-bit lanes: the key of the seen-set. */
export type UrlHash = { readonly hi: number; readonly lo: number }

/** A URL on its way into the frontier. */
export type Found = {
  readonly url: CanonicalUrl
  /** Made where the link was read, so that the frontier need not hash what it has seen. */
  readonly hash: UrlHash
  /** True when the page asked not to follow it (rel=nofollow, meta robots, X-Robots-Tag). */
  readonly nofollow: boolean
  /** What the ordering's parser side noted about this link; null when it notes nothing. */
  readonly signals: readonly number[] | null
  /** A meta refresh: it counts as a redirect where those are counted. */
  readonly refresh?: boolean
}

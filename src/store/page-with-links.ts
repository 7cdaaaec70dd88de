// A stored page and where it leads, for a frontier that does not know of it.
import type { CanonicalUrl } from '../core/url.ts'

export type PageWithLinks = {
  readonly pageId: number
  readonly url: CanonicalUrl
  readonly depth: number
  /** The URL of the page that it repeats; null for a page of its own. */
  readonly duplicateOf: CanonicalUrl | null
  /** Where it leads; null if that is not kept, or not whether it may be followed. */
  readonly links: readonly { readonly url: CanonicalUrl; readonly nofollow: boolean }[] | null
}

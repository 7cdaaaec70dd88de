// What a sitemap or feed says, once read.
import type { CanonicalUrl } from '../../core/url.ts'

export type SitemapUrl = {
  readonly url: CanonicalUrl
  /** Epoch ms; absent when the sitemap does not say, or says nonsense. */
  readonly lastModified?: number
}

export type Sitemap = {
  /** `none`: neither of these, such as an HTML page in its place. */
  readonly kind: 'urls' | 'index' | 'feed' | 'text' | 'none'
  readonly urls: readonly SitemapUrl[]
  readonly sitemaps: readonly CanonicalUrl[]
  /** There was more than is here: a limit was met, or the file was cut short. */
  readonly truncated: boolean
}

// What became of one body in a parser thread.
import type { NewPage } from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'

export type Parsed =
  | {
      readonly outcome: 'page'
      readonly page: NewPage
      /** The links, as wire/found-block.ts has them. */
      readonly foundBlock: Uint8Array
      /** See Settlement.likeness in frontier/frontier.ts. */
      readonly likeness: number
      /** The main content; only where the parser was asked for it. */
      readonly markdown?: string
    }
  | { readonly outcome: 'refused'; readonly reason: string; readonly foundBlock: Uint8Array }
  | { readonly outcome: 'failed'; readonly reason: string }
  | {
      readonly outcome: 'sitemap'
      readonly foundBlock: Uint8Array
      readonly sitemaps: readonly CanonicalUrl[]
    }
  /** Its thread died on another page before it began with this one. */
  | { readonly outcome: 'lost' }

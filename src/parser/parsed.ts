// What became of one body in a parser thread.
import type { NewPage } from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'

/** `tookMs`: what a body cost its thread; left out where its thread did not live to tell. */
export type Parsed = { readonly tookMs?: number } & Outcome

type Outcome =
  | {
      readonly outcome: 'page'
      readonly page: NewPage
      /** The links, as wire/found-block.ts has them. */
      readonly foundBlock: Uint8Array
      /** See Settlement.likeness in frontier/frontier.ts. */
      readonly likeness: number
      /** What the ordering noted about the page; null when it looks at none. */
      readonly judged: readonly number[] | null
      /** The main content; only where the parser was asked for it. */
      readonly markdown?: string
    }
  | {
      readonly outcome: 'refused'
      readonly reason: string
      readonly foundBlock: Uint8Array
      /** 0 for what was not read as a page. */
      readonly likeness: number
      readonly judged: readonly number[] | null
      /** Null when no topic judged it. */
      readonly relevance: number | null
    }
  | { readonly outcome: 'failed'; readonly reason: string }
  | {
      readonly outcome: 'sitemap'
      /** The last of its entries; those before it came as parts. */
      readonly foundBlock: Uint8Array
      readonly sitemaps: readonly CanonicalUrl[]
      /** Decoded bytes that were read of it, and all its entries. */
      readonly bytes: number
      readonly entries: number
    }
  /** Of a page that is stored: the same bytes as then. */
  | { readonly outcome: 'same' }
  /** Its thread died on another page before it began with this one. */
  | { readonly outcome: 'lost' }

/** Some entries of a sitemap: more follow. */
export type SitemapPart = { readonly outcome: 'part'; readonly foundBlock: Uint8Array }

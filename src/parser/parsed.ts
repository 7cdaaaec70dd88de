// The result of parsing one body in a thread.
import type { NewPage } from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'

/** `tookMs`: CPU time of the body; absent when its thread died. */
export type Parsed = { readonly tookMs?: number } & Outcome

type Outcome =
  | {
      readonly outcome: 'page'
      readonly page: NewPage
      /** The links, encoded as in wire/found-block.ts. */
      readonly foundBlock: Uint8Array
      /** See Settlement.likeness in frontier/frontier.ts. */
      readonly likeness: number
      /** Signals of the page for the ordering; null when the ordering reads no pages. */
      readonly judged: readonly number[] | null
      /** The main content, if it was asked for. */
      readonly markdown?: string
    }
  | {
      readonly outcome: 'refused'
      readonly reason: string
      readonly foundBlock: Uint8Array
      /** 0 for a body that was not parsed as a page. */
      readonly likeness: number
      readonly judged: readonly number[] | null
      /** Null when no topic judged it. */
      readonly relevance: number | null
    }
  | { readonly outcome: 'failed'; readonly reason: string }
  | {
      readonly outcome: 'sitemap'
      /** The last entries; earlier ones came as parts. */
      readonly foundBlock: Uint8Array
      readonly sitemaps: readonly CanonicalUrl[]
      /** Decoded bytes read, and the number of all entries. */
      readonly bytes: number
      readonly entries: number
    }
  /** The body equals the stored page. */
  | { readonly outcome: 'same' }
  /** The thread died on another page before it started this one. */
  | { readonly outcome: 'lost' }

/** Some entries of a sitemap; more follow. */
export type SitemapPart = { readonly outcome: 'part'; readonly foundBlock: Uint8Array }

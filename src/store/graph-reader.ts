// Reads the link graph of a crawl, page by page, for PageRank, exports and replays. A duplicate is folded onto
// its original: it is no page here, links to it count as links to the original, and so do its own links.
import type { CanonicalUrl } from '../core/url.ts'

export type GraphPage = {
  readonly id: number
  readonly url: CanonicalUrl
  /** 0 to 1; null if no topic judged it. */
  readonly relevance: number | null
}

/** The links of one stored page. */
export type GraphEdges = {
  readonly from: number
  /** Ids of stored pages, each once and never `from`, in the order of the page. */
  readonly to: readonly number[]
  /** Targets that are not stored, each once; empty unless requested. */
  readonly outside: readonly CanonicalUrl[]
}

/** A stored page with the URLs it links to; duplicates are not folded. */
export type LinkedPage = GraphPage & {
  /** The id of its original; null if it is no duplicate. */
  readonly duplicateOf: number | null
  /** In the order of the page, with repeats; without links that the page does not vouch for. */
  readonly links: UrlStretches
}

/** URLs as ranges of longer texts: creating millions of substrings takes longer than looking them up. */
type UrlStretches = {
  /** Each is `text` from `from` to `end`, exclusive. */
  each(visit: (text: string, from: number, end: number) => void): void
}

export type Redirect = { readonly from: CanonicalUrl; readonly to: CanonicalUrl }

/** The stored page of a URL: its own, the original of that, or the one that it redirected to. */
export interface PageNames {
  /** The id of the page; undefined if there is none. The URL may be a range of a longer text. */
  find(text: string, from?: number, end?: number): number | undefined
}

export type EdgeOptions = {
  /** The result of `names`, so that pages need not be read again; `redirects` are not read then. */
  readonly names?: PageNames
  /** Redirects of URLs that are no pages: a link to such a URL counts as a link to its target. */
  readonly redirects?: AsyncIterable<Redirect>
  /** Also return targets that are not stored. */
  readonly outside?: boolean
}

/** Used from any process, also while a crawl runs; pages that are stored meanwhile may be missing. */
export interface GraphReader extends AsyncDisposable {
  /** The stored pages of a crawl by id, without duplicates. */
  pages(crawlId: number): AsyncIterable<GraphPage>
  /**
   * All stored pages of a crawl after an id, with their links, for a graph that grows with the crawl
   * (`graph/growing-graph.ts`) or is read in one pass.
   */
  linkedPages(crawlId: number, after?: number): AsyncIterable<LinkedPage>
  /** The same for these pages; missing pages and pages of other crawls are skipped. */
  linkedPagesOf(crawlId: number, ids: readonly number[]): AsyncIterable<LinkedPage>
  /** The URLs of a crawl's pages as they are now. */
  names(crawlId: number, redirects?: AsyncIterable<Redirect>): Promise<PageNames>
  /**
   * The links of each page that has links, by id. Links that the page does not vouch for (rel of nofollow, ugc or
   * sponsored) are skipped. `from` is repeated for each duplicate of it.
   */
  edges(crawlId: number, options?: EdgeOptions): AsyncIterable<GraphEdges>
}

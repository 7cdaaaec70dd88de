// The link graph of a crawl as readers see it, page by page: what PageRank, exports and replays of a
// crawl are made from. A page that repeats another is folded onto it: it is no page here, links to
// it are links to the one it repeats, and its own links are that one's, too.
import type { CanonicalUrl } from '../core/url.ts'

export type GraphPage = {
  readonly id: number
  readonly url: CanonicalUrl
  /** 0 to 1; null where no topic judged it. */
  readonly relevance: number | null
}

/** What one stored page links to. */
export type GraphEdges = {
  readonly from: number
  /** Ids of stored pages, each once and never `from`, in the order of the page. */
  readonly to: readonly number[]
  /** Targets that are no stored page, each once; empty unless asked for. */
  readonly outside: readonly CanonicalUrl[]
}

/** One stored page with the URLs it links to, not folded onto any other. */
export type LinkedPage = GraphPage & {
  /** The page it repeats; null: none. */
  readonly duplicateOf: number | null
  /** Without links that the page does not vouch for; in its order, as often as it has them. */
  readonly links: UrlStretches
}

/** URLs as they stand in longer texts: cutting out millions of them takes longer than looking them up. */
type UrlStretches = {
  /** Each is `text` from `from` up to, not including, `end`. */
  each(visit: (text: string, from: number, end: number) => void): void
}

export type Redirect = { readonly from: CanonicalUrl; readonly to: CanonicalUrl }

/** Which stored page a URL stands for: itself, the one it repeats, or the one it led to. */
export interface PageNames {
  /** The page's id; undefined when it is none. The URL may be a stretch of a longer text. */
  find(text: string, from?: number, end?: number): number | undefined
}

export type EdgeOptions = {
  /** As `names` gave them, which spares looking at all pages again; then `redirects` are not read. */
  readonly names?: PageNames
  /** Where URLs led that are no pages themselves: a link to one is a link to where it led. */
  readonly redirects?: AsyncIterable<Redirect>
  /** Also name the targets that are not stored. */
  readonly outside?: boolean
}

/** From any process, also while a crawl runs; then pages stored meanwhile may be in it or not. */
export interface GraphReader extends AsyncDisposable {
  /** The stored pages of a crawl by id, without those that repeat another. */
  pages(crawlId: number): AsyncIterable<GraphPage>
  /**
   * All stored pages of a crawl by id, with their links; `after` an id. For who keeps a graph that
   * grows (`graph/growing-graph.ts`), or wants it all in one go.
   */
  linkedPages(crawlId: number, after?: number): AsyncIterable<LinkedPage>
  /** The same of these pages; those that are not there, or not of this crawl, are left out. */
  linkedPagesOf(crawlId: number, ids: readonly number[]): AsyncIterable<LinkedPage>
  /** The names of a crawl's pages, as of now. */
  names(crawlId: number, redirects?: AsyncIterable<Redirect>): Promise<PageNames>
  /**
   * The links of every page that has any, by id. Links that their page does not vouch for (rel of
   * nofollow, ugc or sponsored) are none. `from` comes again for every page that repeats it.
   */
  edges(crawlId: number, options?: EdgeOptions): AsyncIterable<GraphEdges>
}

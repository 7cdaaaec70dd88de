// Reads stored pages, from any process, also while crawls write: one by one, as rows of a table, by id for an
// index, and whole for an export.
//
// It stays fast with a hundred thousand pages because no more of a row is read than is shown, a table scrolls
// over ids alone, and large rows are read in batches of bounded size.
import type { Link } from '../core/link.ts'
import type {
  PageHistory,
  PageKind,
  PageLink,
  PageParts,
  SearchedPage,
  StoredPage,
  StoredPart,
} from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { KeptCluster, PageCluster } from './cluster-store.ts'

export type PageTotals = {
  readonly stored: number
  readonly duplicates: number
  /** Decoded bytes of all stored pages. */
  readonly bytes: number
  /** Pages and duplicates that a topic judged: those with a relevance. */
  readonly judged: number
  /** Stored pages that are hot; duplicates are not. */
  readonly hot: number
  /** Stored pages per host, duplicates not counted, most first. */
  readonly hosts: ReadonlyMap<string, number>
}

/** The columns of a page that fit into a row of a table. */
export type PageSummary = Pick<
  StoredPage,
  | 'id'
  | 'url'
  | 'title'
  | 'statusCode'
  | 'contentType'
  | 'kind'
  | 'language'
  | 'depth'
  | 'sizeBytes'
  | 'hot'
  | 'relevance'
  | 'noindex'
  | 'truncated'
  | 'duplicateOf'
  | 'fetchedAt'
>

/** A page must meet all conditions. */
export type PageFilter = {
  /** Part of the URL or the title, in any case; only its first 200 characters count. */
  readonly text?: string
  readonly host?: string
  readonly kind?: string
  readonly language?: string
  readonly hot?: boolean
  /** Pages that no topic judged never match. */
  readonly minRelevance?: number
  /** Include duplicates. */
  readonly duplicates?: boolean
}

export const MAX_FILTER_TEXT = 200

export const PAGE_SORTS = ['id', 'url', 'title', 'depth', 'relevance', 'size_bytes'] as const
export type PageSort = (typeof PAGE_SORTS)[number]

/** A page and the URLs that it links to. */
export type PageWithLinks = Pick<
  StoredPage,
  'id' | 'url' | 'statusCode' | 'title' | 'fetchedAt'
> & {
  /** In the order of the page; empty if its crawl keeps no links. */
  readonly links: readonly CanonicalUrl[]
}

export type HostPages = { readonly host: string; readonly stored: number; readonly hot: number }

export type FeedPage = SearchedPage & Pick<StoredPage, 'noindex' | 'duplicateOf'>

export type FeedCrawl = {
  readonly id: number
  /**
   * Changes when the set of hot pages may have changed, which the end of a crawl decides; null while the crawl
   * runs.
   */
  readonly hotMark: string | null
}

export type PageLinks = { readonly pageId: number; readonly links: readonly Link[] }

export type SomePages = {
  readonly pages: readonly FeedPage[]
  /** How many of the ids were looked up. */
  readonly read: number
}

export type WholePage = StoredPage & {
  /** The requested parts as they were saved, except those that the crawl does not keep. */
  readonly parts: PageParts
  /** The decoded body; null if it was not requested or not kept. */
  readonly html: Uint8Array | null
  /** Its cluster; only in exports that ask for it. */
  readonly clustered?: PageCluster & { readonly label: readonly string[] }
}

/** A page must meet all conditions. Pages that say noindex never match. */
export type WholePageFilter = {
  /** Only pages of these crawls; of all crawls if missing. */
  readonly crawlIds?: readonly number[]
  /** Spelled like `URL.host`. */
  readonly host?: string
  /** A tag of which only the language counts: `en` finds `en-GB`. */
  readonly language?: string
  readonly kind?: PageKind
  readonly hot?: boolean
  /** Fetched at this time or later; epoch ms. */
  readonly since?: number
  readonly minRelevance?: number
  /** Include duplicates. */
  readonly duplicates?: boolean
  /** Only these ids, in ascending order. */
  readonly among?: readonly number[]
}

/** What is read of a page besides its other columns. */
export type PageNeeds = {
  /** Its text; if this is false, the text is empty. */
  readonly text?: boolean
  readonly markdown?: boolean
  readonly parts?: readonly StoredPart[]
  readonly html?: boolean
}

export type WholePageRange = {
  readonly filter: WholePageFilter
  /** Ids greater than this; 0 to begin. */
  readonly after: number
  /** The greatest id. */
  readonly upTo: number
}

export type LeftOut = {
  /** Pages that say noindex. */
  readonly noindex: number
  /** Duplicates; 0 if the filter includes them. */
  readonly duplicates: number
}

export interface PageReader extends PageLookup, PageTable, PageFeed, WholePages, AsyncDisposable {}

/** One page, and the totals of a crawl. */
interface PageLookup {
  get(id: number): Promise<StoredPage | null>
  findByUrl(crawlId: number, url: CanonicalUrl): Promise<StoredPage | null>
  /** Pages of a crawl by id; `after` 0 to begin. */
  list(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly host?: string
    /** Only hot pages. */
    readonly hot?: boolean
    /** Only pages that a topic judged at least this relevant. */
    readonly minRelevance?: number
  }): Promise<readonly StoredPage[]>
  linksOf(pageId: number): Promise<readonly PageLink[]>
  /** The parts as they were saved, except those that the crawl does not keep. */
  partsOf(pageId: number): Promise<PageParts>
  /** The decoded body; null if its crawl keeps no HTML. */
  htmlOf(pageId: number): Promise<Uint8Array | null>
  /** What recrawls found at a URL that has a page, or had one. */
  historyOf(crawlId: number, url: CanonicalUrl): Promise<PageHistory>
  /** Totals of a crawl. */
  totals(crawlId: number): Promise<PageTotals>
  /** The number of stored pages of a crawl that were truncated. */
  truncated(crawlId: number): Promise<number>
}

/** Pages as rows of a table. */
interface PageTable {
  /** Pages of a crawl by id; `after` 0 to begin. */
  summaries(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly filter?: PageFilter
  }): Promise<readonly PageSummary[]>
  /**
   * Ids of matching pages, at most `limit`, and how many match. Ties are ordered by id; titles are compared
   * without case; pages without relevance come last in both directions.
   */
  sortedIds(options: {
    readonly crawlId: number
    readonly filter?: PageFilter
    readonly sort: PageSort
    readonly descending: boolean
    readonly limit: number
  }): Promise<{ readonly ids: readonly number[]; readonly total: number }>
  /** These pages of a crawl, in this order; missing pages are skipped. */
  summariesOf(crawlId: number, ids: readonly number[]): Promise<readonly PageSummary[]>
  /** Ids of the pages at these URLs; URLs without a page are skipped. */
  idsByUrl(crawlId: number, urls: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Pages with their links by id, without duplicates; `after` 0 to begin. Returns at most `limit` pages, fewer
   * if they have megabytes of links, and none only after the last one.
   */
  withLinks(crawlId: number, after: number, limit: number): Promise<readonly PageWithLinks[]>
  /** True if its body was kept. */
  hasHtml(pageId: number): Promise<boolean>
  /** Hosts with stored pages, in any order; duplicates do not count. */
  hosts(crawlId: number): Promise<readonly HostPages[]>
  /** The largest id of a crawl, duplicates included; 0 if it has no page. */
  lastIdOf(crawlId: number): Promise<number>
}

/** Pages of all crawls, for readers that follow the store (change-feed.ts). */
interface PageFeed {
  /** These pages, in the order of the ids; missing pages are skipped. */
  pagesOf(ids: readonly number[]): Promise<readonly FeedPage[]>
  /** The same, up to so many characters of text, but at least one page. */
  somePages(ids: readonly number[], maxChars: number): Promise<SomePages>
  /** The links of these pages, in the order of the ids; pages without links and missing pages are skipped. */
  linksOfPages(ids: readonly number[]): AsyncIterable<PageLinks>
  /** The existing crawls, by number. Pages of other crawls are about to be deleted. */
  crawls(): Promise<readonly FeedCrawl[]>
  hotPages(crawlId: number): Promise<readonly number[]>
  /**
   * PageRanks as computed at the end of a crawl, by page id; empty if none were computed. The caller reads all
   * of them at once.
   */
  ranks(crawlId: number): Promise<Iterable<readonly [pageId: number, rank: number]>>
  /** The topics of crawls, by number; crawls without a topic are skipped. */
  topics(): Promise<ReadonlyMap<number, string>>
}

/** Pages with everything that belongs to them, for exports. */
interface WholePages {
  /** Identifies this store: another store in its place has another mark. */
  mark(): Promise<string>
  /** The largest id that a page of any crawl ever had; 0 if there was none. */
  lastId(): Promise<number>
  count(range: WholePageRange): Promise<number>
  /** How many further pages match but say noindex or are duplicates. */
  leftOut(range: WholePageRange): Promise<LeftOut>
  /** The ids of all matching pages, in ascending order. */
  idsIn(range: WholePageRange): Promise<readonly number[]>
  /** Pages by id: at most `limit`, fewer if they are large, and none only after the last one. */
  wholePages(range: WholePageRange, needs: PageNeeds, limit: number): Promise<readonly WholePage[]>
  /** True if the body of a matching page was kept. */
  anyHtml(range: WholePageRange): Promise<boolean>
  /** URLs of pages; pages that are gone or say noindex are skipped. */
  urlsOf(ids: readonly number[]): Promise<ReadonlyMap<number, CanonicalUrl>>
  /** By page of a crawl: the ids of its duplicates in ascending order; pages without duplicates are skipped. */
  repeatsOf(crawlId: number): Promise<ReadonlyMap<number, readonly number[]>>
  /** The clusters of a crawl by id; empty if it was not clustered completely. */
  clusters(crawlId: number): Promise<readonly KeptCluster[]>
  /** The clusters of these pages of a crawl, by page id; a page that was not clustered is missing. */
  clustersOf(crawlId: number, ids: readonly number[]): Promise<ReadonlyMap<number, PageCluster>>
}

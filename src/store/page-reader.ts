// Stored pages as everybody reads them, from any process, also while crawls write: one by one, as rows of a
// table, by id for an index, and whole for an export.
//
// What keeps it quick at a hundred thousand pages: nobody reads more of a row than is shown, a table scrolls
// over ids alone, and large rows come in parts, so that memory is bounded.
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

/** Everything of a page that fits into a row of a table. */
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

/** Every one of them must hold. */
export type PageFilter = {
  /** Part of the URL or the title, without regard to case; only its first 200 characters count. */
  readonly text?: string
  readonly host?: string
  readonly kind?: string
  readonly language?: string
  readonly hot?: boolean
  /** Pages that no topic judged have none. */
  readonly minRelevance?: number
  /** Duplicates are left out unless this is set. */
  readonly duplicates?: boolean
}

export const MAX_FILTER_TEXT = 200

export const PAGE_SORTS = ['id', 'url', 'title', 'depth', 'relevance', 'size_bytes'] as const
export type PageSort = (typeof PAGE_SORTS)[number]

/** A page with where it links to. */
export type PageWithLinks = Pick<
  StoredPage,
  'id' | 'url' | 'statusCode' | 'title' | 'fetchedAt'
> & {
  /** In the order of the page; empty when its crawl keeps none. */
  readonly links: readonly CanonicalUrl[]
}

export type HostPages = { readonly host: string; readonly stored: number; readonly hot: number }

export type FeedPage = SearchedPage & Pick<StoredPage, 'noindex' | 'duplicateOf'>

export type FeedCrawl = {
  readonly id: number
  /**
   * Differs when other pages of the crawl may be hot than before, which the end of a crawl decides;
   * null while it runs.
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
  /** Those that were asked for, as they were saved; without those that the crawl leaves out. */
  readonly parts: PageParts
  /** The decoded body; null when nobody asked for it, or its crawl did not keep it. */
  readonly html: Uint8Array | null
  /** Where it belongs; only in exports that ask for it. */
  readonly clustered?: PageCluster & { readonly label: readonly string[] }
}

/** Every one of them must hold. Pages that say noindex never match. */
export type WholePageFilter = {
  /** Only pages of these crawls; of all crawls if missing. */
  readonly crawlIds?: readonly number[]
  /** As `URL.host` has it. */
  readonly host?: string
  /** A tag; only its language counts, so that `en` finds `en-GB`. */
  readonly language?: string
  readonly kind?: PageKind
  readonly hot?: boolean
  /** Fetched at this time or later; epoch ms. */
  readonly since?: number
  readonly minRelevance?: number
  /** Pages that repeat another are left out unless this is set. */
  readonly duplicates?: boolean
  /** Only these ids, which are in order. */
  readonly among?: readonly number[]
}

/** What is read of each page beside its other columns. */
export type PageNeeds = {
  /** Its text, unless this is false: then that is empty. */
  readonly text?: boolean
  readonly markdown?: boolean
  readonly parts?: readonly StoredPart[]
  readonly html?: boolean
}

export type WholePageRange = {
  readonly filter: WholePageFilter
  /** Ids greater than this; 0 to begin. */
  readonly after: number
  /** And none greater than this. */
  readonly upTo: number
}

export type LeftOut = {
  /** Pages that say so. */
  readonly noindex: number
  /** Pages that repeat another; none where those are wanted. */
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
    /** Only hot ones. */
    readonly hot?: boolean
    /** Only those that a topic judged at least this relevant. */
    readonly minRelevance?: number
  }): Promise<readonly StoredPage[]>
  linksOf(pageId: number): Promise<readonly PageLink[]>
  /** The parts as they were saved; without those that the crawl leaves out. */
  partsOf(pageId: number): Promise<PageParts>
  /** The decoded body; null when its crawl did not keep HTML. */
  htmlOf(pageId: number): Promise<Uint8Array | null>
  /** What rounds made of the page of a URL, or of the one it had. */
  historyOf(crawlId: number, url: CanonicalUrl): Promise<PageHistory>
  /** Totals of a crawl. */
  totals(crawlId: number): Promise<PageTotals>
  /** How many of its stored pages were cut. */
  truncated(crawlId: number): Promise<number>
}

/** Pages as people look through them. */
interface PageTable {
  /** Pages of a crawl by id; `after` 0 to begin. */
  summaries(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly filter?: PageFilter
  }): Promise<readonly PageSummary[]>
  /**
   * Ids of all pages that match, at most `limit`, and how many match. Equal ones go by id; titles
   * without regard to case; pages without relevance come last, whatever the direction.
   */
  sortedIds(options: {
    readonly crawlId: number
    readonly filter?: PageFilter
    readonly sort: PageSort
    readonly descending: boolean
    readonly limit: number
  }): Promise<{ readonly ids: readonly number[]; readonly total: number }>
  /** These pages of a crawl, in this order; those that are not there are left out. */
  summariesOf(crawlId: number, ids: readonly number[]): Promise<readonly PageSummary[]>
  /** Ids of the pages at these URLs; URLs without a page are left out. */
  idsByUrl(crawlId: number, urls: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Pages with their links by id, without duplicates; `after` 0 to begin. At most `limit`, and fewer
   * where they have megabytes of links: who wants the rest asks again. None: there is no further one.
   */
  withLinks(crawlId: number, after: number, limit: number): Promise<readonly PageWithLinks[]>
  /** True when its body was kept. */
  hasHtml(pageId: number): Promise<boolean>
  /** Hosts with stored pages, in any order; duplicates do not count. */
  hosts(crawlId: number): Promise<readonly HostPages[]>
  /** The largest id of a crawl, duplicates included; 0 when it has no page. */
  lastIdOf(crawlId: number): Promise<number>
}

/** Pages of all crawls, for whoever follows the store (change-feed.ts). */
interface PageFeed {
  /** Pages by id, in the order of the ids; those that are not there are left out. */
  pagesOf(ids: readonly number[]): Promise<readonly FeedPage[]>
  /** The same, until there are so many characters of text; one page at least. */
  somePages(ids: readonly number[], maxChars: number): Promise<SomePages>
  /** The links of pages, page by page, in the order of the ids; pages without any, and those that are not there, are left out. */
  linksOfPages(ids: readonly number[]): AsyncIterable<PageLinks>
  /** The crawls that are there, by number. Pages of others are about to go. */
  crawls(): Promise<readonly FeedCrawl[]>
  hotPages(crawlId: number): Promise<readonly number[]>
  /**
   * Ids and PageRanks as the end of a crawl left them, by id; nothing where none were computed. To be
   * gone through to the end at once.
   */
  ranks(crawlId: number): Promise<Iterable<readonly [pageId: number, rank: number]>>
  /** What crawls are about, by number; those about nothing in particular are left out. */
  topics(): Promise<ReadonlyMap<number, string>>
}

/** Pages with all that belongs to them, one after the other: what exports are made from. */
interface WholePages {
  /** Tells this store from another one that came in its place. */
  mark(): Promise<string>
  /** The largest id that was given to a page of any crawl; 0 when there was none. */
  lastId(): Promise<number>
  count(range: WholePageRange): Promise<number>
  /** How many more there would be, but for what they ask for or repeat. */
  leftOut(range: WholePageRange): Promise<LeftOut>
  /** The ids of all pages that match, in order. */
  idsIn(range: WholePageRange): Promise<readonly number[]>
  /**
   * Pages by id, at most `limit`, and fewer where they are large; none: there is no further one.
   */
  wholePages(range: WholePageRange, needs: PageNeeds, limit: number): Promise<readonly WholePage[]>
  /** True when a page that matches has its body. */
  anyHtml(range: WholePageRange): Promise<boolean>
  /** URLs of pages; those that are gone or say noindex are left out. */
  urlsOf(ids: readonly number[]): Promise<ReadonlyMap<number, CanonicalUrl>>
  /** By page of a crawl the ids of those that repeat it, in order; pages that nobody repeats are not there. */
  repeatsOf(crawlId: number): Promise<ReadonlyMap<number, readonly number[]>>
  /** The clusters of a crawl by id; none if it was not clustered, or not to the end. */
  clusters(crawlId: number): Promise<readonly KeptCluster[]>
  /** The clusters of these pages of a crawl, by page id; a page that was not clustered is missing. */
  clustersOf(crawlId: number, ids: readonly number[]): Promise<ReadonlyMap<number, PageCluster>>
}

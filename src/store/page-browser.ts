// Pages as people look through them: rows of a table without their texts, filtered and sorted. What
// makes it quick at a hundred thousand pages: nobody reads more of a row than is shown, and a table
// scrolls over ids alone.
import type { StoredPage } from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'

/** Everything of a page that fits into a row of a table. */
export type PageGlance = Pick<
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

/** From any process, also while a crawl runs. */
export interface PageBrowser extends AsyncDisposable {
  /** Pages of a crawl by id; `after` 0 to begin. */
  list(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly filter?: PageFilter
  }): Promise<readonly PageGlance[]>
  /**
   * Ids of all pages that match, at most `limit`, and how many match. Equal ones go by id; titles
   * without regard to case; pages without relevance come last, whatever the direction.
   */
  ids(options: {
    readonly crawlId: number
    readonly filter?: PageFilter
    readonly sort: PageSort
    readonly descending: boolean
    readonly limit: number
  }): Promise<{ readonly ids: readonly number[]; readonly total: number }>
  /** These pages of a crawl, in this order; those that are not there are left out. */
  byIds(crawlId: number, ids: readonly number[]): Promise<readonly PageGlance[]>
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
  lastId(crawlId: number): Promise<number>
}

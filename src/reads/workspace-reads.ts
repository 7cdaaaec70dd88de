// What the API reads of a place: jobs' figures, pages, URLs, the graph. Answers come in the shapes of
// the API, so that nothing is put together twice. The real one reads in a thread of its own: however
// large a crawl is, the server goes on answering.

import type { RefreshSummary } from '../core/summary.ts'
import type { UrlState } from '../core/visit.ts'
import type { Search } from '../search/search-index.ts'
import type { PageFilter, PageSort } from '../store/page-reader.ts'
import type { FetchedPage, JobHost } from './shapes/job.ts'
import type {
  PageGraph,
  PageIds,
  PageInFull,
  PageRow,
  PageRows,
  Ranked,
  Reasons,
  SearchResult,
  SiteGraph,
  UrlRows,
} from './shapes/page.ts'

/** Ids of pages in one answer, at most. */
export const MAX_PAGE_IDS = 200_000

/** Totals of one crawl, from the store and its frontier. */
export type CrawlTotals = {
  readonly stored: number
  readonly duplicates: number
  readonly refused: number
  readonly outside: number
  readonly failed: number
  readonly queued: number
  readonly bytes: number
  readonly hot: number
  readonly judged: number
  /** The largest 1000. */
  readonly hosts: Readonly<Record<string, number>>
  readonly fairness: number
  /** What its last round has found; left out where there was none. */
  readonly refresh?: RefreshSummary
}

/** Pages, URLs and graphs of crawls by their number. What is not there is null. */
export interface WorkspaceReads extends AsyncDisposable {
  totals(crawlIds: readonly number[]): Promise<readonly CrawlTotals[]>
  /**
   * For `GET /crawl/:id`: pages without duplicates, by id, after `after`; `id` is the cursor. There may
   * be more also where there are fewer than `limit`: only after none there are no more.
   */
  fetchedPages(
    crawlId: number,
    after: number,
    limit: number,
  ): Promise<readonly (FetchedPage & { readonly id: number })[]>
  pageRows(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly filter: PageFilter
  }): Promise<PageRows>
  /** The largest id of a page of this crawl, duplicates included; 0 when it has none. */
  lastPageId(crawlId: number): Promise<number>
  pageIds(options: {
    readonly crawlId: number
    readonly filter: PageFilter
    readonly sort: PageSort
    readonly descending: boolean
    readonly limit: number
  }): Promise<PageIds>
  /** Rows of one crawl by id; ids that are not there are left out. */
  rowsOf(crawlId: number, ids: readonly number[]): Promise<readonly PageRow[]>
  page(crawlId: number, id: number): Promise<PageInFull | null>
  html(crawlId: number, id: number): Promise<Uint8Array | null>
  /** `code`: of the reason. */
  urls(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly state?: UrlState
    readonly code?: string
  }): Promise<UrlRows>
  reasons(crawlId: number): Promise<Reasons>
  hosts(crawlId: number, limit: number): Promise<readonly JobHost[]>
  explain(crawlId: number, url: string): Promise<Record<string, unknown> | null>
  rank(crawlId: number, limit: number): Promise<Ranked>
  pageGraph(
    crawlId: number,
    options: { readonly top: number; readonly host?: string },
  ): Promise<PageGraph>
  siteGraph(crawlId: number, options: { readonly top: number }): Promise<SiteGraph>
  search(search: Search): Promise<SearchResult>
}

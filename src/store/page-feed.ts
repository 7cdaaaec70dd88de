// Pages as somebody reads them who follows the store from page to page, over all crawls: what an
// index is made from. Ids grow in the order in which pages become durable, so whoever has read up to
// an id has missed nothing before it. An id may be given again after the crawl with the highest ones
// was removed; how a reader gets along with that is told in src/indexer/catch-up.ts.
import type { SearchedPage, StoredPage } from '../core/page.ts'

export type FeedPage = SearchedPage & Pick<StoredPage, 'noindex' | 'duplicateOf'>

export type FeedCrawl = {
  readonly id: number
  /** Differs between crawls of the same number in two stores. */
  readonly mark: string
  /**
   * Differs when other pages of the crawl may be hot than before, which the end of a crawl decides;
   * null while it runs.
   */
  readonly hotMark: string | null
}

/** From any process, also while crawls write. */
export interface PageFeed extends AsyncDisposable {
  /** Pages after an id, by id, until there are `pages` of them or `chars` of text; one at least. */
  after(
    id: number,
    limits: { readonly pages: number; readonly chars: number },
  ): Promise<readonly FeedPage[]>
  /** Pages by id, in any order; those that are not there are left out. */
  pages(ids: readonly number[]): Promise<readonly FeedPage[]>
  /** The crawls that are there, by number. Pages of others are about to go. */
  crawls(): Promise<readonly FeedCrawl[]>
  hotPages(crawlId: number): Promise<readonly number[]>
  countAfter(id: number): Promise<number>
}

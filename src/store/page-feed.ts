// Pages as somebody reads them who follows the store (change-feed.ts), over all crawls: what an index
// is made from.
import type { SearchedPage, StoredPage } from '../core/page.ts'

export type FeedPage = SearchedPage & Pick<StoredPage, 'noindex' | 'duplicateOf'>

export type FeedCrawl = {
  readonly id: number
  /**
   * Differs when other pages of the crawl may be hot than before, which the end of a crawl decides;
   * null while it runs.
   */
  readonly hotMark: string | null
}

export type SomePages = {
  readonly pages: readonly FeedPage[]
  /** How many of the ids were looked up. */
  readonly read: number
}

/** From any process, also while crawls write. */
export interface PageFeed extends AsyncDisposable {
  /** Pages by id, in the order of the ids; those that are not there are left out. */
  pages(ids: readonly number[]): Promise<readonly FeedPage[]>
  /** The same, until there are so many characters of text; one page at least. */
  somePages(ids: readonly number[], maxChars: number): Promise<SomePages>
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

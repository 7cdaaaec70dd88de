// How important each page of a crawl is: computed when a crawl ends, read by search and people.

export type PageImportance = {
  readonly pageId: number
  /** 0 to 1; null where no topic judged the page. */
  readonly similarity: number | null
  /** Other stored pages of the crawl that link here. */
  readonly backlinks: number
  /** They sum to 1 over the crawl. */
  readonly pagerank: number
  /** 0 to 1. */
  readonly location: number
  /** 0 to 1: the metrics on one scale, weighed as the crawl says. */
  readonly importance: number
}

const BEST_BY = ['importance', 'pagerank', 'backlinks'] as const
export type BestBy = (typeof BEST_BY)[number]

/** What readers ask, from any process, also while a crawl runs. */
export interface ImportanceReader extends AsyncDisposable {
  /** Null when nothing was computed for that page. */
  get(pageId: number): Promise<PageImportance | null>
  /**
   * The best pages of a crawl, the most important ones unless asked otherwise; equal ones by id, those
   * with as many backlinks by PageRank first.
   */
  best(
    crawlId: number,
    limit: number,
    options?: { readonly by?: BestBy; readonly host?: string },
  ): Promise<readonly PageImportance[]>
}

export interface ImportanceStore extends ImportanceReader {
  /**
   * Puts these in the place of all the crawl had, in one step. Answers how many there are. With a
   * threshold, in the same step exactly the pages at or above it are hot, duplicates never, and the
   * totals say so.
   */
  replace(
    crawlId: number,
    pages: Iterable<PageImportance>,
    options?: { readonly hotThreshold?: number },
  ): Promise<number>
}

// What became of pages, over all crawls, in order: what an index, or anything else that keeps in step
// with the store, follows.
//
// Each change has a cursor: a number that grows, is never given twice, and is all that a reader has to
// remember. A change is durable before it is reported. A page that came and went again before somebody read of it
// may be left out. Ids of pages are never given twice either.
import type { CanonicalUrl } from '../core/url.ts'

/**
 * `add`: there is a new page. `change`: something of it that is stored is other than before, under the
 * same id. `delete`: it is gone from the web, and from the store. `crawl-removed`: all pages of that
 * crawl are.
 */
export const CHANGES = ['add', 'change', 'delete', 'crawl-removed'] as const
export type Change = (typeof CHANGES)[number]

export type PageChange = {
  readonly cursor: number
  readonly change: Change
  readonly crawlId: number
  /** Null of crawl-removed. */
  readonly pageId: number | null
  readonly url: CanonicalUrl | null
  /** When it became so; epoch ms. */
  readonly at: number
  /** The page it repeats; null: none. */
  readonly duplicateOf: number | null
  /** It asks not to be found: its row has no text. */
  readonly noindex: boolean
  /** Why the page was deleted, as a reason of `urls`; '' otherwise. */
  readonly reason: string
}

export type Changes = {
  /** By cursor. */
  readonly changes: readonly PageChange[]
  /** Where to go on: at least the last one's cursor, more where some are not told any more. */
  readonly cursor: number
}

/** From any process, also while crawls write. */
export interface ChangeFeed extends AsyncDisposable {
  /** Tells this store from another one that came in its place: cursors mean nothing there. */
  mark(): Promise<string>
  /** At most `limit` changes after a cursor; 0 to begin. When nothing came, the same cursor. */
  after(cursor: number, limit: number): Promise<Changes>
  /** The last cursor that was given; 0 when none was. */
  last(): Promise<number>
  /**
   * True when something may have come since it was asked last, or a crawl may have ended. Costs
   * microseconds; where the store is a server, one short question.
   */
  mayHaveChanged(): Promise<boolean>
}

// The change log: changes of pages over all crawls, in order, for an index or any other reader that follows the
// store.
//
// Each change has a cursor, a growing number that is never used twice and is all that a reader has to
// remember. A change is durable before it is reported. A page that was added and deleted before it was read may be
// skipped. Ids of pages are never used twice either.
import type { CanonicalUrl } from '../core/url.ts'

/**
 * `add`: a new page. `change`: what is stored of a page differs, under the same id. `delete`: the page is gone
 * from the web and from the store. `crawl-removed`: all pages of a crawl were deleted.
 */
export const CHANGES = ['add', 'change', 'delete', 'crawl-removed'] as const
export type Change = (typeof CHANGES)[number]

export type PageChange = {
  readonly cursor: number
  readonly change: Change
  readonly crawlId: number
  /** Null for `crawl-removed`. */
  readonly pageId: number | null
  readonly url: CanonicalUrl | null
  /** When it happened; epoch ms. */
  readonly at: number
  /** The id of its original; null if it is no duplicate. */
  readonly duplicateOf: number | null
  /** The page says noindex: its row has no text. */
  readonly noindex: boolean
  /** Why the page was deleted, as a reason of `urls`; '' otherwise. */
  readonly reason: string
}

export type Changes = {
  /** By cursor. */
  readonly changes: readonly PageChange[]
  /** Where the next read begins: the last cursor, or a greater one if later changes were skipped. */
  readonly cursor: number
}

/** Used from any process, also while crawls write. */
export interface ChangeFeed extends AsyncDisposable {
  /** Identifies this store. Another store in its place has another mark, and other cursors. */
  mark(): Promise<string>
  /** At most `limit` changes after a cursor; 0 to begin. The same cursor if there are none. */
  after(cursor: number, limit: number): Promise<Changes>
  /** The last cursor in use; 0 if there is none. */
  last(): Promise<number>
  /**
   * True if there may be changes since the last call, or a crawl may have ended. It takes microseconds, or one
   * short query if the store is a server.
   */
  mayHaveChanged(): Promise<boolean>
}

// What a frontier on a server knows, kept once more in the store: for people who read `urls` and `hosts`
// with SQL, and to make the frontier anew when its server lost it.
//
// The copy comes a moment after the frontier. It is brought up to date in the frontier's own order, so
// that it is always some earlier state of the frontier, but for URLs that changed since: a URL that is
// `stored` here has its links here.
//
// Left out: robots.txt and sitemaps, which are asked for anew, and who holds a lease.
import type { UrlCounts } from '../core/host.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { FrontierNote, HostCopy, StatesBatch, UrlCopy } from '../core/url-copy.ts'

/** A page that is stored, of a URL that the copy does not know to be. */
export type PageBehind = {
  readonly pageId: number
  readonly url: CanonicalUrl
  readonly depth: number
  /** The URL's position in the copy; null when it is not there. */
  readonly position: number | null
  /** The URL's id, where the frontier is still to be told of the page by its receipt; null otherwise. */
  readonly receiptOf: number | null
  /** The URL of the page that it repeats; null for a page of its own. */
  readonly duplicateOf: CanonicalUrl | null
  /** Where it leads; null when that is not kept, or not whether it may be followed. */
  readonly links: readonly { readonly url: CanonicalUrl; readonly nofollow: boolean }[] | null
}

/** Goes with the crawl itself. */
export interface UrlStateCopy {
  /**
   * From now on the copy is this one's to write: whoever did before and does not know yet writes nothing
   * any more. What is read of the frontier after this is newer than all that is written.
   */
  claim(crawlId: number, copier: string): Promise<void>
  /**
   * Writes what is in the batch over what was there, all in one step. May be repeated. False, and nothing
   * written: another has claimed the copy.
   */
  save(crawlId: number, batch: StatesBatch, copier: string): Promise<boolean>
  /** In order of position; `after` is the last one seen, 0 to begin. */
  list(crawlId: number, after: number, limit: number): Promise<readonly UrlCopy[]>
  /** By name; `after` is the last one seen, '' to begin. */
  hosts(crawlId: number, after: string, limit: number): Promise<readonly HostCopy[]>
  notes(crawlId: number): Promise<readonly FrontierNote[]>
  /** How many URLs of each state there are in the copy. Looks at every one. */
  counts(crawlId: number): Promise<UrlCounts>
  /** The largest there is, here or in a receipt; 0 when there is none. */
  lastPosition(crawlId: number): Promise<number>
  /** Until it is disposed of, URLs of the copy are found quickly. Nobody else may write it meanwhile. */
  findable(crawlId: number): Promise<AsyncDisposable>
  /**
   * Pages that the copy does not know of, by id; `after` is the last one seen, 0 to begin. For more than a
   * few, make it findable first.
   */
  pagesBehind(crawlId: number, after: number, limit: number): Promise<readonly PageBehind[]>
}

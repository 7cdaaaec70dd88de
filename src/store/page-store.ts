// The store: pages and their parts, durable before they are reported.
//
// `save` stores a batch in one step. Each page has a receipt: the message that reports it to the frontier.
// Page and receipt become durable together, and the receipt is kept until the frontier has settled the page.
// So a crash at any moment leaves either no page, which is then parsed again (if the scouter still has its body) or
// fetched again, or a page whose receipt is delivered again. Receipts are opaque here.
//
// Invariants: a URL has one row per crawl; a second save of it in the same round changes nothing and returns
// the result of the first. At most `maxPages` rows of the job count as stored, and at most `maxHot` of them as
// hot. A page whose content hash is known is kept as a row with `duplicateOf` and does not count; the same
// holds for a page that names a stored page as its canonical form and has nearly the same text.
//
// A recrawl (a later `Job.round`) visits each page once more. A page that is saved then replaces what was stored,
// under the same id; `change` is reported if it differs in more than times, sizes, validators, scripts and
// styles. A page that is gone is deleted with all its parts. If a page with duplicates changes or is deleted, its
// oldest duplicate becomes the original of the others; all of them are reported as `change`. A change that the
// limits leave no room for is not stored.
import type { Job } from '../core/job.ts'
import type { NewPage } from '../core/page.ts'
import type { Pair } from '../core/pair.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { PageLoss, RoleChange } from '../core/visit.ts'

export type PageToSave = {
  readonly page: NewPage
  /** The URL's id in the frontier. */
  readonly urlId: number
  readonly receipt: Uint8Array
}

export type Entry = PageToSave | PageCheck

export function isPage(entry: Entry): entry is PageToSave {
  return 'page' in entry
}

export function urlIn(entry: Entry): CanonicalUrl {
  return isPage(entry) ? entry.page.fields.url : entry.url
}

/** The result of a revisit that brought no new page to save. */
export type PageCheck = {
  readonly url: CanonicalUrl
  /** The URL's id in the frontier. */
  readonly urlId: number
  /** Epoch ms. */
  readonly checkedAt: number
  readonly receipt: Uint8Array
  readonly came: Unchanged | PageLoss
}

/** The page has not changed; its validators may be new. */
type Unchanged = {
  readonly to: 'unchanged'
  /** '' if the server gave none: the known one is kept then. */
  readonly etag: string
  readonly lastModified: string
}
/** `moved`: duplicates that were assigned again because of this page. */
type RoleChanges = { readonly moved?: readonly RoleChange[] }

export type PageOutcome =
  | (RoleChanges & { readonly outcome: 'stored'; readonly id: number })
  /** `of`: the URL of its original. */
  | (RoleChanges & {
      readonly outcome: 'duplicate'
      readonly id: number
      readonly of: CanonicalUrl
    })
  | { readonly outcome: 'unchanged'; readonly id: number }
  | (RoleChanges & { readonly outcome: 'gone'; readonly came: PageLoss })
  /** The job has reached its limit of pages or of hot pages; nothing was written. */
  | { readonly outcome: 'over-limit' }

/** A page whose receipt has not been acknowledged. */
export type Undelivered = {
  /** Identifies the page: a frontier that lost its last changes may have given `urlId` to another URL. */
  readonly url: CanonicalUrl
  readonly urlId: number
  /** The depth of the page; null if it is gone. */
  readonly depth: number | null
  /** The recrawl in which it was saved; 0: none. */
  readonly round: number
  readonly saved: Exclude<PageOutcome, { outcome: 'over-limit' }>
  readonly receipt: Uint8Array
}

export interface PageStore extends AsyncDisposable {
  /** Converts a page into the form that costs least while it waits for `save`; absent: no conversion. */
  pack?(page: NewPage): NewPage
  /** Saves a batch durably, in order; returns one result per page. */
  save(batch: readonly Entry[]): Promise<readonly PageOutcome[]>
  /** Receipts not yet acknowledged, oldest first. */
  undelivered(): Promise<readonly Undelivered[]>
  /** The frontier has settled these URLs durably: deletes their receipts with the next save. */
  acknowledge(urls: readonly CanonicalUrl[]): void
  /**
   * A thread with the same store has ended: its receipts can be acknowledged here. Absent where threads do not
   * open it.
   */
  inherit?(): void
  /** Pages stored so far, duplicates not counted. */
  count(): Promise<number>
}

/** The address of a module that opens the store in a thread, and what it is called with. */
export type StoreOfThreads = { readonly module: string; readonly options: StoreOfThreadOptions }
type StoreOfThreadOptions = {
  readonly path: string
  readonly job: Job
  readonly pair: Pair
}
export type StoreModule = {
  readonly openStoreOfThread: (options: StoreOfThreadOptions) => Promise<PageStore>
}

/** A stored page and its links, for a frontier that does not know the page. */
export type PageWithLinks = {
  readonly pageId: number
  readonly url: CanonicalUrl
  readonly depth: number
  /** The URL of its original; null if it is no duplicate. */
  readonly duplicateOf: CanonicalUrl | null
  /** Null if links are not kept, or not whether they may be followed. */
  readonly links: readonly { readonly url: CanonicalUrl; readonly nofollow: boolean }[] | null
}

// The store: pages and their parts, durable before they are reported.
//
// `save` takes a batch in one step. With each page goes a receipt: the message that will tell the
// frontier about it. Page and receipt become durable together, and the receipt is kept until the
// frontier has settled the page; so a crash at any moment leaves either no page (it is fetched
// again) or a page whose receipt is delivered again. Receipts are opaque here.
//
// Invariants: a URL has one row per crawl; a second save of it in the same round changes nothing and
// reports the first. No more than the job's `maxPages` rows are counted as stored, nor `maxHot` of them
// as hot. A page whose content hash is already there is kept as a row with `duplicateOf` and not
// counted; so is one that names a stored page as its canonical form and says nearly the same.
//
// In a later round of the crawl (`Job.round`) pages are looked at again, each once. One that is saved
// then takes the place of what was stored, under the same id; `change` is reported when it differs, in
// more than times, sizes, validators, scripts and styles. One that is gone is deleted with all its
// parts. When a page that others repeat changes or goes, the oldest of those takes its place and the
// others repeat that one; all of them are reported as `change`. What finds no room stays as it was.
import type { Job } from '../core/job.ts'
import type { NewPage } from '../core/page.ts'
import type { Pair } from '../core/pair.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Gone, Standing } from '../core/visit.ts'

export type PageToSave = {
  readonly page: NewPage
  /** The URL's id in the frontier. */
  readonly urlId: number
  readonly receipt: Uint8Array
}

export function urlIn(entry: PageToSave | PageCheck): CanonicalUrl {
  return 'came' in entry ? entry.url : entry.page.fields.url
}

/** The result of a revisit that brought no new page to save. */
export type PageCheck = {
  readonly url: CanonicalUrl
  /** The URL's id in the frontier. */
  readonly urlId: number
  /** Epoch ms. */
  readonly checkedAt: number
  readonly receipt: Uint8Array
  readonly came: Unchanged | Gone
}

/** It is as it was; its validators may be new. */
type Unchanged = {
  readonly to: 'unchanged'
  /** '' where the server gave none: then those known before stay. */
  readonly etag: string
  readonly lastModified: string
}
/** `moved`: duplicates that were assigned again because of this page. */
type Moves = { readonly moved?: readonly Standing[] }

export type Saved =
  | (Moves & { readonly outcome: 'stored'; readonly id: number })
  /** `of`: the URL of the page it repeats. */
  | (Moves & { readonly outcome: 'duplicate'; readonly id: number; readonly of: CanonicalUrl })
  | { readonly outcome: 'unchanged'; readonly id: number }
  | (Moves & { readonly outcome: 'gone'; readonly came: Gone })
  /** The job has its pages, or its hot ones; nothing was written. */
  | { readonly outcome: 'over-limit' }

/** A page whose receipt has not been acknowledged. */
export type Undelivered = {
  /** Its name. A frontier that lost its last moment may have given `urlId` to another URL. */
  readonly url: CanonicalUrl
  readonly urlId: number
  /** The depth of the page; null if it is gone. */
  readonly depth: number | null
  /** The round it was saved in; 0: in none. */
  readonly round: number
  readonly saved: Exclude<Saved, { outcome: 'over-limit' }>
  readonly receipt: Uint8Array
}

export interface PageStore extends AsyncDisposable {
  /** The same page in the form in which it waits for `save` at the least cost; absent: as it is. */
  pack?(page: NewPage): NewPage
  /** Saves a batch durably, in order; one answer per page. */
  save(batch: readonly (PageToSave | PageCheck)[]): Promise<readonly Saved[]>
  /** Receipts not yet acknowledged, oldest first. */
  undelivered(): Promise<readonly Undelivered[]>
  /** The frontier has settled these URLs for good: their receipts may go. Durable with the next save. */
  acknowledge(urls: readonly CanonicalUrl[]): void
  /** A thread with the same store is gone: its receipts can be acknowledged here. */
  inherit(): void
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

// A stored page and where it leads, for a frontier that does not know of it.

export type PageWithLinks = {
  readonly pageId: number
  readonly url: CanonicalUrl
  readonly depth: number
  /** The URL of the page that it repeats; null for a page of its own. */
  readonly duplicateOf: CanonicalUrl | null
  /** Where it leads; null if that is not kept, or not whether it may be followed. */
  readonly links: readonly { readonly url: CanonicalUrl; readonly nofollow: boolean }[] | null
}

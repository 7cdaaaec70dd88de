// The result of a batch of pages: collected while it is decided on, written by a database at the end, the log of
// changes last.
import type { Change } from '../change-feed.ts'
import type { HostSums, Stock } from '../host-sums.ts'
import type { SavedPage } from '../page-diff.ts'
import type { CheckedPage } from '../page-revisits.ts'
import type { CachedPage } from './page-batch-cache.ts'

/** A report about a page: a row of `page_changes`. */
export type Told = {
  readonly pageId: number
  readonly change: Extract<Change, 'add' | 'change' | 'delete'>
  readonly at: number
  /** The URL of a deleted page; '' otherwise. */
  readonly url: string
  readonly reason: string
}

type Look = CheckedPage & { readonly page: CachedPage }

type ReceiptRow = {
  readonly pageId: number
  readonly urlId: number
  readonly url: string
  readonly receipt: Uint8Array
  readonly outcome: string
  readonly reason: string
  /** JSON; null: nobody moved. */
  readonly moved: string | null
}

type RecrawlCount = 'added' | 'changed' | 'gone' | 'unchanged'

export class BatchWrites {
  /** By id: pages that are new. */
  readonly inserts = new Map<number, SavedPage>()
  /** By id: pages that are other than they were. */
  readonly replaced = new Map<number, SavedPage>()
  /** By id: pages of which only what no reader sees is other. */
  readonly touched = new Map<number, SavedPage>()
  /** By id: new validators, where there are any. */
  readonly revalidated = new Map<number, { readonly etag: string; readonly lastModified: string }>()
  readonly removed = new Set<number>()
  /** Pages that repeat another one now, or none. */
  readonly followers = new Set<CachedPage>()
  /** Pages that take the place of one they repeated, by id, with that one's: it kept their content. */
  readonly heirs = new Map<number, number>()
  readonly looks = new Map<number, Look>()
  readonly receipts = new Map<number, ReceiptRow>()
  readonly told: Told[] = []
  readonly counts: Record<RecrawlCount, number> = { added: 0, changed: 0, gone: 0, unchanged: 0 }
  readonly sums: HostSums

  constructor(sums: HostSums) {
    this.sums = sums
  }

  get stock(): Stock {
    return this.sums
  }

  tell(pageId: number, change: 'add' | 'change', at: number): void {
    this.told.push({ pageId, change, at, url: '', reason: '' })
  }

  /** The page is gone, and all that was to be written of it. */
  remove(page: CachedPage, reason: string, at: number): void {
    const isNew = this.inserts.delete(page.id)
    for (const kept of [this.replaced, this.touched, this.revalidated, this.looks]) {
      kept.delete(page.id)
    }
    this.followers.delete(page)
    if (!isNew) this.removed.add(page.id)
    this.told.push({ pageId: page.id, change: 'delete', at, url: page.url, reason })
  }
}

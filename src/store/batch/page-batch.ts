// Decides about the pages of a batch, one after the other, for a database on a server: over what was read of the crawl
// under its lock. Nothing here asks the server; what is to be written is collected.
import type { Job } from '../../core/job.ts'
import { hostOf } from '../../core/url.ts'
import { HostSums, isFull, type Limits } from '../host-sums.ts'
import type { SavedPage } from '../page-diff.ts'
import {
  countedAs,
  currentOutcome,
  missingPage,
  originalOf,
  PageRevisits,
  receiptOf,
} from '../page-revisits.ts'
import {
  type Entry,
  isPage,
  type PageCheck,
  type PageOutcome,
  type PageToSave,
  urlIn,
} from '../page-store.ts'
import { BatchWrites } from './batch-writes.ts'
import { type BatchFacts, type CachedPage, newCachedPage } from './page-batch-cache.ts'
import { CachedRevisitRows } from './revisit-rows.ts'

/** `pageId`: the page that was written, with its receipt; null: nothing was written. */
export type Answer = { readonly saved: PageOutcome; readonly pageId: number | null }

export class PageBatch {
  readonly writes: BatchWrites
  readonly #facts: BatchFacts
  readonly #limits: Limits
  readonly #rows: CachedRevisitRows
  readonly #revisits: PageRevisits<CachedPage>
  #nextId: number

  constructor(job: Job, facts: BatchFacts) {
    this.#facts = facts
    this.#limits = job.settings
    this.#nextId = facts.firstId
    this.writes = new BatchWrites(new HostSums(facts.stock))
    this.#rows = new CachedRevisitRows(job, facts, this.writes)
    this.#revisits = new PageRevisits(job, this.#rows)
  }

  /** `html`: the body as it is kept. */
  save(entry: Entry, html: Uint8Array | null): Answer {
    if (!isPage(entry)) return this.#check(entry)
    const { page } = entry
    const known = this.#facts.cache.find(page.fields.url)
    if (known !== undefined && this.#revisits.isNews(known.id)) {
      return this.#withReceipt(entry, this.#revisits.again(known, { page, html }))
    }
    if (known !== undefined) return { saved: this.#currentOutcome(known), pageId: null }
    if (isFull(this.#limits, this.writes.stock)) {
      return { saved: { outcome: 'over-limit' }, pageId: null }
    }
    return this.#withReceipt(entry, this.#insert({ page, html }))
  }

  #check(entry: PageCheck): Answer {
    const known = this.#facts.cache.find(entry.url)
    // Nothing was written about a page that is missing, so nothing can be lost.
    if (known === undefined) return { saved: missingPage(entry), pageId: null }
    return this.#keepReceipt(entry, this.#revisits.check(known, entry), known.id)
  }

  #insert(whole: SavedPage): PageOutcome {
    const { cache } = this.#facts
    const { fields } = whole.page
    const first = originalOf(this.#rows, fields, 0)
    const page = newCachedPage(this.#nextId++, fields, first?.id ?? null)
    cache.put(page)
    this.writes.inserts.set(page.id, whole)
    this.writes.tell(page.id, 'add', fields.fetchedAt)
    this.writes.sums.count(hostOf(page.url), countedAs(page))
    this.writes.counts.added++
    return this.#currentOutcome(page)
  }

  #currentOutcome(page: CachedPage): PageOutcome {
    return currentOutcome(page.id, this.#rows.urlOfOriginal(page))
  }

  #withReceipt(entry: PageToSave, saved: PageOutcome): Answer {
    return 'id' in saved ? this.#keepReceipt(entry, saved, saved.id) : { saved, pageId: null }
  }

  #keepReceipt(entry: Entry, saved: PageOutcome, pageId: number): Answer {
    const { urlId, receipt } = entry
    const moved = 'moved' in saved && saved.moved ? saved.moved.map(({ url }) => url) : null
    this.writes.receipts.set(pageId, {
      ...{ pageId, urlId, receipt, url: urlIn(entry) },
      ...receiptOf(saved),
      moved: moved === null ? null : JSON.stringify(moved),
    })
    return { saved, pageId }
  }
}

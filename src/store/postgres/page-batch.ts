// A batch of pages, decided one after the other over what was read of the crawl: the same decisions as
// those of the store in SQLite. Nothing here asks the server; what is to be written is gathered.
import type { Job } from '../../core/job.ts'
import { hostOf } from '../../core/url.ts'
import { withoutNul } from '../../lib/column-text.ts'
import { HostSums, isFull, type Limits } from '../host-sums.ts'
import { type PageCheck, type PageToSave, type Saved, urlIn } from '../page-store.ts'
import { type BatchFacts, type Entry, isPage } from './batch-facts.ts'
import { BatchWrites, type WholePage } from './batch-writes.ts'
import { type ShelvedPage, shelvedPage } from './page-batch-cache.ts'
import { firstOf, PageRevisits, standingOf } from './page-revisits.ts'

/** `pageId`: what was written stands there, with its receipt; null: nothing was. */
export type Answer = { readonly saved: Saved; readonly pageId: number | null }

export class PageBatch {
  readonly writes: BatchWrites
  readonly #facts: BatchFacts
  readonly #limits: Limits
  readonly #revisits: PageRevisits
  #nextId: number

  constructor(job: Job, facts: BatchFacts) {
    this.#facts = facts
    this.#limits = job.settings
    this.#nextId = facts.firstId
    this.writes = new BatchWrites(new HostSums(facts.stock))
    this.#revisits = new PageRevisits(job, facts, this.writes)
  }

  /** `html`: its body as it is kept. */
  save(entry: Entry, html: Uint8Array | null): Answer {
    if (!isPage(entry)) return this.#check(entry)
    const { page } = entry
    const known = this.#facts.shelf.find(page.fields.url)
    if (known !== undefined && this.#revisits.isNews(known)) {
      return this.#withReceipt(entry, this.#revisits.again(known, { page, html }))
    }
    if (known !== undefined) return { saved: standingOf(this.#facts.shelf, known), pageId: null }
    if (isFull(this.#limits, this.writes.stock)) {
      return { saved: { outcome: 'over-limit' }, pageId: null }
    }
    return this.#withReceipt(entry, this.#insert({ page, html }))
  }

  #check(entry: PageCheck): Answer {
    const known = this.#facts.shelf.find(entry.url)
    // Nothing was written about a page that is missing, so nothing can be lost.
    if (known === undefined) {
      return { saved: { outcome: 'gone', came: neverThere(entry) }, pageId: null }
    }
    return this.#keepReceipt(entry, this.#revisits.check(known, entry), known.id)
  }

  #insert(whole: WholePage): Saved {
    const { shelf } = this.#facts
    const { fields } = whole.page
    const first = firstOf(shelf, fields, 0)
    const page = shelvedPage(this.#nextId++, fields, first?.id ?? null)
    shelf.put(page)
    this.writes.inserts.set(page.id, whole)
    this.writes.tell(page.id, 'add', fields.fetchedAt)
    this.#count(page)
    return standingOf(shelf, page)
  }

  #count(page: ShelvedPage): void {
    this.writes.sums.count(hostOf(page.url), {
      duplicate: page.duplicateOf !== null,
      bytes: page.sizeBytes,
      judged: page.relevance !== null,
      hot: page.hot,
    })
    this.writes.counts.added++
  }

  #withReceipt(entry: PageToSave, saved: Saved): Answer {
    return 'id' in saved ? this.#keepReceipt(entry, saved, saved.id) : { saved, pageId: null }
  }

  #keepReceipt(entry: Entry, saved: Saved, pageId: number): Answer {
    const { urlId, receipt } = entry
    const moved = 'moved' in saved && saved.moved ? saved.moved.map(({ url }) => url) : null
    const gone = saved.outcome === 'gone' ? saved.came : null
    this.writes.receipts.set(pageId, {
      ...{ pageId, urlId, receipt, url: urlIn(entry) },
      outcome: gone?.to ?? (saved.outcome === 'unchanged' ? 'unchanged' : ''),
      reason: withoutNul(gone?.reason ?? ''),
      moved: moved === null ? null : JSON.stringify(moved),
    })
    return { saved, pageId }
  }
}

/** A page that is deleted now was reported as deleted before, or was never stored. */
function neverThere({ came }: PageCheck) {
  if (came.to !== 'unchanged') return came
  return { to: 'failed', reason: 'http-304: nothing is stored of it' } as const
}

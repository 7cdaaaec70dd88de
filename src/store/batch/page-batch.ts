// Decides about the pages of a batch, one after the other, for a database on a server: over what was read of the crawl
// under its lock. Nothing here asks the server; what is to be written is collected.
import type { Job } from '../../core/job.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { HostSums, isFull, type Limits } from '../host-sums.ts'
import type { SavedPage } from '../page-diff.ts'
import {
  type CheckedPage,
  countedAs,
  currentOutcome,
  missingPage,
  type Original,
  originalOf,
  PageRevisits,
  type RevisitRows,
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
import { numberOf, type Row } from '../row-values.ts'
import { BatchWrites } from './batch-writes.ts'
import {
  type BatchFacts,
  type CachedPage,
  newCachedPage,
  type PageBatchCache,
} from './page-batch-cache.ts'

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

/**
 * Stored pages that a recrawl visits again, over what was read of the crawl. Nothing here asks the server;
 * what is to be written is collected.
 */
class CachedRevisitRows implements RevisitRows<CachedPage> {
  readonly round: number
  readonly afterPage: number
  readonly #cache: PageBatchCache
  readonly #writes: BatchWrites

  constructor(job: Job, { cache, afterPage }: BatchFacts, writes: BatchWrites) {
    this.round = job.round ?? 0
    this.afterPage = afterPage
    this.#cache = cache
    this.#writes = writes
  }

  get sums() {
    return this.#writes.sums
  }

  withContent(contentHash: string, id: number): Original | undefined {
    return this.#cache.firstWith(contentHash, id)
  }

  originalAt(url: string, id: number): Original | undefined {
    const page = this.#cache.find(url)
    if (page === undefined || page.id === id || page.noindex) return undefined
    return page.duplicateOf === null ? page : undefined
  }

  checkOf(id: number): Row | undefined {
    return this.#cache.get(id)?.check ?? undefined
  }

  urlOfOriginal({ duplicateOf }: CachedPage): CanonicalUrl | null {
    return (duplicateOf === null ? undefined : this.#cache.get(duplicateOf)?.url) ?? null
  }

  duplicatesOf(id: number): readonly CachedPage[] {
    const all = this.#cache.repeating(id)
    const visited = all.filter((page) => this.#isVisited(page))
    return [...visited, ...all.filter((page) => !this.#isVisited(page)).reverse()]
  }

  touch(page: CachedPage, saved: SavedPage): void {
    page.sizeBytes = saved.page.fields.sizeBytes
    this.#cache.rehash(page, saved.page.fields.contentHash)
    this.#writes.touched.set(page.id, saved)
  }

  revalidate({ id }: CachedPage, etag: string, lastModified: string): void {
    this.#writes.revalidated.set(id, { etag, lastModified })
  }

  replace(page: CachedPage, saved: SavedPage, original: Original | undefined): void {
    const { fields } = saved.page
    const { canonicalUrl, noindex, sizeBytes, relevance, hot, kind, fetchedAt } = fields
    Object.assign(page, { canonicalUrl, noindex, sizeBytes, relevance, hot, kind, fetchedAt })
    page.text = fields.contentText
    this.#cache.rehash(page, fields.contentHash)
    this.#cache.follow(page, original?.id ?? null)
    this.#writes.replaced.set(page.id, saved)
    this.#writes.tell(page.id, 'change', fetchedAt)
  }

  inherit(heir: CachedPage, from: number): void {
    this.#writes.heirs.set(heir.id, from)
    if (heir.text === '') heir.text = this.#cache.get(from)?.text ?? ''
  }

  follow(page: CachedPage, original: number | null, at: number): void {
    this.#cache.follow(page, original)
    this.#writes.followers.add(page)
    this.#writes.tell(page.id, 'change', at)
  }

  remove(page: CachedPage, reason: string, at: number): void {
    this.#cache.remove(page)
    this.#writes.remove(page, reason, at)
  }

  keepCheck(page: CachedPage, check: CheckedPage): void {
    this.#writes.looks.set(page.id, { page, ...check })
    page.check = { round: this.round }
  }

  countFound(what: 'changed' | 'gone' | 'unchanged'): void {
    this.#writes.counts[what]++
  }

  #isVisited({ check }: CachedPage): boolean {
    return check !== null && numberOf(check, 'round') === this.round
  }
}

// Stored pages that a recrawl visits again, over what was read of the crawl. Nothing here asks the server; what is
// to be written is collected.
import type { Job } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { SavedPage } from '../page-diff.ts'
import type { CheckedPage, Original, RevisitRows } from '../page-revisits.ts'
import { numberOf, type Row } from '../row-values.ts'
import type { BatchWrites } from './batch-writes.ts'
import type { BatchFacts, CachedPage, PageBatchCache } from './page-batch-cache.ts'

export class CachedRevisitRows implements RevisitRows<CachedPage> {
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

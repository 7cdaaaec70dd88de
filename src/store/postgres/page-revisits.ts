// Pages that are stored and were looked at again: as they were, other than they were, or gone. Over what
// was read of the crawl; what is to be written is gathered.
import { intervalMs, type Looks, looked, unseen } from '../../core/change-rate.ts'
import { hotIsImportance } from '../../core/importance.ts'
import type { Job } from '../../core/job.ts'
import { PAGE_KINDS, type PageFields } from '../../core/page.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { Gone, Standing } from '../../core/visit.ts'
import { withoutNul } from '../../lib/column-text.ts'
import { type CountedPage, isRoomFor, type Limits } from '../host-sums.ts'
import { differs, nearEqual } from '../page-diff.ts'
import type { PageCheck, Saved } from '../page-store.ts'
import { numberOf } from '../row-values.ts'
import type { BatchFacts } from './batch-facts.ts'
import type { BatchWrites, WholePage } from './batch-writes.ts'
import type { PageBatchCache, ShelvedPage } from './page-batch-cache.ts'

export class PageRevisits {
  readonly #shelf: PageBatchCache
  readonly #writes: BatchWrites
  readonly #limits: Limits
  readonly #hotIsGiven: boolean
  readonly #round: number
  /** Pages with larger ids were added by this round. */
  readonly #afterPage: number

  constructor(job: Job, { shelf, afterPage }: BatchFacts, writes: BatchWrites) {
    this.#shelf = shelf
    this.#writes = writes
    this.#limits = job.settings
    this.#hotIsGiven = hotIsImportance(job.settings)
    this.#round = job.round ?? 0
    this.#afterPage = afterPage
  }

  /** Whether this round was not told of a page that is stored, until now. */
  isNews(page: ShelvedPage): boolean {
    if (this.#round === 0 || page.id > this.#afterPage) return false
    return numberOf(page.check ?? {}, 'round') < this.#round
  }

  /** It was fetched and parsed again. */
  again(before: ShelvedPage, fetched: WholePage): Saved {
    const whole = this.#hotIsGiven ? withHot(fetched, before.hot) : fetched
    const { fields } = whole.page
    if (differs(before.row ?? {}, whole.page)) return this.#change(before, whole)
    const host = hostOf(fields.url)
    this.#writes.sums.uncount(host, countedAs(before))
    before.sizeBytes = fields.sizeBytes
    this.#writes.sums.count(host, countedAs(before))
    this.#shelf.rehash(before, fields.contentHash)
    this.#writes.touched.set(before.id, whole)
    this.#look(before, { changed: false, at: fields.fetchedAt })
    return standingOf(this.#shelf, before)
  }

  /** It was asked for again, with nothing to parse. */
  check(before: ShelvedPage, { came, checkedAt }: PageCheck): Saved {
    if (came.to !== 'unchanged') return this.#remove(before, came, checkedAt)
    if (this.isNews(before)) {
      const [etag, lastModified] = [withoutNul(came.etag), withoutNul(came.lastModified)]
      this.#writes.revalidated.set(before.id, { etag, lastModified })
      this.#look(before, { changed: false, at: checkedAt })
    }
    return { outcome: 'unchanged', id: before.id }
  }

  #change(before: ShelvedPage, whole: WholePage): Saved {
    const { sums } = this.#writes
    const { fields } = whole.page
    const was = countedAs(before)
    const first = firstOf(this.#shelf, fields, before.id) ?? this.#twinToCome(before, fields)
    const { sizeBytes: bytes, hot } = fields
    const now = { duplicate: first !== undefined, bytes, judged: fields.relevance !== null, hot }
    if (!isRoomFor(this.#limits, sums, { before: [was], after: [now] })) {
      return { outcome: 'over-limit' }
    }
    sums.uncount(hostOf(fields.url), was)
    sums.count(hostOf(fields.url), now)
    const moved = this.#moveAside(before.id, fields, now.duplicate)
    this.#replace(before, whole, first?.id ?? null)
    const saved = standingOf(this.#shelf, before)
    return moved.length === 0 ? saved : { ...saved, moved }
  }

  #replace(page: ShelvedPage, whole: WholePage, first: number | null): void {
    const { fields } = whole.page
    this.#look(page, { changed: true, at: fields.fetchedAt })
    page.canonicalUrl = fields.canonicalUrl
    page.noindex = fields.noindex
    page.sizeBytes = fields.sizeBytes
    page.relevance = fields.relevance
    page.hot = fields.hot
    page.kind = fields.kind
    page.fetchedAt = fields.fetchedAt
    page.text = fields.contentText
    this.#shelf.rehash(page, fields.contentHash)
    this.#shelf.follow(page, first)
    this.#writes.replaced.set(page.id, whole)
    this.#writes.tell(page.id, 'change', fields.fetchedAt)
  }

  /** The page that a changed one will most likely repeat as before, once that was looked at, too. */
  #twinToCome(before: ShelvedPage, fields: PageFields): ShelvedPage | undefined {
    const first = before.duplicateOf === null ? undefined : this.#shelf.get(before.duplicateOf)
    if (first === undefined || !this.isNews(first)) return undefined
    return stillTwinOf(this.#shelf, before, fields)
  }

  /**
   * Duplicates of a page that is another one now. Those that call it their canonical form were asked
   * before it, and stay as long as it can be seen. Where there is no room, all are as good as before.
   */
  #moveAside(
    id: number,
    { url, noindex, fetchedAt }: PageFields,
    isDuplicate: boolean,
  ): Standing[] {
    const all = this.#repeating(id)
    const isHidden = isDuplicate || noindex
    const repeating = isHidden ? all : all.filter(({ canonicalUrl }) => canonicalUrl !== url)
    const [heir] = repeating
    if (heir === undefined) return []
    const after = [{ ...countedAs(heir), duplicate: false }]
    // A page that repeats another itself has left its place to them.
    const isRoom = isDuplicate || isRoomFor(this.#limits, this.#writes.sums, { before: [], after })
    return isRoom ? this.#moveOn(id, repeating, fetchedAt) : []
  }

  /**
   * Those that repeat a page. First the one that is best in its place: the oldest that the round has
   * looked at, since that stays as it is. Where it looked at none, the newest, which most likely is
   * visited last: were it the next, many would move on with every visit.
   */
  #repeating(id: number): ShelvedPage[] {
    const all = this.#shelf.repeating(id)
    const lookedAt = all.filter((page) => this.#isLookedAt(page))
    return [...lookedAt, ...all.filter((page) => !this.#isLookedAt(page)).reverse()]
  }

  /**
   * The page they repeat is about to be another one, or gone: the first takes its place, and what was
   * kept there for all of them.
   */
  #moveOn(from: number, repeating: readonly ShelvedPage[], at: number): Standing[] {
    const [heir] = repeating
    if (heir === undefined) return []
    const { sums } = this.#writes
    this.#writes.heirs.set(heir.id, from)
    if (heir.text === '') heir.text = this.#shelf.get(from)?.text ?? ''
    sums.uncount(hostOf(heir.url), countedAs(heir))
    for (const page of repeating) {
      this.#shelf.follow(page, page === heir ? null : heir.id)
      this.#writes.followers.add(page)
      this.#writes.tell(page.id, 'change', at)
    }
    sums.count(hostOf(heir.url), countedAs(heir))
    return repeating.map((page) => ({ url: page.url, of: page === heir ? null : heir.url }))
  }

  #remove(before: ShelvedPage, came: Gone, at: number): Saved {
    const reason = came.to === 'redirected' ? `redirected: ${came.reason}` : came.reason
    this.#writes.sums.uncount(hostOf(before.url), countedAs(before))
    const moved = this.#moveOn(before.id, this.#repeating(before.id), at)
    this.#shelf.remove(before)
    this.#writes.remove(before, withoutNul(reason), at)
    this.#writes.counts.gone++
    return moved.length === 0 ? { outcome: 'gone', came } : { outcome: 'gone', came, moved }
  }

  #isLookedAt({ check }: ShelvedPage): boolean {
    return check !== null && numberOf(check, 'round') === this.#round
  }

  /** To be called with the page as it was before. */
  #look(
    page: ShelvedPage,
    { changed, at }: { readonly changed: boolean; readonly at: number },
  ): void {
    const last = page.check ?? {}
    const lastAt = page.check === null ? page.fetchedAt : numberOf(last, 'checked_at')
    const looks = looked(looksFrom(page), { changed, afterMs: at - lastAt })
    this.#writes.looks.set(page.id, {
      ...{ page, checkedAt: Math.round(at), intervalMs: intervalMs(looks), ...looks },
      checks: numberOf(last, 'checks') + 1,
      changes: numberOf(last, 'changes') + (changed ? 1 : 0),
    })
    page.check = { round: this.#round }
    this.#writes.counts[changed ? 'changed' : 'unchanged']++
  }
}

function looksFrom({ check, kind }: ShelvedPage): Looks {
  if (check === null || numberOf(check, 'seen') === 0) {
    return unseen(PAGE_KINDS.find((known) => known === kind) ?? 'other')
  }
  return {
    seen: numberOf(check, 'seen'),
    seenChanged: numberOf(check, 'seen_changed'),
    seenMs: numberOf(check, 'seen_ms'),
  }
}

function countedAs({ duplicateOf, sizeBytes, relevance, hot }: ShelvedPage): CountedPage {
  return { duplicate: duplicateOf !== null, bytes: sizeBytes, judged: relevance !== null, hot }
}

/** Hotness depends on the whole graph, at the end of the crawl; until then it stays as before. */
function withHot({ page, html }: WholePage, hot: boolean): WholePage {
  return { page: { ...page, fields: { ...page.fields, hot } }, html }
}

// Which page repeats which.

/** The page that this one repeats; `id` is its own, 0 when it has none yet. */
export function firstOf(
  shelf: PageBatchCache,
  fields: PageFields,
  id: number,
): ShelvedPage | undefined {
  return shelf.firstWith(fields.contentHash, id) ?? canonicalTwin(shelf, fields, id)
}

/** The stored page this one calls its canonical form, if the two are near-equal indeed. */
function canonicalTwin(
  shelf: PageBatchCache,
  { url, canonicalUrl, contentText }: PageFields,
  id: number,
): ShelvedPage | undefined {
  if (canonicalUrl === null || canonicalUrl === url || contentText === '') return undefined
  const twin = twinAt(shelf, canonicalUrl, id)
  return twin !== undefined && nearEqual(contentText, twin.text ?? '') ? twin : undefined
}

/**
 * For a duplicate that changed: the page that it still names as its canonical form. Called while that page
 * has not been revisited yet: most likely it changed in the same way.
 */
function stillTwinOf(
  shelf: PageBatchCache,
  before: ShelvedPage,
  { canonicalUrl }: PageFields,
): ShelvedPage | undefined {
  if (canonicalUrl === null || before.duplicateOf === null) return undefined
  if (shelf.get(before.duplicateOf)?.url !== canonicalUrl) return undefined
  const twin = twinAt(shelf, canonicalUrl, before.id)
  if (twin === undefined) return undefined
  // Equal it was, byte by byte, or its text would be its own.
  const isEqual = before.text === ''
  return isEqual || nearEqual(before.text ?? '', twin.text ?? '') ? twin : undefined
}

function twinAt(shelf: PageBatchCache, url: CanonicalUrl, id: number): ShelvedPage | undefined {
  const twin = shelf.find(url)
  if (twin === undefined || twin.id === id || twin.noindex) return undefined
  return twin.duplicateOf === null ? twin : undefined
}

export function standingOf(
  shelf: PageBatchCache,
  { id, duplicateOf }: ShelvedPage,
): Extract<Saved, { outcome: 'stored' | 'duplicate' }> {
  const of = duplicateOf === null ? undefined : shelf.get(duplicateOf)?.url
  return of === undefined ? { outcome: 'stored', id } : { outcome: 'duplicate', id, of }
}

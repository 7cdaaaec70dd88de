// The rules of a recrawl: what a second visit to a stored page changes, in its row, in its duplicates and in
// what is counted. The databases keep the rows behind `RevisitRows`.
import { intervalMs, type Looks, looked, unseen } from '../core/change-rate.ts'
import { hotIsImportance } from '../core/importance.ts'
import type { Job } from '../core/job.ts'
import { PAGE_KINDS, type PageFields } from '../core/page.ts'
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import type { PageLoss, RoleChange } from '../core/visit.ts'
import { withoutNul } from '../lib/column-text.ts'
import { type CountedPage, isRoomFor, type Limits, type Stock } from './host-sums.ts'
import { differs, nearEqual, type SavedPage } from './page-diff.ts'
import type { PageCheck, PageOutcome } from './page-store.ts'
import { numberOf, type Row, textOf, urlOf } from './row-values.ts'

/** A page that others may duplicate. */
export type Original = {
  readonly id: number
  readonly url: CanonicalUrl
  readonly contentHash: string
  /** Null if it was not read. */
  readonly text: string | null
}

/** A page as it is stored. */
export type KnownPage = Original & {
  readonly canonicalUrl: string | null
  /** The id of its original; null if it is no duplicate. */
  readonly duplicateOf: number | null
  readonly sizeBytes: number
  readonly relevance: number | null
  readonly hot: boolean
  readonly kind: string
  readonly fetchedAt: number
  /** Its row with its parts; null if that was not read. */
  readonly row: Row | null
}

/** The history of a page's visits, and when it should be visited next. */
export type CheckedPage = Looks & {
  readonly checkedAt: number
  readonly checks: number
  readonly changes: number
  readonly intervalMs: number
}

interface OriginalRows {
  /** The original with that content, other than page `id`. */
  withContent(contentHash: string, id: number): Original | undefined
  /** The original at that URL, other than page `id`; none if it says noindex. */
  originalAt(url: string, id: number): Original | undefined
}

/** The stored pages of a crawl, for one transaction at a time. */
export interface RevisitRows<Page extends KnownPage> extends OriginalRows {
  readonly sums: Stock & Record<'count' | 'uncount', (host: string, page: CountedPage) => void>
  /** The number of the recrawl; 0: this is none. */
  readonly round: number
  /** Pages with greater ids were added by this recrawl. */
  readonly afterPage: number
  /** The row of `page_checks`; undefined if the page was never visited again. */
  checkOf(id: number): Row | undefined
  urlOfOriginal(page: Page): CanonicalUrl | null
  /**
   * The duplicates of a page, the best one to replace it first: the oldest that this recrawl has visited, which
   * does not change any more. If it has visited none, the newest, which is most likely visited last: with the
   * next one, many would move at every visit.
   */
  duplicatesOf(id: number): readonly Page[]
  /** The page has not changed for readers; the rest of its row may have. */
  touch(page: Page, saved: SavedPage): void
  /** Keeps new validators; an empty one replaces nothing. */
  revalidate(page: Page, etag: string, lastModified: string): void
  /** Replaces the page under the same id, and reports the change. */
  replace(page: Page, saved: SavedPage, original: Original | undefined): void
  /** Copies to `heir` what page `from` keeps for its duplicates. */
  inherit(heir: Page, from: number): void
  /** Makes a page the duplicate of another, or an original (null), and reports the change. */
  follow(page: Page, original: number | null, at: number): void
  /** Deletes a page, and reports it. */
  remove(page: Page, reason: string, at: number): void
  keepCheck(page: Page, check: CheckedPage): void
  countFound(what: 'changed' | 'gone' | 'unchanged'): void
}

export class PageRevisits<Page extends KnownPage> {
  readonly #rows: RevisitRows<Page>
  readonly #limits: Limits
  readonly #hotIsGiven: boolean

  constructor(job: Job, rows: RevisitRows<Page>) {
    this.#rows = rows
    this.#limits = job.settings
    this.#hotIsGiven = hotIsImportance(job.settings)
  }

  /** True if this recrawl has not reported about a stored page yet. */
  isNews(id: number): boolean {
    const { round, afterPage } = this.#rows
    if (round === 0 || id > afterPage) return false
    return numberOf(this.#rows.checkOf(id) ?? {}, 'round') < round
  }

  /** The page was fetched and parsed again. */
  again(before: Page, fetched: SavedPage): PageOutcome {
    const saved = this.#hotIsGiven ? withHot(fetched, before.hot) : fetched
    const { fields } = saved.page
    if (differs(before.row ?? {}, saved.page)) return this.#change(before, saved)
    this.#recount(fields.url, countedAs(before), { ...countedAs(before), bytes: fields.sizeBytes })
    this.#rows.touch(before, saved)
    this.#look(before, { changed: false, at: fields.fetchedAt })
    return currentOutcome(before.id, this.#rows.urlOfOriginal(before))
  }

  /** The page was requested again, and there is nothing to parse. */
  check(before: Page, { came, checkedAt }: PageCheck): PageOutcome {
    if (came.to !== 'unchanged') return this.#remove(before, came, checkedAt)
    if (this.isNews(before.id)) {
      this.#rows.revalidate(before, withoutNul(came.etag), withoutNul(came.lastModified))
      this.#look(before, { changed: false, at: checkedAt })
    }
    return { outcome: 'unchanged', id: before.id }
  }

  #change(before: Page, saved: SavedPage): PageOutcome {
    const { fields } = saved.page
    const was = countedAs(before)
    const original =
      originalOf(this.#rows, fields, before.id) ?? this.#originalToCome(before, fields)
    const now = { ...countedAs(fields), duplicate: original !== undefined }
    if (!isRoomFor(this.#limits, this.#rows.sums, { before: [was], after: [now] })) {
      return { outcome: 'over-limit' }
    }
    this.#recount(fields.url, was, now)
    const moved = this.#moveAside(before.id, fields, now.duplicate)
    this.#look(before, { changed: true, at: fields.fetchedAt })
    this.#rows.replace(before, saved, original)
    const outcome = currentOutcome(before.id, original?.url ?? null)
    return moved.length === 0 ? outcome : { ...outcome, moved }
  }

  /**
   * The original of a duplicate that changed and still names it as its canonical form, if this recrawl has not
   * visited that one yet: most likely it changed in the same way.
   */
  #originalToCome(before: Page, { canonicalUrl }: PageFields): Original | undefined {
    if (before.duplicateOf === null || !this.isNews(before.duplicateOf)) return undefined
    if (canonicalUrl === null || this.#rows.urlOfOriginal(before) !== canonicalUrl) return undefined
    const original = this.#rows.originalAt(canonicalUrl, before.id)
    // Without a text of its own it was equal byte by byte.
    if (original === undefined || before.text === '') return original
    return nearEqual(before.text ?? '', original.text ?? '') ? original : undefined
  }

  /**
   * Moves the duplicates of a page that has changed. Those that name it as their canonical form were compared
   * before, and stay as long as it can be seen. If there is no room for another original, all of them stay.
   */
  #moveAside(
    id: number,
    { url, noindex, fetchedAt }: PageFields,
    isDuplicate: boolean,
  ): RoleChange[] {
    const all = this.#rows.duplicatesOf(id)
    const isHidden = isDuplicate || noindex
    const duplicates = isHidden ? all : all.filter(({ canonicalUrl }) => canonicalUrl !== url)
    const [heir] = duplicates
    if (heir === undefined) return []
    const after = [{ ...countedAs(heir), duplicate: false }]
    // A page that became a duplicate itself has made room for one of them.
    const isRoom = isDuplicate || isRoomFor(this.#limits, this.#rows.sums, { before: [], after })
    return isRoom ? this.#moveOn(id, duplicates, fetchedAt) : []
  }

  /** Makes the first of these duplicates the original of the others, in place of page `from`. */
  #moveOn(from: number, duplicates: readonly Page[], at: number): RoleChange[] {
    const [heir] = duplicates
    if (heir === undefined) return []
    const counted = countedAs(heir)
    this.#rows.inherit(heir, from)
    this.#recount(heir.url, { ...counted, duplicate: true }, { ...counted, duplicate: false })
    for (const page of duplicates) this.#rows.follow(page, page === heir ? null : heir.id, at)
    return duplicates.map((page) => ({ url: page.url, of: page === heir ? null : heir.url }))
  }

  #remove(before: Page, came: PageLoss, at: number): PageOutcome {
    const reason = came.to === 'redirected' ? `redirected: ${came.reason}` : came.reason
    this.#rows.sums.uncount(hostOf(before.url), countedAs(before))
    const moved = this.#moveOn(before.id, this.#rows.duplicatesOf(before.id), at)
    this.#rows.remove(before, withoutNul(reason), at)
    this.#rows.countFound('gone')
    return moved.length === 0 ? { outcome: 'gone', came } : { outcome: 'gone', came, moved }
  }

  #recount(url: CanonicalUrl, was: CountedPage, now: CountedPage): void {
    this.#rows.sums.uncount(hostOf(url), was)
    this.#rows.sums.count(hostOf(url), now)
  }

  /** Called before the page is changed. */
  #look(page: Page, { changed, at }: { readonly changed: boolean; readonly at: number }): void {
    const last = this.#rows.checkOf(page.id)
    const lastAt = last === undefined ? page.fetchedAt : numberOf(last, 'checked_at')
    const looks = looked(looksFrom(last, page.kind), { changed, afterMs: at - lastAt })
    this.#rows.keepCheck(page, {
      ...{ ...looks, checkedAt: Math.round(at), intervalMs: intervalMs(looks) },
      checks: numberOf(last ?? {}, 'checks') + 1,
      changes: numberOf(last ?? {}, 'changes') + (changed ? 1 : 0),
    })
    this.#rows.countFound(changed ? 'changed' : 'unchanged')
  }
}

/** The original of a page with id `id`, 0 if it is new: one with equal content, or its canonical form. */
export function originalOf(
  rows: OriginalRows,
  fields: PageFields,
  id: number,
): Original | undefined {
  const { url, canonicalUrl, contentHash } = fields
  const equal = rows.withContent(contentHash, id)
  if (equal !== undefined) return equal
  if (canonicalUrl === null || canonicalUrl === url) return undefined
  const canonical = rows.originalAt(canonicalUrl, id)
  // The text of a packed page is decoded at each access: hardly any page needs it here.
  if (canonical === undefined || fields.contentText === '') return undefined
  return nearEqual(fields.contentText, canonical.text ?? '') ? canonical : undefined
}

/** `of`: the URL of its original. */
export function currentOutcome(
  id: number,
  of: CanonicalUrl | null,
): Extract<PageOutcome, { outcome: 'stored' | 'duplicate' }> {
  return of === null ? { outcome: 'stored', id } : { outcome: 'duplicate', id, of }
}

/** The result for a page that is not stored: it was reported as deleted before, or never stored. */
export function missingPage({ came }: PageCheck): PageOutcome {
  if (came.to !== 'unchanged') return { outcome: 'gone', came }
  return { outcome: 'gone', came: { to: 'failed', reason: 'http-304: nothing is stored of it' } }
}

/** What a receipt keeps of the result of a save; a stored page itself says the rest. */
export function receiptOf(saved: PageOutcome): {
  readonly outcome: string
  readonly reason: string
} {
  if (saved.outcome !== 'gone') {
    return { outcome: saved.outcome === 'unchanged' ? 'unchanged' : '', reason: '' }
  }
  return { outcome: saved.came.to, reason: withoutNul(saved.came.reason) }
}

/** The result of a save as its receipt reports it again; `of` in the row is that of the page as it is now. */
export function savedFrom(
  row: Row,
  moved: readonly RoleChange[] | null,
): Exclude<PageOutcome, { outcome: 'over-limit' }> {
  const id = numberOf(row, 'id')
  const to = textOf(row, 'outcome')
  const moves = moved === null ? {} : { moved }
  if (to === 'unchanged') return { outcome: 'unchanged', id }
  if (to === 'failed' || to === 'refused' || to === 'redirected') {
    return { outcome: 'gone', came: { to, reason: textOf(row, 'reason') }, ...moves }
  }
  return { ...currentOutcomeFrom(row), ...moves }
}

/** From a row with `id` and `of`, the URL of its original. */
export function currentOutcomeFrom(row: Row) {
  return currentOutcome(numberOf(row, 'id'), row.of === null ? null : urlOf(row, 'of'))
}

export function countedAs(
  page: Pick<PageFields, 'sizeBytes' | 'relevance' | 'hot'> & {
    readonly duplicateOf?: number | null
  },
): CountedPage {
  const { sizeBytes: bytes, relevance, hot, duplicateOf = null } = page
  return { duplicate: duplicateOf !== null, bytes, judged: relevance !== null, hot }
}

function looksFrom(last: Row | undefined, kind: string): Looks {
  if (last === undefined || numberOf(last, 'seen') === 0) {
    return unseen(PAGE_KINDS.find((known) => known === kind) ?? 'other')
  }
  return {
    seen: numberOf(last, 'seen'),
    seenChanged: numberOf(last, 'seen_changed'),
    seenMs: numberOf(last, 'seen_ms'),
  }
}

/** Hotness by importance depends on the whole graph: it stays until the end of the crawl. */
function withHot({ page, html }: SavedPage, hot: boolean): SavedPage {
  return { page: { ...page, fields: { ...page.fields, hot } }, html }
}

// Pages that are stored and were looked at again: as they were, other than they were, or gone. Runs
// inside a transaction; nothing here begins or ends one.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { intervalMs, type Looks, looked, unseen } from '../../core/change-rate.ts'
import { hotIsImportance } from '../../core/importance.ts'
import type { Job } from '../../core/job.ts'
import { PAGE_KINDS, type PageFields, STORED_PARTS } from '../../core/page.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { Gone, Standing } from '../../core/visit.ts'
import { withoutNul } from '../../lib/column-text.ts'
import { type CountedPage, isRoomFor, type Limits } from '../host-sums.ts'
import { differs, withoutContent } from '../page-diff.ts'
import type { PageCheck, Saved } from '../page-store.ts'
import { numberOf, numberOrNull, urlOf } from '../row-values.ts'
import { countedFrom, type Duplicates, keptOf } from './duplicates.ts'
import type { HostTotals, PageWriter, WholePage } from './page-writer.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

type PageRevisitsOptions = {
  readonly db: DatabaseSync
  readonly job: Job
  readonly totals: HostTotals
  readonly writer: PageWriter
  readonly duplicates: Duplicates
  readonly book: RecrawlTable
}

export class PageRevisits {
  readonly #parts: PageRevisitsOptions
  readonly #limits: Limits
  readonly #hotIsGiven: boolean
  readonly #whole: StatementSync
  readonly #brief: StatementSync

  constructor(options: PageRevisitsOptions) {
    this.#parts = options
    this.#limits = options.job.settings
    this.#hotIsGiven = hotIsImportance(options.job.settings)
    this.#whole = options.db.prepare(`
      SELECT p.*, ${STORED_PARTS.join(', ')}, first.url AS of FROM pages p
      LEFT JOIN page_parts parts ON parts.page_id = p.id
      LEFT JOIN pages first ON first.id = p.duplicate_of
      WHERE p.crawl_id = ? AND p.url = ?`)
    this.#brief = options.db.prepare(`
      SELECT id, url, kind, fetched_at, duplicate_of, size_bytes, relevance, hot FROM pages
      WHERE crawl_id = ? AND url = ?`)
  }

  /** The row of a stored page that this round has not been told of yet; undefined: there is none. */
  find(url: CanonicalUrl): Row | undefined {
    const { job, book } = this.#parts
    if (book.round === 0) return undefined
    const row = this.#whole.get(job.id, url)
    return row !== undefined && book.isNews(numberOf(row, 'id')) ? row : undefined
  }

  /** It was fetched and parsed again. */
  again(before: Row, fetched: WholePage): Saved {
    const { book, writer, totals } = this.#parts
    const whole = this.#hotIsGiven ? withHot(fetched, before.hot === 1) : fetched
    const { fields } = whole.page
    const host = hostOf(fields.url)
    if (differs(before, whole.page)) return this.#change(before, whole)
    const isRepeat = before.duplicate_of !== null
    writer.touch(numberOf(before, 'id'), isRepeat ? withoutContent(whole, false) : whole)
    totals.uncount(host, countedAs(before))
    totals.count(host, { ...countedAs(before), bytes: fields.sizeBytes })
    book.look(before, { changed: false, at: fields.fetchedAt })
    return standingOf(before)
  }

  /** It was asked for again, with nothing to parse. `id`: the page's; null when there is none. */
  check(check: PageCheck): { readonly saved: Saved; readonly id: number | null } {
    const before = this.#brief.get(this.#parts.job.id, check.url)
    if (before === undefined)
      return { saved: { outcome: 'gone', came: neverThere(check) }, id: null }
    return { saved: this.#checkOne(before, check), id: numberOf(before, 'id') }
  }

  #checkOne(before: Row, { came, checkedAt }: PageCheck): Saved {
    if (came.to !== 'unchanged') return this.#remove(before, came, checkedAt)
    const id = numberOf(before, 'id')
    if (this.#parts.book.isNews(id)) {
      this.#parts.writer.revalidate(id, withoutNul(came.etag), withoutNul(came.lastModified))
      this.#parts.book.look(before, { changed: false, at: checkedAt })
    }
    return { outcome: 'unchanged', id }
  }

  #change(before: Row, whole: WholePage): Saved {
    const { duplicates, totals, writer, book } = this.#parts
    const { fields } = whole.page
    const id = numberOf(before, 'id')
    const was = countedAs(before)
    const first = duplicates.firstOf(fields, id) ?? this.#twinToCome(before, whole)
    const { sizeBytes: bytes, hot } = fields
    const now = { duplicate: first !== undefined, bytes, judged: fields.relevance !== null, hot }
    if (!isRoomFor(this.#limits, totals, { before: [was], after: [now] })) {
      return { outcome: 'over-limit' }
    }
    totals.uncount(hostOf(fields.url), was)
    totals.count(hostOf(fields.url), now)
    const moved = this.#moveOn(id, fields, now.duplicate)
    writer.replace(id, keptOf(whole, first), first === undefined ? null : numberOf(first, 'id'))
    book.look(before, { changed: true, at: fields.fetchedAt })
    const saved = standingOf({ id, of: first === undefined ? null : urlOf(first, 'url') })
    return moved.length === 0 ? saved : { ...saved, moved }
  }

  /** The page that a changed one will most likely repeat as before, once that was looked at, too. */
  #twinToCome(before: Row, { page: { fields } }: WholePage): Row | undefined {
    const { duplicates, book } = this.#parts
    const firstId = numberOrNull(before, 'duplicate_of')
    if (firstId === null || !book.isNews(firstId)) return undefined
    return duplicates.stillTwinOf(before, fields)
  }

  /**
   * Duplicates of a page that is another one now. Those that call it their canonical form were asked
   * before it, and stay as long as it can be seen. Where there is no room, all are as good as before.
   */
  #moveOn(id: number, { url, noindex, fetchedAt }: PageFields, isDuplicate: boolean): Standing[] {
    const { duplicates, totals, book } = this.#parts
    const all = duplicates.of(id, book.round)
    const isHidden = isDuplicate || noindex
    const repeating = isHidden ? all : all.filter((row) => row.canonical_url !== url)
    const [heir] = repeating
    if (heir === undefined) return []
    const after = [{ ...countedFrom(heir), duplicate: false }]
    // A page that repeats another itself has left its place to them.
    const isRoom = isDuplicate || isRoomFor(this.#limits, totals, { before: [], after })
    return isRoom ? duplicates.moveOn(id, repeating, fetchedAt) : []
  }

  #remove(before: Row, came: Gone, at: number): Saved {
    const { duplicates, totals, writer, book } = this.#parts
    const id = numberOf(before, 'id')
    const url = urlOf(before, 'url')
    const reason = came.to === 'redirected' ? `redirected: ${came.reason}` : came.reason
    totals.uncount(hostOf(url), countedAs(before))
    const moved = duplicates.moveOn(id, duplicates.of(id, book.round), at)
    writer.remove(id, { url, reason: withoutNul(reason), at })
    book.count('gone')
    return moved.length === 0 ? { outcome: 'gone', came } : { outcome: 'gone', came, moved }
  }
}

/** From a row with `id` and `of`, the URL it repeats. */
export function standingOf(row: Row): Extract<Saved, { outcome: 'stored' | 'duplicate' }> {
  const id = numberOf(row, 'id')
  return row.of === null
    ? { outcome: 'stored', id }
    : { outcome: 'duplicate', id, of: urlOf(row, 'of') }
}

/** A page that is deleted now was reported as deleted before, or was never stored. */
function neverThere({ came }: PageCheck): Gone {
  if (came.to !== 'unchanged') return came
  return { to: 'failed', reason: 'http-304: nothing is stored of it' }
}

function countedAs(row: Row): CountedPage {
  return { ...countedFrom(row), duplicate: row.duplicate_of !== null }
}

/** Hotness depends on the whole graph, at the end of the crawl; until then it stays as before. */
function withHot({ page, html }: WholePage, hot: boolean): WholePage {
  return { page: { ...page, fields: { ...page.fields, hot } }, html }
}

// What a round found: how often its pages change, and how many of them came to what. Counted in memory
// while a batch is written, then written in its transaction.

type Counts = { added: number; changed: number; gone: number; unchanged: number }

const NOTHING: Counts = { added: 0, changed: 0, gone: 0, unchanged: 0 }

export class RecrawlTable {
  readonly #crawlId: number
  /** 0: the crawl is not gone over again. */
  readonly round: number
  /** Pages with larger ids were added by this round. */
  readonly #afterPage: number
  readonly #save: StatementSync
  readonly #look: StatementSync
  readonly #lookAt: StatementSync
  #pending: Counts = { ...NOTHING }

  constructor(db: DatabaseSync, crawlId: number, round: number) {
    this.#crawlId = crawlId
    this.round = round
    const began = db.prepare('SELECT after_page FROM crawl_rounds WHERE crawl_id = ? AND round = ?')
    this.#afterPage = numberOf(began.get(crawlId, round) ?? {}, 'after_page')
    this.#save = db.prepare(`
      UPDATE crawl_rounds SET added = added + ?, changed = changed + ?, gone = gone + ?,
        unchanged = unchanged + ?
      WHERE crawl_id = ? AND round = ?`)
    this.#lookAt = db.prepare('SELECT * FROM page_checks WHERE page_id = ?')
    this.#look = db.prepare(`
      INSERT OR REPLACE INTO page_checks (page_id, crawl_id, round, checked_at, checks, changes,
        interval_ms, seen, seen_changed, seen_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  }

  count(what: keyof Counts): void {
    this.#pending[what]++
  }

  /** Whether this round was not told of a page that is stored, until now. */
  isNews(pageId: number): boolean {
    if (this.round === 0 || pageId > this.#afterPage) return false
    return numberOf(this.#lookAt.get(pageId) ?? {}, 'round') < this.round
  }

  /** A page was looked at; `before` is its row as it was. */
  look(before: Row, { changed, at }: { readonly changed: boolean; readonly at: number }): void {
    const pageId = numberOf(before, 'id')
    const last = this.#lookAt.get(pageId)
    const lastAt = numberOrNull(last ?? {}, 'checked_at') ?? numberOf(before, 'fetched_at')
    const looks = looked(looksFrom(last, before), { changed, afterMs: at - lastAt })
    const checks = numberOf(last ?? {}, 'checks') + 1
    const changes = numberOf(last ?? {}, 'changes') + (changed ? 1 : 0)
    this.#look.run(
      ...[pageId, this.#crawlId, this.round, Math.round(at), checks, changes],
      ...[intervalMs(looks), looks.seen, looks.seenChanged, looks.seenMs],
    )
    this.count(changed ? 'changed' : 'unchanged')
  }

  /** To be called inside the transaction of what was counted. */
  write(): void {
    const { added, changed, gone, unchanged } = this.#pending
    if (this.round === 0) return
    this.#save.run(added, changed, gone, unchanged, this.#crawlId, this.round)
  }

  /** What was counted is written, or was for nothing. */
  clear(): void {
    this.#pending = { ...NOTHING }
  }
}

function looksFrom(last: Row | undefined, page: Row): Looks {
  if (last === undefined || numberOf(last, 'seen') === 0) {
    return unseen(PAGE_KINDS.find((kind) => kind === page.kind) ?? 'other')
  }
  return {
    seen: numberOf(last, 'seen'),
    seenChanged: numberOf(last, 'seen_changed'),
    seenMs: numberOf(last, 'seen_ms'),
  }
}

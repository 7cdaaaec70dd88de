// Pages of one crawl in SQLite. One transaction per batch; what must survive a crash is in the
// file, what is kept here (the count, which receipts are out) only follows it after the commit.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Job } from '../../core/job.ts'
import type { NewPage } from '../../core/page.ts'
import { ONLY_PAIR, type Pair } from '../../core/pair.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { NOT_AMONG_BEST, type RoleChange } from '../../core/visit.ts'
import { HARDLY_MS, inTransaction, openSqlite, SELDOM_PAGES, whenFree } from '../../db/sqlite.ts'
import { translated } from '../../db/sqlite-errors.ts'
import { isFull, type Limits } from '../host-sums.ts'
import { keptHtml } from '../page-columns.ts'
import type { SavedPage } from '../page-diff.ts'
import {
  countedAs,
  currentOutcome,
  currentOutcomeFrom,
  missingPage,
  originalOf,
  PageRevisits,
  receiptOf,
  savedFrom,
} from '../page-revisits.ts'
import {
  type PageCheck,
  type PageOutcome,
  type PageStore,
  type PageToSave,
  type Undelivered,
  urlIn,
} from '../page-store.ts'
import { numberOf, numberOrNull, textOf, urlOf } from '../row-values.ts'
import { BestPages } from './best-pages.ts'
import { PackedPage } from './packed-page.ts'
import { HostTotals, PageWriter } from './page-writer.ts'
import { keptOf, pageFrom, type RowOfPage, SqliteRevisitRows } from './revisit-rows.ts'

type PageStoreOptions = {
  readonly path: string
  readonly job: Job
  /** Several parsers may store pages of the crawl, each with its own receipts. */
  readonly pair?: Pair
  /** It knows only the receipts of pages that it saves itself. */
  readonly isOfThread?: true
}
type Row = Readonly<Record<string, SQLOutputValue>>
type Kept = Exclude<PageOutcome, { outcome: 'over-limit' }>
/** `pageId`: the page that was written, with its receipt; null: nothing was written. */
type Answer = { readonly saved: PageOutcome; readonly pageId: number | null }

export async function openSqlitePageStore(options: PageStoreOptions): Promise<PageStore> {
  // Other crawls write the same file. A parser that waits for one must not seem dead meanwhile.
  const db = openSqlite(options.path, {
    schema: 'store',
    durability: 'full',
    busyMs: HARDLY_MS,
    checkpointPages: SELDOM_PAGES,
    isHot: true,
    // Whoever starts a parser has claimed the job in it.
    isChecked: true,
  })
  try {
    return translated(options.path, () => new SqlitePageStore(db, options))
  } catch (error) {
    db.close()
    throw error
  }
}

export class SqlitePageStore implements PageStore {
  readonly #db: DatabaseSync
  readonly #crawlId: number
  readonly #pair: Pair
  readonly #limits: Limits
  readonly #path: string
  readonly #totals: HostTotals
  readonly #writer: PageWriter
  readonly #rows: SqliteRevisitRows
  readonly #revisits: PageRevisits<RowOfPage>
  /** Null if the crawl keeps all its pages. */
  readonly #best: BestPages | null
  readonly #sql: Statements
  /** URL → page id of every receipt in the file. */
  readonly #receipts = new Map<string, number>()
  /** Acknowledged since the last commit. */
  #acknowledged: string[] = []

  constructor(db: DatabaseSync, { path, job, pair = ONLY_PAIR, isOfThread }: PageStoreOptions) {
    this.#db = db
    this.#pair = pair
    this.#crawlId = job.id
    this.#limits = job.settings
    this.#path = path
    this.#sql = prepare(db)
    const sums = new HostTotals(db, job.id)
    const writer = new PageWriter(db, job.id)
    const round = job.round ?? 0
    this.#rows = new SqliteRevisitRows({ db, crawlId: job.id, round, sums, writer })
    this.#revisits = new PageRevisits(job, this.#rows)
    this.#totals = sums
    this.#writer = writer
    const room = job.settings.keepBest ?? null
    this.#best = room === null ? null : new BestPages(db, job, room)
    if (!isOfThread) this.inherit()
  }

  inherit(): void {
    for (const row of this.#sql.receipts.all(this.#crawlId, this.#pair.of, this.#pair.nth)) {
      this.#receipts.set(textOf(row, 'url'), numberOf(row, 'page_id'))
    }
  }

  /** A page that may be compared with what is stored stays as it is. */
  pack(page: NewPage): NewPage {
    return this.#rows.round === 0 ? new PackedPage(page) : page
  }

  async save(batch: readonly (PageToSave | PageCheck)[]): Promise<readonly PageOutcome[]> {
    const bodies = await Promise.all(batch.map(keptHtml))
    const answers = await this.#commit(() => {
      const saved = batch.map((entry, at) => this.#saveOne(entry, bodies[at] ?? null))
      this.#totals.write()
      this.#rows.write()
      return saved
    })
    batch.forEach((entry, at) => {
      const pageId = answers[at]?.pageId ?? null
      if (pageId !== null) this.#receipts.set(urlIn(entry), pageId)
    })
    return answers.map(({ saved }) => saved)
  }

  async undelivered(): Promise<readonly Undelivered[]> {
    const acknowledged = new Set(this.#acknowledged)
    return translated(this.#path, () =>
      this.#sql.undelivered.all(this.#crawlId, this.#pair.of, this.#pair.nth),
    )
      .filter((row) => !acknowledged.has(textOf(row, 'url')))
      .map((row) => ({
        url: urlOf(row, 'url'),
        urlId: numberOf(row, 'url_id'),
        depth: numberOrNull(row, 'depth'),
        round: numberOf(row, 'round'),
        saved: this.#savedFrom(row),
        receipt: row.receipt instanceof Uint8Array ? row.receipt : new Uint8Array(),
      }))
  }

  acknowledge(urls: readonly CanonicalUrl[]): void {
    for (const url of urls) if (this.#receipts.has(url)) this.#acknowledged.push(url)
  }

  async count(): Promise<number> {
    return this.#totals.storedInFile()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#db.isOpen) return
    try {
      if (this.#acknowledged.length > 0) await this.#commit(() => {})
    } finally {
      this.#db.close()
    }
  }

  /** One transaction: the receipts that may go, and `work`. Memory follows only when it held. */
  #commit<T>(work: () => T): Promise<T> {
    return whenFree(() => {
      try {
        const result = inTransaction(this.#db, () => this.#forgetAcknowledged(work), this.#path)
        for (const url of this.#acknowledged) this.#receipts.delete(url)
        this.#acknowledged = []
        return result
      } finally {
        this.#rows.clear()
      }
    })
  }

  #forgetAcknowledged<T>(thenWork: () => T): T {
    this.#totals.begin()
    for (const url of this.#acknowledged) {
      this.#sql.forget.run(this.#receipts.get(url) ?? null)
    }
    return thenWork()
  }

  #saveOne(entry: PageToSave | PageCheck, html: Uint8Array | null): Answer {
    if ('came' in entry) return this.#check(entry)
    const { page } = entry
    const { url } = page.fields
    const before = this.#rows.round === 0 ? undefined : this.#rows.whole(url)
    if (before !== undefined && this.#revisits.isNews(before.id)) {
      return this.#withReceipt(entry, this.#revisits.again(before, { page, html }))
    }
    const saved = this.#isFull() ? null : this.#insert({ page, html })
    if (saved !== null) {
      const answer = this.#withReceipt(entry, saved)
      this.#best?.countLinks(page)
      return answer
    }
    const known = this.#sql.known.get(this.#crawlId, url)
    return { saved: known ? currentOutcomeFrom(known) : { outcome: 'over-limit' }, pageId: null }
  }

  #check(entry: PageCheck): Answer {
    const before = this.#rows.brief(entry.url)
    // Nothing was written about a page that is missing, so nothing can be lost.
    if (before === undefined) return { saved: missingPage(entry), pageId: null }
    return this.#keepReceipt(entry, this.#revisits.check(before, entry), before.id)
  }

  /** Pages that were dropped for better ones count for the limit, too. */
  #isFull(): boolean {
    const { stored, hot } = this.#totals
    return isFull(this.#limits, { stored: stored + (this.#best?.dropped ?? 0), hot })
  }

  #withReceipt(entry: PageToSave, saved: PageOutcome): Answer {
    if (!('id' in saved)) return { saved, pageId: null }
    return this.#keepReceipt(entry, this.#withBest(entry, saved), saved.id)
  }

  /** The same, after the least important pages had to go; that may be the page itself. */
  #withBest({ page }: PageToSave, saved: Extract<PageOutcome, { id: number }>): PageOutcome {
    const { url, fetchedAt } = page.fields
    const dropped = this.#dropWorst(fetchedAt)
    if (dropped.length === 0) return saved
    const others = dropped.filter((one) => one.url !== url)
    const before = 'moved' in saved ? (saved.moved ?? []) : []
    const moved = others.map((one): RoleChange => ({ ...one, of: null, isDropped: true }))
    const moves = { moved: [...before, ...moved] }
    if (others.length === dropped.length) return { ...saved, ...moves }
    return { outcome: 'gone', came: { to: 'refused', reason: NOT_AMONG_BEST }, ...moves }
  }

  /** The duplicates of a page are deleted with it. */
  #dropWorst(at: number): { readonly url: CanonicalUrl }[] {
    const best = this.#best
    const gone: { readonly url: CanonicalUrl }[] = []
    while (best !== null && this.#totals.stored > best.room) {
      if (this.#rows.round > 0) best.recount()
      const worst = best.worst()
      if (worst === undefined) break
      const page = pageFrom(worst)
      for (const each of [...this.#rows.duplicatesOf(page.id), page]) {
        this.#totals.uncount(hostOf(each.url), countedAs(each))
        this.#rows.remove(each, NOT_AMONG_BEST, at)
        gone.push({ url: each.url })
      }
      best.noteDropped()
    }
    return gone
  }

  #keepReceipt(entry: PageToSave | PageCheck, saved: PageOutcome, pageId: number): Answer {
    const { urlId, receipt } = entry
    const moved = 'moved' in saved && saved.moved ? saved.moved.map(keptMove) : null
    const { outcome, reason } = receiptOf(saved)
    this.#sql.receipt.run(
      ...[pageId, urlId, this.#crawlId, receipt, this.#rows.round],
      ...[outcome, reason, moved === null ? null : JSON.stringify(moved)],
      ...[urlIn(entry), this.#pair.nth],
    )
    return { saved, pageId }
  }

  /** Null if the URL has a row already. */
  #insert(saved: SavedPage): Kept | null {
    const { fields } = saved.page
    const original = originalOf(this.#rows, fields, 0)
    const id = this.#writer.insert(keptOf(saved, original), original?.id ?? null)
    if (id === null) return null
    this.#best?.added(id, saved.page, original !== undefined)
    const duplicate = original !== undefined
    this.#totals.count(hostOf(fields.url), { ...countedAs(fields), duplicate })
    this.#rows.countFound('added')
    return currentOutcome(id, original?.url ?? null)
  }

  /** As it was saved; the page and those that moved because of it as they are now. */
  #savedFrom(row: Row): Kept {
    const moved = row.moved === null ? null : this.#roles(textOf(row, 'moved'))
    // A page may have been dropped before the frontier got its receipt.
    const isDropped = this.#best !== null && row.depth === null && textOf(row, 'outcome') === ''
    const gone = { outcome: 'refused', reason: NOT_AMONG_BEST }
    return savedFrom(isDropped ? { ...row, ...gone } : row, moved)
  }

  #roles(moves: string): RoleChange[] {
    const known = JSON.parse(moves) as KeptMove[]
    return known.flatMap((move): RoleChange[] => {
      if (typeof move !== 'string') return [{ url: move.dropped, of: null, isDropped: true }]
      const url = move
      const row = this.#sql.known.get(this.#crawlId, url)
      return row === undefined ? [] : [{ url, of: row.of === null ? null : urlOf(row, 'of') }]
    })
  }
}

/** As receipts keep it: a URL whose role is looked up again, or one whose page was dropped. */
type KeptMove = CanonicalUrl | { readonly dropped: CanonicalUrl }

function keptMove({ url, isDropped }: RoleChange): KeptMove {
  return isDropped ? { dropped: url } : url
}

type Statements = ReturnType<typeof prepare>

function prepare(db: DatabaseSync) {
  return {
    receipt: db.prepare(`
      INSERT OR REPLACE INTO undelivered
        (page_id, url_id, crawl_id, receipt, round, outcome, reason, moved, url, holder)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    forget: db.prepare('DELETE FROM undelivered WHERE page_id = ?'),
    // Those of an earlier run with more parsers are shared out, too.
    receipts: db.prepare(
      'SELECT page_id, url FROM undelivered WHERE crawl_id = ? AND holder % ? = ?',
    ),
    known: db.prepare(`
      SELECT p.id, first.url AS of FROM pages p
      LEFT JOIN pages first ON first.id = p.duplicate_of
      WHERE p.crawl_id = ? AND p.url = ?`),
    undelivered: db.prepare(`
      SELECT u.url_id, u.receipt, u.round, u.outcome, u.reason, u.moved, u.page_id AS id,
        u.url, p.depth, first.url AS of
      FROM undelivered u
      LEFT JOIN pages p ON p.id = u.page_id
      LEFT JOIN pages first ON first.id = p.duplicate_of
      WHERE u.crawl_id = ? AND u.holder % ? = ? ORDER BY u.page_id`),
  } as const satisfies Record<string, StatementSync>
}

// Pages of one crawl in SQLite. One transaction per batch; what must survive a crash is in the
// file, what is kept here (the count, which receipts are out) only follows it after the commit.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { CrawlSettings, Job } from '../../core/job.ts'
import { type NewPage, PARTS, type PageFields } from '../../core/page.ts'
import { hostOf } from '../../core/url.ts'
import { HARDLY_MS, inTransaction, openSqlite, SELDOM_PAGES, whenFree } from '../../db/sqlite.ts'
import { nearEqual } from '../../lib/near-equal.ts'
import type { PageStore, PageToSave, Saved, Undelivered } from '../page-store.ts'
import { HostTotals } from './host-totals.ts'
import { numberOf, PAGE_COLUMNS, pageToRow, textOf, urlOf } from './page-row.ts'
import { jsonWithoutNul } from './text.ts'

const compress = promisify(zstdCompress)
/** The fastest level: HTML shrinks to a fifth already, and a parser has better things to do. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export type PageStoreOptions = { readonly path: string; readonly job: Job }
type Kept = Exclude<Saved, { outcome: 'over-limit' }>
/** `fresh`: written by this save, with its receipt. */
type Answer =
  | { readonly fresh: true; readonly saved: Kept }
  | { readonly fresh: false; readonly saved: Saved }

export async function openSqlitePageStore(options: PageStoreOptions): Promise<PageStore> {
  // Other crawls write the same file. A parser that waits for one must not seem dead meanwhile.
  const db = openSqlite(options.path, {
    schema: 'store',
    durability: 'full',
    busyMs: HARDLY_MS,
    checkpointPages: SELDOM_PAGES,
  })
  return new SqlitePageStore(db, options)
}

export class SqlitePageStore implements PageStore {
  readonly #db: DatabaseSync
  readonly #crawlId: number
  readonly #limits: Pick<CrawlSettings, 'maxPages' | 'maxHot'>
  readonly #path: string
  readonly #totals: HostTotals
  readonly #sql: Statements
  /** URL id → page id of every receipt in the file. */
  readonly #receipts = new Map<number, number>()
  /** URL ids acknowledged since the last commit. */
  #acknowledged: number[] = []

  constructor(db: DatabaseSync, { path, job }: PageStoreOptions) {
    this.#db = db
    this.#crawlId = job.id
    this.#limits = job.settings
    this.#path = path
    this.#sql = prepare(db)
    this.#totals = new HostTotals(db, job.id)
    for (const row of this.#sql.receipts.all(job.id)) {
      this.#receipts.set(numberOf(row, 'url_id'), numberOf(row, 'page_id'))
    }
  }

  async save(batch: readonly PageToSave[]): Promise<readonly Saved[]> {
    const bodies = await Promise.all(batch.map(({ page }) => compressed(page)))
    const answers = await this.#commit(() => {
      const saved = batch.map((entry, at) => this.#saveOne(entry, bodies[at] ?? null))
      this.#totals.write()
      return saved
    })
    batch.forEach(({ urlId }, at) => {
      const answer = answers[at]
      if (answer?.fresh) this.#receipts.set(urlId, answer.saved.id)
    })
    return answers.map(({ saved }) => saved)
  }

  async undelivered(): Promise<readonly Undelivered[]> {
    const acknowledged = new Set(this.#acknowledged)
    return this.#sql.undelivered
      .all(this.#crawlId)
      .map((row) => ({
        urlId: numberOf(row, 'url_id'),
        saved: savedFrom(row),
        receipt: row.receipt instanceof Uint8Array ? row.receipt : new Uint8Array(),
      }))
      .filter(({ urlId }) => !acknowledged.has(urlId))
  }

  acknowledge(urlIds: readonly number[]): void {
    for (const urlId of urlIds) if (this.#receipts.has(urlId)) this.#acknowledged.push(urlId)
  }

  async count(): Promise<number> {
    return this.#totals.stored
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
        this.#totals.committed()
        for (const urlId of this.#acknowledged) this.#receipts.delete(urlId)
        this.#acknowledged = []
        return result
      } catch (error) {
        this.#totals.discard()
        throw error
      }
    })
  }

  #forgetAcknowledged<T>(thenWork: () => T): T {
    for (const urlId of this.#acknowledged) {
      this.#sql.forget.run(this.#receipts.get(urlId) ?? null)
    }
    return thenWork()
  }

  #saveOne(entry: PageToSave, html: Uint8Array | null): Answer {
    const { url } = entry.page.fields
    const saved = this.#full ? null : this.#insert(entry, html)
    if (saved !== null) return { fresh: true, saved }
    const row = this.#sql.known.get(this.#crawlId, url)
    return { fresh: false, saved: row ? savedFrom(row) : { outcome: 'over-limit' } }
  }

  /** The job has all that it may have; pages of the batch that is being written count. */
  get #full(): boolean {
    const { maxPages, maxHot } = this.#limits
    const { stored, hot } = this.#totals
    return stored >= maxPages || (maxHot !== null && hot >= maxHot)
  }

  /** Null when the URL has its row already. */
  #insert({ page, urlId, receipt }: PageToSave, html: Uint8Array | null): Kept | null {
    const { fields, parts } = page
    const first =
      this.#sql.first.get(this.#crawlId, fields.contentHash) ?? this.#canonicalTwin(fields)
    const duplicateOf = first ? numberOf(first, 'id') : null
    const id = numberOf(this.#sql.nextId.get() ?? {}, 'last')
    const row = pageToRow(this.#crawlId, duplicateOf, fields)
    if (this.#sql.page.run(id, ...row).changes === 0) return null
    this.#sql.parts.run(id, ...PARTS.map((part) => jsonOrNull(parts[part])))
    if (html !== null) this.#sql.html.run(id, html)
    this.#sql.receipt.run(id, urlId, this.#crawlId, receipt)
    this.#sql.added.run(this.#crawlId, id, fields.fetchedAt)
    this.#totals.count(hostOf(fields.url), {
      duplicate: first !== undefined,
      bytes: fields.sizeBytes,
      judged: fields.relevance !== null,
      hot: fields.hot,
    })
    return first ? { outcome: 'duplicate', id, of: urlOf(first, 'url') } : { outcome: 'stored', id }
  }

  /** The stored page this one calls its canonical form, if the two are near-equal indeed. */
  #canonicalTwin({ url, canonicalUrl, contentText }: PageFields): TwinRow | undefined {
    if (canonicalUrl === null || canonicalUrl === url) return undefined
    const twin = this.#sql.twin.get(this.#crawlId, canonicalUrl)
    if (twin === undefined || contentText === '') return undefined
    return nearEqual(contentText, textOf(twin, 'content_text')) ? twin : undefined
  }
}

type TwinRow = Record<string, SQLOutputValue>
type Statements = ReturnType<typeof prepare>

function prepare(db: DatabaseSync) {
  const holes = (count: number) => Array(count).fill('?').join(', ')
  return {
    nextId: db.prepare('UPDATE page_ids SET last = last + 1 RETURNING last'),
    page: db.prepare(`
      INSERT INTO pages (id, ${PAGE_COLUMNS.join(', ')}) VALUES (${holes(PAGE_COLUMNS.length + 1)})
      ON CONFLICT (crawl_id, url) DO NOTHING`),
    added: db.prepare(`
      INSERT INTO page_changes (crawl_id, page_id, change, at) VALUES (?, ?, 'add', ?)`),
    parts: db.prepare(`
      INSERT INTO page_parts (page_id, ${PARTS.join(', ')}) VALUES (${holes(PARTS.length + 1)})`),
    html: db.prepare('INSERT INTO page_html (page_id, html) VALUES (?, ?)'),
    receipt: db.prepare(
      'INSERT INTO undelivered (page_id, url_id, crawl_id, receipt) VALUES (?, ?, ?, ?)',
    ),
    forget: db.prepare('DELETE FROM undelivered WHERE page_id = ?'),
    receipts: db.prepare('SELECT page_id, url_id FROM undelivered WHERE crawl_id = ?'),
    first: db.prepare(`
      SELECT id, url FROM pages
      WHERE crawl_id = ? AND content_hash = ? AND duplicate_of IS NULL`),
    twin: db.prepare(`
      SELECT id, url, content_text FROM pages
      WHERE crawl_id = ? AND url = ? AND duplicate_of IS NULL AND noindex = 0`),
    known: db.prepare(`
      SELECT p.id AS page_id, first.url AS of FROM pages p
      LEFT JOIN pages first ON first.id = p.duplicate_of
      WHERE p.crawl_id = ? AND p.url = ?`),
    undelivered: db.prepare(`
      SELECT u.url_id, u.receipt, u.page_id, first.url AS of FROM undelivered u
      JOIN pages p ON p.id = u.page_id
      LEFT JOIN pages first ON first.id = p.duplicate_of
      WHERE u.crawl_id = ? ORDER BY u.page_id`),
  } as const satisfies Record<string, StatementSync>
}

async function compressed(page: NewPage): Promise<Uint8Array | null> {
  return page.html === null ? null : compress(page.html, LEVEL)
}

/** From a row with `page_id` and `of`, the URL it repeats. */
function savedFrom(row: Readonly<Record<string, SQLOutputValue>>): Kept {
  const id = numberOf(row, 'page_id')
  return row.of === null
    ? { outcome: 'stored', id }
    : { outcome: 'duplicate', id, of: urlOf(row, 'of') }
}

function jsonOrNull(json: string | undefined): string | null {
  return json === undefined ? null : jsonWithoutNul(json)
}

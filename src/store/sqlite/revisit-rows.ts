// Stored pages that a recrawl visits again, and their duplicates. Runs inside a transaction; nothing here begins or
// ends one.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { STORED_PARTS } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { type SavedPage, withoutContent } from '../page-diff.ts'
import type { CheckedPage, KnownPage, Original, RevisitRows } from '../page-revisits.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'
import type { HostTotals, PageWriter } from './page-writer.ts'

type RevisitRowsOptions = {
  readonly db: DatabaseSync
  readonly crawlId: number
  /** The number of the recrawl; 0: this is none. */
  readonly round: number
  readonly sums: HostTotals
  readonly writer: PageWriter
}

/** Its row has the URL of its original as `of`. */
export type RowOfPage = KnownPage & { readonly of: CanonicalUrl | null }

type Counts = { added: number; changed: number; gone: number; unchanged: number }

const NOTHING: Counts = { added: 0, changed: 0, gone: 0, unchanged: 0 }

export class SqliteRevisitRows implements RevisitRows<RowOfPage> {
  readonly sums: HostTotals
  readonly round: number
  readonly afterPage: number
  readonly #crawlId: number
  readonly #writer: PageWriter
  readonly #sql: Statements
  readonly #inherit: readonly StatementSync[]
  /** Counted while a batch is written, then written in its transaction. */
  #found: Counts = { ...NOTHING }

  constructor({ db, crawlId, round, sums, writer }: RevisitRowsOptions) {
    this.sums = sums
    this.round = round
    this.#crawlId = crawlId
    this.#writer = writer
    this.#sql = prepare(db)
    this.#inherit = INHERIT.map((sql) => db.prepare(sql))
    const began = db.prepare('SELECT after_page FROM crawl_rounds WHERE crawl_id = ? AND round = ?')
    this.afterPage = numberOf(began.get(crawlId, round) ?? {}, 'after_page')
  }

  /** A page with all its columns and parts. */
  whole(url: CanonicalUrl): RowOfPage | undefined {
    const row = this.#sql.whole.get(this.#crawlId, url)
    return row && { ...pageFrom(row), row }
  }

  /** A page without its text and parts. */
  brief(url: CanonicalUrl): RowOfPage | undefined {
    const row = this.#sql.brief.get(this.#crawlId, url)
    return row && pageFrom(row)
  }

  withContent(contentHash: string, id: number): Original | undefined {
    const row = this.#sql.withContent.get(this.#crawlId, contentHash, id)
    return row && pageFrom(row)
  }

  originalAt(url: string, id: number): Original | undefined {
    const row = this.#sql.originalAt.get(this.#crawlId, url, id)
    return row && pageFrom(row)
  }

  checkOf(id: number): Row | undefined {
    return this.#sql.check.get(id)
  }

  urlOfOriginal({ of }: RowOfPage): CanonicalUrl | null {
    return of
  }

  duplicatesOf(id: number): readonly RowOfPage[] {
    return this.#sql.duplicates.all(this.round, id).map(pageFrom)
  }

  touch({ id, duplicateOf }: RowOfPage, saved: SavedPage): void {
    this.#writer.touch(id, duplicateOf === null ? saved : withoutContent(saved, false))
  }

  revalidate({ id }: RowOfPage, etag: string, lastModified: string): void {
    this.#writer.revalidate(id, etag, lastModified)
  }

  replace({ id }: RowOfPage, saved: SavedPage, original: Original | undefined): void {
    this.#writer.replace(id, keptOf(saved, original), original?.id ?? null)
  }

  inherit(heir: RowOfPage, from: number): void {
    for (const statement of this.#inherit) statement.run(from, heir.id)
  }

  follow({ id }: RowOfPage, original: number | null, at: number): void {
    this.#sql.follow.run(original, id)
    this.#writer.log(id, 'change', at)
  }

  remove({ id, url }: RowOfPage, reason: string, at: number): void {
    this.#writer.remove(id, { url, reason, at })
  }

  keepCheck({ id }: RowOfPage, check: CheckedPage): void {
    this.#sql.keepCheck.run(
      ...[id, this.#crawlId, this.round, check.checkedAt, check.checks, check.changes],
      ...[check.intervalMs, check.seen, check.seenChanged, check.seenMs],
    )
  }

  countFound(what: keyof Counts): void {
    this.#found[what]++
  }

  /** Writes what was counted; called inside the transaction of the batch. */
  write(): void {
    const { added, changed, gone, unchanged } = this.#found
    if (this.round === 0) return
    this.#sql.addFound.run(added, changed, gone, unchanged, this.#crawlId, this.round)
  }

  /** Forgets what was counted: it was written, or its transaction has failed. */
  clear(): void {
    this.#found = { ...NOTHING }
  }
}

/** What is kept of a page; of a duplicate less, as its original has it. */
export function keptOf(saved: SavedPage, original: Original | undefined): SavedPage {
  if (original === undefined) return saved
  return withoutContent(saved, original.contentHash === saved.page.fields.contentHash)
}

/** From the columns of `pages` that were read. */
export function pageFrom(row: Row): RowOfPage {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    canonicalUrl: typeof row.canonical_url === 'string' ? row.canonical_url : null,
    contentHash: textOf(row, 'content_hash'),
    text: typeof row.content_text === 'string' ? row.content_text : null,
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    of: typeof row.of === 'string' ? urlOf(row, 'of') : null,
    sizeBytes: numberOf(row, 'size_bytes'),
    relevance: numberOrNull(row, 'relevance'),
    hot: row.hot === 1,
    kind: textOf(row, 'kind'),
    fetchedAt: numberOf(row, 'fetched_at'),
    row: null,
  }
}

const BRIEF = 'p.id, p.url, p.kind, p.fetched_at, p.duplicate_of, p.size_bytes, p.relevance, p.hot'
const INHERIT = [
  `UPDATE pages SET (content_text, markdown) = (SELECT content_text, markdown FROM pages WHERE id = ?1)
   WHERE id = ?2 AND content_text = ''`,
  `INSERT OR REPLACE INTO page_parts (page_id, ${STORED_PARTS.join(', ')})
   SELECT ?2, ${STORED_PARTS.join(', ')} FROM page_parts WHERE page_id = ?1`,
  `INSERT OR REPLACE INTO page_html (page_id, html)
   SELECT ?2, html FROM page_html WHERE page_id = ?1`,
]

type Statements = ReturnType<typeof prepare>

function prepare(db: DatabaseSync) {
  return {
    whole: db.prepare(`
      SELECT p.*, ${STORED_PARTS.join(', ')}, first.url AS of FROM pages p
      LEFT JOIN page_parts parts ON parts.page_id = p.id
      LEFT JOIN pages first ON first.id = p.duplicate_of
      WHERE p.crawl_id = ? AND p.url = ?`),
    brief: db.prepare(`SELECT ${BRIEF} FROM pages p WHERE p.crawl_id = ? AND p.url = ?`),
    withContent: db.prepare(`
      SELECT id, url, content_hash FROM pages
      WHERE crawl_id = ? AND content_hash = ? AND duplicate_of IS NULL AND id <> ?`),
    originalAt: db.prepare(`
      SELECT id, url, content_hash, content_text FROM pages
      WHERE crawl_id = ? AND url = ? AND duplicate_of IS NULL AND noindex = 0 AND id <> ?`),
    duplicates: db.prepare(`
      SELECT ${BRIEF}, p.canonical_url, coalesce(c.round = ?, 0) AS looked_at
      FROM pages p LEFT JOIN page_checks c ON c.page_id = p.id
      WHERE p.duplicate_of = ?
      ORDER BY looked_at DESC, CASE looked_at WHEN 1 THEN p.id ELSE -p.id END`),
    follow: db.prepare('UPDATE pages SET duplicate_of = ? WHERE id = ?'),
    check: db.prepare('SELECT * FROM page_checks WHERE page_id = ?'),
    keepCheck: db.prepare(`
      INSERT OR REPLACE INTO page_checks (page_id, crawl_id, round, checked_at, checks, changes,
        interval_ms, seen, seen_changed, seen_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    addFound: db.prepare(`
      UPDATE crawl_rounds SET added = added + ?, changed = changed + ?, gone = gone + ?,
        unchanged = unchanged + ?
      WHERE crawl_id = ? AND round = ?`),
  } as const satisfies Record<string, StatementSync>
}

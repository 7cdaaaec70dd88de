// The rows of a page: written, written over, deleted, each with what the log of changes says of it.
// Runs inside a transaction; nothing here begins or ends one.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type NewPage, STORED_PARTS } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Change } from '../change-feed.ts'
import { type CountedPage, HostSums, type Stock } from '../host-sums.ts'
import {
  LONG_COLUMNS,
  PAGE_COLUMNS,
  pageToRow,
  partTexts,
  UNSEEN_COLUMNS,
} from '../page-columns.ts'
import type { SavedPage } from '../page-diff.ts'
import { numberOf } from '../row-values.ts'
import { PackedPage } from './packed-page.ts'

/** Told of a page that is gone: nobody can ask for these any more. */
type Tombstone = { readonly url: CanonicalUrl; readonly reason: string; readonly at: number }

const OF_A_PAGE = [
  'page_parts',
  'page_html',
  'page_importance',
  'page_checks',
  'best_pages',
] as const

export class PageWriter {
  readonly #crawlId: number
  readonly #sql: Statements

  constructor(db: DatabaseSync, crawlId: number) {
    this.#crawlId = crawlId
    this.#sql = prepare(db)
  }

  /** The new page's id; null when its URL has a row already. */
  insert({ page, html }: SavedPage, duplicateOf: number | null): number | null {
    const id = numberOf(this.#sql.nextId.get() ?? {}, 'last')
    const row = rowOf(this.#crawlId, duplicateOf, page)
    if (this.#sql.insert.run(id, ...row).changes === 0) return null
    if (duplicateOf === null) this.#sql.parts.run(id, ...partsOf(page))
    if (html !== null) this.#sql.html.run(id, html)
    this.log(id, 'add', page.fields.fetchedAt)
    return id
  }

  /** The page is another one from now on, under the same id. */
  replace(id: number, { page, html }: SavedPage, duplicateOf: number | null): void {
    this.#sql.replace.run(...pageToRow(this.#crawlId, duplicateOf, page.fields), id)
    this.#keepParts(id, { page, html })
    this.log(id, 'change', page.fields.fetchedAt)
  }

  /** Nothing that counts as a change differs: since when it is so, and what it is, stays. */
  touch(id: number, { page, html }: SavedPage): void {
    const row = pageToRow(this.#crawlId, null, page.fields)
    const unseen = UNSEEN_COLUMNS.map((column) => row[PAGE_COLUMNS.indexOf(column)] ?? null)
    this.#sql.touch.run(...unseen, id)
    this.#keepParts(id, { page, html })
  }

  /** New validators, where there are any. */
  revalidate(id: number, etag: SQLInputValue, lastModified: SQLInputValue): void {
    this.#sql.revalidate.run(etag, lastModified, id)
  }

  remove(id: number, { url, reason, at }: Tombstone): void {
    for (const forget of this.#sql.forget) forget.run(id)
    this.#sql.remove.run(id)
    this.#sql.removed.run(this.#crawlId, id, Math.round(at), url, reason)
  }

  /** Tells of a change that was made. */
  log(id: number, change: Extract<Change, 'add' | 'change'>, at: number): void {
    this.#sql.log.run(this.#crawlId, id, change, Math.round(at))
  }

  #keepParts(id: number, { page, html }: SavedPage): void {
    this.#sql.parts.run(id, ...partsOf(page))
    if (html === null) this.#sql.noHtml.run(id)
    else this.#sql.html.run(id, html)
  }
}

type Statements = ReturnType<typeof prepare>

function prepare(db: DatabaseSync) {
  // Long texts may come as bytes.
  const text = 'CAST(? AS TEXT)'
  const isLong = new Set<string>(LONG_COLUMNS)
  const values = PAGE_COLUMNS.map((column) => (isLong.has(column) ? text : '?')).join(', ')
  const set = (columns: readonly string[]) => columns.map((column) => `${column} = ?`).join(', ')
  return {
    nextId: db.prepare('UPDATE page_ids SET last = last + 1 RETURNING last'),
    insert: db.prepare(`
      INSERT INTO pages (id, ${PAGE_COLUMNS.join(', ')}) VALUES (?, ${values})
      ON CONFLICT (crawl_id, url) DO NOTHING`),
    replace: db.prepare(`UPDATE pages SET ${set(PAGE_COLUMNS)} WHERE id = ?`),
    touch: db.prepare(`UPDATE pages SET ${set(UNSEEN_COLUMNS)} WHERE id = ?`),
    revalidate: db.prepare(`
      UPDATE pages SET etag = coalesce(nullif(?, ''), etag),
        last_modified = coalesce(nullif(?, ''), last_modified)
      WHERE id = ?`),
    parts: db.prepare(`
      INSERT OR REPLACE INTO page_parts (page_id, ${STORED_PARTS.join(', ')})
      VALUES (?, ${STORED_PARTS.map(() => text).join(', ')})`),
    html: db.prepare('INSERT OR REPLACE INTO page_html (page_id, html) VALUES (?, ?)'),
    noHtml: db.prepare('DELETE FROM page_html WHERE page_id = ?'),
    log: db.prepare('INSERT INTO page_changes (crawl_id, page_id, change, at) VALUES (?, ?, ?, ?)'),
    forget: OF_A_PAGE.map((table) => db.prepare(`DELETE FROM ${table} WHERE page_id = ?`)),
    remove: db.prepare('DELETE FROM pages WHERE id = ?'),
    removed: db.prepare(`
      INSERT INTO page_changes (crawl_id, page_id, change, at, url, reason)
      VALUES (?, ?, 'delete', ?, ?, ?)`),
  } as const satisfies Record<string, StatementSync | readonly StatementSync[]>
}

function rowOf(crawlId: number, duplicateOf: number | null, page: NewPage): SQLInputValue[] {
  if (!(page instanceof PackedPage)) return pageToRow(crawlId, duplicateOf, page.fields)
  const [, , ...rest] = page.row
  return [crawlId, duplicateOf, ...rest]
}

function partsOf(page: NewPage): readonly SQLInputValue[] {
  return page instanceof PackedPage ? page.partsRow : partTexts(page.parts)
}

/**
 * How much of each host a crawl has stored: counted in memory while a batch is written, then added to the
 * table in the same transaction, so that totals and pages never disagree.
 */
export class HostTotals {
  readonly #crawlId: number
  readonly #insert: StatementSync
  readonly #stock: StatementSync
  /** On top of what is in the file. */
  #batch: HostSums

  constructor(db: DatabaseSync, crawlId: number) {
    this.#crawlId = crawlId
    this.#insert = db.prepare(`
      INSERT INTO host_totals (crawl_id, host, stored, duplicates, bytes, judged, hot)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET stored = stored + excluded.stored,
        duplicates = duplicates + excluded.duplicates, bytes = bytes + excluded.bytes,
        judged = judged + excluded.judged, hot = hot + excluded.hot`)
    this.#stock = db.prepare('SELECT stored, hot FROM crawl_counts WHERE crawl_id = ?')
    this.#batch = new HostSums(this.#inFile())
  }

  /** Call it first in every transaction: other parsers of this crawl have stored pages, too. */
  begin(): void {
    this.#batch = new HostSums(this.#inFile())
  }

  /** What is in the file now, whoever wrote it. */
  storedInFile(): number {
    return this.#inFile().stored
  }

  /** Pages stored so far, with those of the batch that is being written; duplicates not counted. */
  get stored(): number {
    return this.#batch.stored
  }

  /** The hot ones among them. */
  get hot(): number {
    return this.#batch.hot
  }

  count(host: string, page: CountedPage): void {
    this.#batch.count(host, page)
  }

  /** The page is gone, or has changed and is counted again. */
  uncount(host: string, page: CountedPage): void {
    this.#batch.uncount(host, page)
  }

  /** Adds the batch to the table; to be called inside its transaction. */
  write(): void {
    for (const [host, { stored, duplicates, bytes, judged, hot }] of this.#batch.sums()) {
      this.#insert.run(this.#crawlId, host, stored, duplicates, bytes, judged, hot)
    }
  }

  #inFile(): Stock {
    const row = this.#stock.get(this.#crawlId)
    return { stored: Number(row?.stored ?? 0), hot: Number(row?.hot ?? 0) }
  }
}

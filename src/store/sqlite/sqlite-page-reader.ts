// Pages as readers see them. Every call is one short read: a crawl that writes is never in the way.
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { CrawlerError } from '../../core/errors.ts'
import {
  PARTS,
  type PageHistory,
  type PageLink,
  type PageParts,
  type StoredPage,
} from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { openSqliteReader } from '../../db/sqlite.ts'
import { pageFromRow, partsFromRow } from '../page-rows.ts'
import type { PageReader, PageTotals } from '../page-store.ts'
import { goneFromRow, looksFromRow, totalsFromRows } from '../reader-rows.ts'
import { textOf, urlOf } from '../row-values.ts'

const decompress = promisify(zstdDecompress)

type ListOptions = Parameters<PageReader['list']>[0]

export async function openSqlitePageReader(path: string): Promise<PageReader> {
  const db = openSqliteReader(path, 'store')
  if (db !== null) return new SqlitePageReader(db)
  throw new CrawlerError('store-unreachable', `there is no crawl at ${path} yet`)
}

export class SqlitePageReader implements PageReader {
  readonly #db: DatabaseSync
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#sql = prepare(db)
  }

  async get(id: number): Promise<StoredPage | null> {
    const row = this.#sql.byId.get(id)
    return row ? pageFromRow(row) : null
  }

  async findByUrl(crawlId: number, url: CanonicalUrl): Promise<StoredPage | null> {
    const row = this.#sql.byUrl.get(crawlId, url)
    return row ? pageFromRow(row) : null
  }

  async list(options: ListOptions): Promise<readonly StoredPage[]> {
    const { crawlId, after, limit, host, hot, minRelevance } = options
    const wanted: [condition: string, value: string | number][] = [
      ['crawl_id = ?', crawlId],
      ['id > ?', after],
    ]
    if (host !== undefined) wanted.push(['host = ?', host])
    if (hot === true) wanted.push(['hot = ?', 1])
    if (minRelevance !== undefined) wanted.push(['relevance >= ?', minRelevance])
    const where = wanted.map(([condition]) => condition).join(' AND ')
    return this.#db
      .prepare(`SELECT * FROM pages WHERE ${where} ORDER BY id LIMIT ?`)
      .all(...wanted.map(([, value]) => value), limit)
      .map(pageFromRow)
  }

  async linksOf(pageId: number): Promise<readonly PageLink[]> {
    return this.#sql.links.all(pageId).map((row) => ({
      pageId,
      url: urlOf(row, 'url'),
      anchor: textOf(row, 'anchor'),
      rel: textOf(row, 'rel'),
    }))
  }

  async partsOf(pageId: number): Promise<PageParts> {
    const row = this.#sql.parts.get(pageId) ?? {}
    return partsFromRow(row, PARTS)
  }

  async htmlOf(pageId: number): Promise<Uint8Array | null> {
    const html = this.#sql.html.get(pageId)?.html
    return html instanceof Uint8Array ? decompress(html) : null
  }

  async historyOf(crawlId: number, url: CanonicalUrl): Promise<PageHistory> {
    const isStored = this.#sql.byUrl.get(crawlId, url) !== undefined
    const looks = this.#sql.looks.get(crawlId, url)
    const gone = isStored ? undefined : this.#sql.gone.get(url, crawlId)
    return {
      looks: looks === undefined ? null : looksFromRow(looks),
      gone: gone === undefined ? null : goneFromRow(gone),
    }
  }

  async totals(crawlId: number): Promise<PageTotals> {
    return totalsFromRows(this.#sql.totals.all(crawlId))
  }

  async truncated(crawlId: number): Promise<number> {
    return Number(this.#sql.truncated.get(crawlId)?.n ?? 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }
}

function prepare(db: DatabaseSync) {
  return {
    byId: db.prepare('SELECT * FROM pages WHERE id = ?'),
    byUrl: db.prepare('SELECT * FROM pages WHERE crawl_id = ? AND url = ?'),
    links: db.prepare('SELECT url, anchor, rel FROM page_links WHERE page_id = ?'),
    parts: db.prepare('SELECT * FROM page_parts WHERE page_id = ?'),
    html: db.prepare('SELECT html FROM page_html WHERE page_id = ?'),
    looks: db.prepare(`
      SELECT c.* FROM pages p JOIN page_checks c ON c.page_id = p.id
      WHERE p.crawl_id = ? AND p.url = ?`),
    gone: db.prepare(`
      SELECT page_id, at, reason, coalesce((SELECT max(round) FROM crawl_rounds r
        WHERE r.crawl_id = gone.crawl_id AND r.began_at <= gone.at), 1) AS round
      FROM page_changes gone WHERE change = 'delete' AND url = ? AND crawl_id = ?
      ORDER BY cursor DESC LIMIT 1`),
    truncated: db.prepare(`
      SELECT count(*) AS n FROM pages
      WHERE crawl_id = ? AND truncated = 1 AND duplicate_of IS NULL`),
    totals: db.prepare(`
      SELECT * FROM host_totals WHERE crawl_id = ? ORDER BY stored DESC, host`),
  }
}

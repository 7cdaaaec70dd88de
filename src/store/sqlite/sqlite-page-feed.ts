// The pages of all crawls, one after the other.
import type { DatabaseSync } from 'node:sqlite'
import { openSqliteReader } from '../../db/sqlite.ts'
import type { FeedCrawl, FeedPage, PageFeed } from '../page-feed.ts'
import { numberOf, numberOrNull, pageFromRow, textOf } from './page-row.ts'

/** Null when there is no store yet. */
export async function openSqlitePageFeed(path: string): Promise<PageFeed | null> {
  const db = openSqliteReader(path, 'store')
  return db === null ? null : new SqlitePageFeed(db)
}

class SqlitePageFeed implements PageFeed {
  readonly #db: DatabaseSync
  readonly #sql: ReturnType<typeof prepare>
  /** As of a version of the file, which changes with every commit of others. */
  #crawls: { readonly version: number; readonly list: readonly FeedCrawl[] } | null = null

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#sql = prepare(db)
  }

  async after(
    id: number,
    limits: { readonly pages: number; readonly chars: number },
  ): Promise<readonly FeedPage[]> {
    const pages: FeedPage[] = []
    let chars = 0
    for (const row of this.#sql.after.iterate(id, limits.pages)) {
      const page = pageFromRow(row)
      pages.push(page)
      chars += page.contentText.length
      if (chars >= limits.chars) break
    }
    return pages
  }

  async pages(ids: readonly number[]): Promise<readonly FeedPage[]> {
    return ids.flatMap((id) => {
      const row = this.#sql.page.get(id)
      return row === undefined ? [] : [pageFromRow(row)]
    })
  }

  async crawls(): Promise<readonly FeedCrawl[]> {
    const version = numberOf(this.#sql.version.get() ?? {}, 'data_version')
    if (this.#crawls?.version !== version) this.#crawls = { version, list: this.#listCrawls() }
    return this.#crawls.list
  }

  async hotPages(crawlId: number): Promise<readonly number[]> {
    return this.#sql.hot.all(crawlId).map((row) => numberOf(row, 'id'))
  }

  async countAfter(id: number): Promise<number> {
    const isLast = numberOf(this.#sql.last.get() ?? {}, 'id') <= id
    return isLast ? 0 : numberOf(this.#sql.count.get(id) ?? {}, 'count')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #listCrawls(): FeedCrawl[] {
    return this.#sql.crawls.all().map((row) => {
      const endedAt = numberOrNull(row, 'ended_at')
      const hotMark = endedAt === null ? null : `${endedAt}:${numberOf(row, 'hot')}`
      return { id: numberOf(row, 'id'), mark: textOf(row, 'salt'), hotMark }
    })
  }
}

const COLUMNS = `id, crawl_id, url, title, description, keywords, language, kind, hot, fetched_at,
  noindex, duplicate_of, content_text`

function prepare(db: DatabaseSync) {
  return {
    after: db.prepare(`SELECT ${COLUMNS} FROM pages WHERE id > ? ORDER BY id LIMIT ?`),
    page: db.prepare(`SELECT ${COLUMNS} FROM pages WHERE id = ?`),
    version: db.prepare('PRAGMA data_version'),
    crawls: db.prepare(`
      SELECT id, salt, ended_at,
        (SELECT sum(hot) FROM host_totals WHERE crawl_id = crawls.id) AS hot
      FROM crawls ORDER BY id`),
    hot: db.prepare(`
      SELECT id FROM pages WHERE crawl_id = ? AND hot = 1 AND duplicate_of IS NULL`),
    last: db.prepare('SELECT max(id) AS id FROM pages'),
    // The index on crawls has all ids and no texts beside them.
    count: db.prepare('SELECT count(*) AS count FROM pages INDEXED BY pages_by_crawl WHERE id > ?'),
  }
}

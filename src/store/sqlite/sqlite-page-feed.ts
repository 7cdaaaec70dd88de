// The pages of all crawls, by id.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { topicText } from '../../core/topic-text.ts'
import { openSqliteReader } from '../../db/sqlite.ts'
import { decodeSettings } from '../../options/settings.ts'
import type { FeedCrawl, FeedPage, PageFeed, SomePages } from '../page-feed.ts'
import { pageFromRow } from '../page-rows.ts'
import { feedCrawlFromRow } from '../reader-rows.ts'
import { jsonOf, numberOf } from '../row-values.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

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

  async pages(ids: readonly number[]): Promise<readonly FeedPage[]> {
    return (await this.somePages(ids, Number.POSITIVE_INFINITY)).pages
  }

  async somePages(ids: readonly number[], maxChars: number): Promise<SomePages> {
    const pages: FeedPage[] = []
    let read = 0
    let chars = 0
    for (const id of ids) {
      if (chars >= maxChars) break
      read++
      const row = this.#sql.page.get(id)
      if (row === undefined) continue
      const page = pageFromRow(row)
      pages.push(page)
      chars += page.contentText.length
    }
    return { pages, read }
  }

  async crawls(): Promise<readonly FeedCrawl[]> {
    const version = numberOf(this.#sql.version.get() ?? {}, 'data_version')
    if (this.#crawls?.version !== version) this.#crawls = { version, list: this.#listCrawls() }
    return this.#crawls.list
  }

  async hotPages(crawlId: number): Promise<readonly number[]> {
    return this.#sql.hot.all(crawlId).map((row) => numberOf(row, 'id'))
  }

  async ranks(crawlId: number): Promise<Iterable<readonly [pageId: number, rank: number]>> {
    return ranksFrom(this.#sql.ranks.iterate(crawlId))
  }

  async topics(): Promise<ReadonlyMap<number, string>> {
    const topics = this.#sql.settings.all().map((row): [number, string] => {
      const settings = decodeSettings(jsonOf(row, 'settings'))
      return [numberOf(row, 'id'), topicText(settings)]
    })
    return new Map(topics.filter(([, topic]) => topic !== ''))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #listCrawls(): FeedCrawl[] {
    return this.#sql.crawls.all().map(feedCrawlFromRow)
  }
}

function* ranksFrom(rows: Iterable<Row>): Generator<readonly [pageId: number, rank: number]> {
  for (const row of rows) yield [numberOf(row, 'page_id'), numberOf(row, 'pagerank')]
}

const COLUMNS = `id, crawl_id, url, title, description, keywords, language, kind, hot, fetched_at,
  noindex, duplicate_of, content_text`

function prepare(db: DatabaseSync) {
  return {
    page: db.prepare(`SELECT ${COLUMNS} FROM pages WHERE id = ?`),
    version: db.prepare('PRAGMA data_version'),
    // Most crawls have a topic in none of these, and need not be read.
    settings: db.prepare(`
      SELECT id, settings FROM crawls
      WHERE settings ->> 'topic' <> '' OR settings ->> 'keywords' <> '[]'
        OR settings ->> 'examples' IS NOT NULL OR settings ->> 'classifier' IS NOT NULL`),
    crawls: db.prepare(`
      SELECT id, ended_at,
        (SELECT sum(hot) FROM host_totals WHERE crawl_id = crawls.id) AS hot
      FROM crawls ORDER BY id`),
    ranks: db.prepare(`
      SELECT page_id, pagerank FROM page_importance WHERE crawl_id = ? ORDER BY page_id`),
    hot: db.prepare(`
      SELECT id FROM pages WHERE crawl_id = ? AND hot = 1 AND duplicate_of IS NULL`),
  }
}

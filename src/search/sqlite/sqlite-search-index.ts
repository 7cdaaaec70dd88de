// The index in its own file beside the store, with FTS5. It keeps no text: measured on 8,000 pages of 5,000
// characters it takes 4.0 kB per page, of which stems are 1.5; texts would take another 5. Each batch is one
// transaction without a sync: what a power cut loses is read from the store again.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SearchedPage } from '../../core/page.ts'
import { hostOf } from '../../core/url.ts'
import { inTransaction } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import { primaryLanguage } from '../../text/text.ts'
import { standings } from '../blend.ts'
import { Clusters, type NearDuplicate } from '../clusters.ts'
import { hitsFrom, matchesOf, matchingIds } from '../matches-of.ts'
import { initialOf, WordCounts } from '../near-words.ts'
import { columnsOf, headsOf } from '../page-columns.ts'
import type {
  Batch,
  Found,
  IndexedCrawl,
  PageRank,
  PagesOf,
  Position,
  Search,
  SearchIndex,
  SearchReader,
  TopicsOf,
} from '../search-index.ts'
import { StemWords, urlKey } from '../words.ts'
import { nearDuplicatesOf, SqliteClusterBook } from './cluster-book.ts'
import { INSERT_WORDS, SqliteMatcher, wordsRow } from './matching.ts'

export type SearchIndexOptions = {
  readonly path: string
  readonly pagesOf: PagesOf
  /** Missing if no crawl has a topic. */
  readonly topicsOf?: TopicsOf
}

export class SqliteSearchReader implements SearchReader {
  protected readonly db: DatabaseSync
  protected readonly path: string
  protected readonly stems = new StemWords()
  readonly #pagesOf: PagesOf
  readonly #topicsOf: TopicsOf

  constructor(db: DatabaseSync, { path, pagesOf, topicsOf }: SearchIndexOptions) {
    this.db = db
    this.path = path
    this.#pagesOf = pagesOf
    this.#topicsOf = topicsOf ?? (async () => new Map())
  }

  async position(): Promise<Position> {
    return this.reading(() => {
      const row = this.db.prepare('SELECT mark, cursor FROM search_position').get()
      return { mark: String(row?.mark ?? ''), cursor: Number(row?.cursor ?? 0) }
    })
  }

  async query(search: Search): Promise<Found> {
    const { stems } = this
    const about = { stems, topics: await this.#topicsOf() }
    const matcher = new SqliteMatcher(this.db, about)
    const { query, shown, ...found } = await this.#asking(() => matchesOf(matcher, search, about))
    return { ...found, hits: await hitsFrom(shown, { query, stems, pagesOf: this.#pagesOf }) }
  }

  async matching(search: Pick<Search, 'text' | 'columns' | 'filter'>): Promise<readonly number[]> {
    const about = { stems: this.stems, topics: await this.#topicsOf() }
    return this.#asking(() => matchingIds(new SqliteMatcher(this.db, about), search))
  }

  async nearDuplicates(pageIds: readonly number[]): Promise<readonly NearDuplicate[]> {
    return this.reading(() => nearDuplicatesOf(this.db, pageIds))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.db.isOpen) this.db.close()
  }

  async #asking<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw asCrawlerError(error, this.path)
    }
  }

  /** Translates errors of the index file, but not those of the store behind it. */
  protected reading<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asCrawlerError(error, this.path)
    }
  }
}

export class SqliteSearchIndex extends SqliteSearchReader implements SearchIndex {
  readonly #sql: ReturnType<typeof prepare>
  readonly #clusters: Clusters
  readonly #wordCounts = new WordCounts()

  constructor(db: DatabaseSync, options: SearchIndexOptions) {
    super(db, options)
    this.#sql = prepare(db)
    this.#clusters = new Clusters(new SqliteClusterBook(db))
  }

  async add({ pages, gone, position }: Batch): Promise<void> {
    this.#inTransaction(() => {
      for (const page of pages) this.#put(page)
      for (const { word, pages } of this.#wordCounts.taken()) {
        this.#sql.known.run(initialOf(word), word.length, word, pages)
      }
      for (const id of gone) this.#drop(id)
      for (const crawlId of new Set(pages.map((page) => page.crawlId))) this.#sql.crawl.run(crawlId)
      this.#sql.move.run(position.mark, position.cursor)
    })
  }

  async clear(): Promise<void> {
    this.#inTransaction(() => this.db.exec(CLEAR))
  }

  async crawls(): Promise<readonly IndexedCrawl[]> {
    const rows = this.reading(() => this.#sql.crawls.all())
    return rows.map((row) => ({
      id: Number(row.id),
      hotMark: String(row.hot_mark),
      rankMark: String(row.rank_mark),
    }))
  }

  async size(crawlId: number): Promise<number> {
    return this.reading(() => Number(this.#sql.size.get(crawlId)?.pages ?? 0))
  }

  async remove(crawlId: number, limit: number): Promise<boolean> {
    return this.#inTransaction(() => {
      const rows = this.#sql.someOf.all(crawlId, limit)
      for (const { id } of rows) this.#drop(Number(id))
      if (rows.length === limit) return false
      this.#sql.forget.run(crawlId)
      return true
    })
  }

  async markHot(crawlId: number, pageIds: readonly number[], hotMark: string): Promise<void> {
    this.#inTransaction(() => {
      this.#sql.cool.run(crawlId)
      for (const id of pageIds) this.#sql.heat.run(id, crawlId)
      this.#sql.marked.run(hotMark, crawlId)
    })
  }

  async setRanks(crawlId: number, ranks: Iterable<PageRank>, rankMark: string): Promise<void> {
    this.#inTransaction(() => {
      for (const [id, standing] of standings(ranks)) this.#sql.stand.run(standing, id, crawlId)
      this.#sql.ranked.run(rankMark, crawlId)
    })
  }

  #put(page: SearchedPage): void {
    const { id, crawlId, url, language, kind, hot, fetchedAt } = page
    if (this.#sql.isThere.get(id) !== undefined) this.#sql.dropWords.run(id)
    const said = [hostOf(url), primaryLanguage(language), kind, Number(hot)]
    this.#sql.page.run(id, crawlId, ...said, fetchedAt, urlKey(url))
    const columns = columnsOf(page, this.stems)
    this.#sql.words.run(...wordsRow(id, columns))
    this.#clusters.put(id, columns.text.join(' '), columns.title.join(' '))
    this.#wordCounts.take(headsOf(columns))
  }

  /** Words are deleted only if the page exists: other pages cost nothing. */
  #drop(id: number): void {
    this.#clusters.drop(id)
    if (this.#sql.dropPage.run(id).changes > 0) this.#sql.dropWords.run(id)
  }

  #inTransaction<T>(work: () => T): T {
    return inTransaction(this.db, work, this.path)
  }
}

/** Deletes all words in one step, not page by page. */
const CLEAR = `
  INSERT INTO page_words (page_words) VALUES ('delete-all');
  DELETE FROM searched_pages;
  DELETE FROM searched_crawls;
  DELETE FROM page_clusters;
  DELETE FROM page_sketches;
  DELETE FROM sketch_bands;
  DELETE FROM known_words;
  UPDATE search_position SET mark = '', cursor = 0;`

function prepare(db: DatabaseSync): Readonly<Record<keyof typeof SQL, StatementSync>> {
  return {
    isThere: db.prepare(SQL.isThere),
    known: db.prepare(SQL.known),
    page: db.prepare(SQL.page),
    words: db.prepare(SQL.words),
    dropPage: db.prepare(SQL.dropPage),
    dropWords: db.prepare(SQL.dropWords),
    crawl: db.prepare(SQL.crawl),
    move: db.prepare(SQL.move),
    crawls: db.prepare(SQL.crawls),
    size: db.prepare(SQL.size),
    someOf: db.prepare(SQL.someOf),
    forget: db.prepare(SQL.forget),
    cool: db.prepare(SQL.cool),
    heat: db.prepare(SQL.heat),
    marked: db.prepare(SQL.marked),
    stand: db.prepare(SQL.stand),
    ranked: db.prepare(SQL.ranked),
  }
}

const SQL = {
  isThere: 'SELECT 1 FROM searched_pages WHERE id = ?',
  known: `INSERT INTO known_words (initial, length, word, pages) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET pages = pages + excluded.pages`,
  // A replaced page keeps its other columns.
  page: `INSERT INTO searched_pages
    (id, crawl_id, host, language, kind, hot, fetched_at, url_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET crawl_id = excluded.crawl_id, host = excluded.host,
      language = excluded.language, kind = excluded.kind, hot = excluded.hot,
      fetched_at = excluded.fetched_at, url_key = excluded.url_key`,
  words: INSERT_WORDS,
  dropPage: 'DELETE FROM searched_pages WHERE id = ?',
  dropWords: 'DELETE FROM page_words WHERE rowid = ?',
  crawl: 'INSERT OR IGNORE INTO searched_crawls (id) VALUES (?)',
  move: 'UPDATE search_position SET mark = ?, cursor = ?',
  crawls: 'SELECT * FROM searched_crawls ORDER BY id',
  size: 'SELECT count(*) AS pages FROM searched_pages WHERE crawl_id = ?',
  someOf: 'SELECT id FROM searched_pages WHERE crawl_id = ? LIMIT ?',
  forget: 'DELETE FROM searched_crawls WHERE id = ?',
  cool: 'UPDATE searched_pages SET hot = 0 WHERE crawl_id = ? AND hot = 1',
  heat: 'UPDATE searched_pages SET hot = 1 WHERE id = ? AND crawl_id = ?',
  marked: 'UPDATE searched_crawls SET hot_mark = ? WHERE id = ?',
  // A change too small to move a page in a list is not written.
  stand: `UPDATE searched_pages SET standing = ?1
    WHERE id = ?2 AND crawl_id = ?3 AND abs(standing - ?1) > 0.005`,
  ranked: 'UPDATE searched_crawls SET rank_mark = ? WHERE id = ?',
} as const

// The index in its own file beside the store: segments of postings (src/search/segments), as rows of bytes. It
// keeps no text. Each batch is one transaction without a sync: what a power cut loses is read from the store
// again.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SearchedPage } from '../../core/page.ts'
import { hostOf } from '../../core/url.ts'
import { inTransaction } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import { primaryLanguage } from '../../text/text.ts'
import { standings } from '../blend.ts'
import { Clusters, type NearDuplicate } from '../clusters.ts'
import { distinctTexts, hostKey, linkKey } from '../link-texts.ts'
import type { Matcher } from '../matcher.ts'
import type { MatchesOptions } from '../matches-of.ts'
import { MatchingReader, type MatchingReaderOptions } from '../matching-reader.ts'
import { initialOf, WordCounts } from '../near-words.ts'
import { columnsOf, headsOf } from '../page-columns.ts'
import type { Batch, IndexedCrawl, PageRank, Position, SearchIndex } from '../search-index.ts'
import { ChangedColumns } from '../segments/doc-columns.ts'
import { SegmentMatcher } from '../segments/segment-matcher.ts'
import { SegmentReader } from '../segments/segment-reader.ts'
import { titleWords } from '../title-words.ts'
import { nearDuplicatesOf, SqliteClusterBook } from './cluster-book.ts'
import { IndexState } from './index-state.ts'
import { SqliteLinkTexts } from './link-book.ts'
import { type PageNews, PageWrites } from './page-writes.ts'
import { SegmentTables } from './segment-tables.ts'
import { SqliteTitleList, SqliteTitleWords } from './title-list.ts'
import { SqliteWordList } from './word-list.ts'

export type SearchIndexOptions = MatchingReaderOptions & {
  readonly path: string
  /** Common words are looked for once there are so many pages; a few thousand if missing. */
  readonly commonFrom?: number
}

export class SqliteSearchReader extends MatchingReader {
  protected readonly db: DatabaseSync
  protected readonly path: string
  protected readonly tables: SegmentTables
  protected readonly segments: SegmentReader
  protected readonly columns: ChangedColumns
  protected readonly state: IndexState
  readonly #docOf: StatementSync
  /** Those that are not over. */
  #searches = 0
  readonly #linkTexts: SqliteLinkTexts

  constructor(db: DatabaseSync, options: SearchIndexOptions) {
    super(options)
    this.db = db
    this.path = options.path
    this.tables = new SegmentTables(db)
    this.segments = new SegmentReader(this.tables)
    this.columns = new ChangedColumns(this.tables)
    this.state = new IndexState(db, this.segments, this.columns)
    this.#docOf = db.prepare('SELECT doc FROM searched_pages WHERE id = ?')
    this.#linkTexts = new SqliteLinkTexts(db)
  }

  async position(): Promise<Position> {
    return this.reading(() => {
      const row = this.db.prepare('SELECT mark, cursor FROM search_position').get()
      return { mark: String(row?.mark ?? ''), cursor: Number(row?.cursor ?? 0) }
    })
  }

  #matcher(about: MatchesOptions): SegmentMatcher {
    return new SegmentMatcher(this.state.view(), {
      ...about,
      words: new SqliteWordList(this.db),
      titles: new SqliteTitleList(this.db),
      docsOf: (ids) => this.#docsOf(ids),
    })
  }

  protected async linkTextsOf(pages: readonly SearchedPage[]) {
    const about = (page: SearchedPage) =>
      this.#linkTexts.about(linkKey(page), hostKey(hostOf(page.url)))
    return this.reading(
      () => new Map(pages.map((page) => [page.id, distinctTexts(about(page), page.url)])),
    )
  }

  #docsOf(ids: readonly number[]): ReadonlyMap<number, number> {
    const docs = new Map<number, number>()
    for (const id of ids) {
      const doc = this.#docOf.get(id)?.doc
      if (doc !== undefined) docs.set(id, Number(doc))
    }
    return docs
  }

  async nearDuplicates(pageIds: readonly number[]): Promise<readonly NearDuplicate[]> {
    return this.reading(() => nearDuplicatesOf(this.db, pageIds))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.db.isOpen) this.db.close()
  }

  protected async languages(): Promise<readonly string[]> {
    const rows = this.reading(() =>
      this.db.prepare('SELECT language FROM searched_languages ORDER BY language').all(),
    )
    return rows.map(({ language }) => String(language))
  }

  /**
   * In one transaction: all of a search sees one state, and SQLite locks the file once. Searches side by side share it.
   * None waits for anything else meanwhile, so it is soon over.
   */
  protected async asking<T>(
    about: MatchesOptions,
    work: (matcher: Matcher) => Promise<T>,
  ): Promise<T> {
    this.#searches++
    try {
      if (!this.db.isTransaction) this.db.exec('BEGIN')
      return await work(this.#matcher(about))
    } catch (error) {
      throw asCrawlerError(error, this.path)
    } finally {
      if (--this.#searches === 0) this.endReading()
    }
  }

  /** Searches that go on read what is there then. */
  protected endReading(): void {
    if (this.db.isOpen && this.db.isTransaction) this.db.exec('COMMIT')
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
  readonly #titles: SqliteTitleWords
  readonly #pages: PageWrites
  readonly #wordCounts = new WordCounts()

  constructor(db: DatabaseSync, options: SearchIndexOptions) {
    super(db, options)
    this.#sql = prepare(db)
    this.#pages = new PageWrites({
      ...{ db, tables: this.tables, reader: this.segments, columns: this.columns },
      stems: this.stems,
      ...(options.commonFrom !== undefined && { commonFrom: options.commonFrom }),
    })
    const onMoved = (doc: number, cluster: number | null) =>
      this.#pages.set('cluster', doc, cluster ?? 0)
    this.#clusters = new Clusters(new SqliteClusterBook(db, onMoved))
    this.#titles = new SqliteTitleWords(db)
  }

  async add({ pages, gone, given, changed, position }: Batch): Promise<void> {
    this.#inTransaction(() => {
      for (const page of pages) {
        const { id } = page
        this.#put(page, {
          given: given?.get(id) ?? [],
          changed: changed?.get(id) ?? position.cursor,
        })
      }
      for (const { word, pages } of this.#wordCounts.taken()) {
        this.#sql.known.run(initialOf(word), word.length, word, pages)
      }
      for (const id of gone) this.#drop(id)
      for (const crawlId of new Set(pages.map((page) => page.crawlId))) this.#sql.crawl.run(crawlId)
      const languages = new Set(pages.map((page) => primaryLanguage(page.language)))
      for (const language of languages) this.#sql.language.run(language)
      this.#sql.move.run(position.mark, position.cursor)
    })
  }

  async clear(): Promise<void> {
    this.#inTransaction(() => this.db.exec(CLEAR))
    this.#pages.undo()
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
      const hot = (rows: readonly Readonly<Record<string, unknown>>[], value: number) => {
        for (const { doc } of rows) this.#pages.set('hot', Number(doc), value)
      }
      hot(this.#sql.cool.all(crawlId), 0)
      for (const id of pageIds) hot(this.#sql.heat.all(id, crawlId), 1)
      this.#sql.marked.run(hotMark, crawlId)
    })
  }

  async setRanks(crawlId: number, ranks: Iterable<PageRank>, rankMark: string): Promise<void> {
    this.#inTransaction(() => {
      for (const [id, standing] of standings(ranks)) this.#stand(id, standing, crawlId)
      this.#sql.ranked.run(rankMark, crawlId)
    })
  }

  #put(page: SearchedPage, news: PageNews): void {
    const columns = columnsOf(page, this.stems)
    this.#titles.drop(page.id)
    this.#pages.put(page, columns, news)
    this.#titles.put(page.id, titleWords(columns.title))
    this.#clusters.put(page.id, columns.text.join(' '), columns.title.join(' '))
    this.#wordCounts.take(headsOf(columns))
  }

  #drop(id: number): void {
    this.#clusters.drop(id)
    this.#titles.drop(id)
    this.#pages.drop(id)
  }

  /** Pages of other crawls keep their standing. */
  #stand(id: number, standing: number, crawlId: number): void {
    if (this.#sql.isMoved.get(id, crawlId, standing) === undefined) return
    this.#titles.move(id, standing)
    const doc = this.#sql.stand.get(standing, id)?.doc
    if (doc !== undefined) this.#pages.set('standing', Number(doc), standing)
  }

  #inTransaction<T>(work: () => T): T {
    this.endReading()
    this.state.isOver()
    try {
      return inTransaction(
        this.db,
        () => {
          const result = work()
          this.#pages.end()
          return result
        },
        this.path,
      )
    } catch (error) {
      this.#pages.undo()
      throw error
    }
  }
}

const CLEAR = `
  DELETE FROM segment_pieces;
  DELETE FROM term_blocks;
  DELETE FROM segments;
  DELETE FROM page_columns;
  DELETE FROM shared_values;
  DELETE FROM searched_pages;
  DELETE FROM searched_crawls;
  DELETE FROM searched_languages;
  DELETE FROM page_clusters;
  DELETE FROM page_sketches;
  DELETE FROM sketch_bands;
  DELETE FROM known_words;
  DELETE FROM common_words;
  DELETE FROM title_words;
  DELETE FROM link_texts;
  DELETE FROM given_link_texts;
  UPDATE search_position SET mark = '', cursor = 0, pages = 0, length = 0, next_doc = 0, next_link = 1, gone = 0,
    beginning = beginning + 1;`

function prepare(db: DatabaseSync): Readonly<Record<keyof typeof SQL, StatementSync>> {
  return {
    known: db.prepare(SQL.known),
    crawl: db.prepare(SQL.crawl),
    language: db.prepare(SQL.language),
    move: db.prepare(SQL.move),
    crawls: db.prepare(SQL.crawls),
    size: db.prepare(SQL.size),
    someOf: db.prepare(SQL.someOf),
    forget: db.prepare(SQL.forget),
    cool: db.prepare(SQL.cool),
    heat: db.prepare(SQL.heat),
    marked: db.prepare(SQL.marked),
    isMoved: db.prepare(SQL.isMoved),
    stand: db.prepare(SQL.stand),
    ranked: db.prepare(SQL.ranked),
  }
}

const SQL = {
  known: `INSERT INTO known_words (initial, length, word, pages) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET pages = pages + excluded.pages`,
  crawl: 'INSERT OR IGNORE INTO searched_crawls (id) VALUES (?)',
  language: 'INSERT OR IGNORE INTO searched_languages (language) VALUES (?)',
  move: 'UPDATE search_position SET mark = ?, cursor = ?',
  crawls: 'SELECT * FROM searched_crawls ORDER BY id',
  size: 'SELECT count(*) AS pages FROM searched_pages WHERE crawl_id = ?',
  someOf: 'SELECT id FROM searched_pages WHERE crawl_id = ? LIMIT ?',
  forget: 'DELETE FROM searched_crawls WHERE id = ?',
  cool: 'UPDATE searched_pages SET hot = 0 WHERE crawl_id = ? AND hot = 1 RETURNING doc',
  heat: 'UPDATE searched_pages SET hot = 1 WHERE id = ? AND crawl_id = ? RETURNING doc',
  marked: 'UPDATE searched_crawls SET hot_mark = ? WHERE id = ?',
  // A change too small to move a page in a list is not written.
  isMoved: `SELECT 1 FROM searched_pages
    WHERE id = ? AND crawl_id = ? AND abs(standing - ?) > 0.005`,
  stand: 'UPDATE searched_pages SET standing = ? WHERE id = ? RETURNING doc',
  ranked: 'UPDATE searched_crawls SET rank_mark = ? WHERE id = ?',
} as const

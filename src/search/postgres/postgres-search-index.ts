// The index in PostgreSQL, in its own schema beside the store: segments of postings (src/search/segments), as rows of
// bytes. It keeps no text. Each batch and each search is one transaction.
import type { SearchedPage } from '../../core/page.ts'
import type { Postgres, Row, Transaction } from '../../db/postgres.ts'
import { numberArray } from '../../db/postgres-array.ts'
import { standings } from '../blend.ts'
import type { NearDuplicate } from '../clusters.ts'
import type { Matcher } from '../matcher.ts'
import type { MatchesOptions } from '../matches-of.ts'
import { MatchingReader, type MatchingReaderOptions } from '../matching-reader.ts'
import type { Batch, IndexedCrawl, PageRank, Position, SearchIndex } from '../search-index.ts'
import { AwaitedMatcher } from '../segments/awaited-matcher.ts'
import { nearDuplicatesOf } from './cluster-book.ts'
import { type IndexNow, IndexState, readSegments } from './index-state.ts'
import { linkTextsOfPages } from './link-book.ts'
import { preparedBatch, someOf, takeIn } from './page-writes.ts'
import { moveTitleWords, PostgresTitleList } from './title-list.ts'
import { PostgresWordList } from './word-list.ts'
import { IndexWrites, type WriteBatch } from './write-batch.ts'

export type SearchIndexOptions = MatchingReaderOptions & {
  /** The caller closes it. */
  readonly db: Postgres
  /** Common words are looked for once there are so many pages; a few thousand if missing. */
  readonly commonFrom?: number
}

export class PostgresSearchReader extends MatchingReader {
  protected readonly db: Postgres
  readonly #state = new IndexState()

  constructor(options: SearchIndexOptions) {
    super(options)
    this.db = options.db
  }

  async position(): Promise<Position> {
    const [row] = await this.rows('SELECT mark, cursor FROM search.search_position')
    return { mark: String(row?.mark ?? ''), cursor: Number(row?.cursor ?? 0) }
  }

  async nearDuplicates(pageIds: readonly number[]): Promise<readonly NearDuplicate[]> {
    return nearDuplicatesOf((statement, values) => this.rows(statement, values), pageIds)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  protected rows(statement: string, values: readonly string[] = []): Promise<readonly Row[]> {
    return this.db.run(async (sql) => sql.unsafe<Row[]>(statement, [...values]))
  }

  protected async languages(): Promise<readonly string[]> {
    const rows = await this.rows('SELECT language FROM search.searched_languages ORDER BY language')
    return rows.map(({ language }) => String(language))
  }

  protected linkTextsOf(pages: readonly SearchedPage[]) {
    return this.db.run((sql) => linkTextsOfPages(sql, pages))
  }

  /** Reads one snapshot, whatever is written meanwhile. */
  protected async asking<T>(
    about: MatchesOptions,
    work: (matcher: Matcher) => Promise<T>,
  ): Promise<T> {
    return this.db.inTransaction(async (sql) => {
      await sql.unsafe(READING).simple()
      const now = await this.#state.read(sql)
      using _search = now.shared.segments.begin()
      return await work(this.#matcher(sql, now, about))
    })
  }

  #matcher(sql: Transaction, { view, shared }: IndexNow, about: MatchesOptions): Matcher {
    const { segments } = shared
    return new AwaitedMatcher(view, {
      ...about,
      words: new PostgresWordList(sql),
      titles: new PostgresTitleList(sql),
      read: (wants) => readSegments(sql, segments, wants),
      docsOf: async (ids) => {
        const rows = await sql.unsafe<Row[]>(DOCS, [numberArray(ids)])
        return new Map(rows.map(({ id, doc }) => [Number(id), Number(doc)]))
      },
    })
  }
}

const DOCS = 'SELECT id, doc FROM search.searched_pages WHERE id = ANY ($1::bigint[])'

/** Compiling a statement takes longer than running it. */
const READING = `
  SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
  SET LOCAL enable_seqscan = off;
  SET LOCAL jit = off`

/** Ranks written per statement. */
const MANY = 20_000

export class PostgresSearchIndex extends PostgresSearchReader implements SearchIndex {
  readonly #writes: IndexWrites

  constructor(options: SearchIndexOptions) {
    super(options)
    this.#writes = new IndexWrites(options.commonFrom)
  }

  async add({ gone, ...batch }: Batch): Promise<void> {
    const { position } = batch
    const prepared = preparedBatch(batch, this.stems)
    await this.#writing(async (written) => {
      await takeIn(written, prepared, { gone, stems: this.stems })
      await written.sql`
        UPDATE search.search_position SET mark = ${position.mark}, cursor = ${position.cursor}`
    })
    if (this.#writes.isToBeCleaned) await this.#clean()
  }

  async clear(): Promise<void> {
    await this.db.inTransaction(async (sql) => {
      await sql`SELECT 1 FROM search.search_position FOR UPDATE`
      await sql.unsafe(CLEAR).simple()
    })
  }

  async crawls(): Promise<readonly IndexedCrawl[]> {
    const rows = await this.rows('SELECT * FROM search.searched_crawls ORDER BY id')
    return rows.map((row) => ({
      id: Number(row.id),
      hotMark: String(row.hot_mark),
      rankMark: String(row.rank_mark),
    }))
  }

  async size(crawlId: number): Promise<number> {
    const [row] = await this.rows(
      'SELECT count(*) AS pages FROM search.searched_pages WHERE crawl_id = $1::bigint',
      [String(crawlId)],
    )
    return Number(row?.pages ?? 0)
  }

  async remove(crawlId: number, limit: number): Promise<boolean> {
    return this.#writing(async (batch) => {
      const { sql } = batch
      const ids = await someOf(sql, crawlId, limit)
      const nothing = { pages: [], words: [], given: new Map() }
      await takeIn(batch, nothing, { gone: ids, stems: this.stems })
      if (ids.length === limit) return false
      await sql`DELETE FROM search.searched_crawls WHERE id = ${crawlId}`
      return true
    })
  }

  async markHot(crawlId: number, pageIds: readonly number[], hotMark: string): Promise<void> {
    await this.#writing(async (batch) => {
      const { sql } = batch
      const rows = await sql.unsafe<Row[]>(HOT, [String(crawlId), numberArray(pageIds)])
      for (const { doc, hot } of rows) batch.set('hot', Number(doc), Number(hot))
      await sql`UPDATE search.searched_crawls SET hot_mark = ${hotMark} WHERE id = ${crawlId}`
    })
  }

  async setRanks(crawlId: number, ranks: Iterable<PageRank>, rankMark: string): Promise<void> {
    const [ids, all]: [number[], number[]] = [[], []]
    for (const [id, standing] of standings(ranks)) {
      ids.push(id)
      all.push(standing)
    }
    await this.#writing(async (batch) => {
      const { sql } = batch
      for (let at = 0; at < ids.length; at += MANY) {
        const lists = [ids, all].map((list) => numberArray(list.slice(at, at + MANY)))
        const rows = await sql.unsafe<Row[]>(STAND, [String(crawlId), ...lists])
        for (const { doc, standing } of rows) batch.set('standing', Number(doc), Number(standing))
      }
      await moveTitleWords(sql, crawlId)
      await sql`UPDATE search.searched_crawls SET rank_mark = ${rankMark} WHERE id = ${crawlId}`
    })
  }

  /** The server does that itself, but once a minute: so much may be indexed until then that the tables double. */
  async #clean(): Promise<void> {
    this.#writes.cleaned()
    try {
      await this.rows(CLEAN)
    } catch {
      // Nothing depends on it, and the server may not allow it.
    }
  }

  async #writing<T>(work: (batch: WriteBatch) => Promise<T>): Promise<T> {
    try {
      return await this.db.inTransaction((sql, attempt) => {
        // An earlier attempt may have held, or not.
        if (attempt > 1) this.#writes.forget()
        return this.#writes.during(sql, work)
      })
    } catch (error) {
      this.#writes.forget()
      throw error
    }
  }
}

/** Nobody waits for it. */
const CLEAN = `VACUUM (SKIP_LOCKED, TRUNCATE false)
  search.segment_pieces, search.term_blocks, search.page_columns`

/** Numbers of clusters, segments and shared values are not used again. */
const CLEAR = `
  TRUNCATE search.searched_languages, search.searched_pages, search.searched_crawls,
    search.page_clusters, search.page_sketches, search.sketch_bands, search.known_words, search.common_words, search.title_words,
    search.page_columns, search.shared_values, search.segments, search.term_blocks, search.segment_pieces,
    search.link_texts, search.given_link_texts;
  UPDATE search.search_position SET mark = '', cursor = 0, pages = 0, length = 0, next_doc = 0, next_link = 1,
    gone = 0, beginning = gen_random_uuid()`

const HOT = `
  UPDATE search.searched_pages SET hot = 1 - hot
  WHERE crawl_id = $1::bigint AND (hot = 1) <> (id = ANY ($2::bigint[]))
  RETURNING doc, hot`

/** A change too small to move a page in a list is not written. */
const STAND = `
  UPDATE search.searched_pages AS page SET standing = ranked.standing
  FROM unnest($2::bigint[], $3::float8[]) AS ranked (id, standing)
  WHERE page.id = ranked.id AND page.crawl_id = $1::bigint
    AND abs(page.standing - ranked.standing) > 0.005
  RETURNING page.doc, page.standing`

// The index in PostgreSQL, in its own schema beside the store: words are vectors with a GIN index. It keeps
// no text. Each batch and each search is one transaction.
import type { Postgres, Row, Transaction } from '../../db/postgres.ts'
import { numberArray } from '../../db/postgres-array.ts'
import { standings } from '../blend.ts'
import type { NearDuplicate } from '../clusters.ts'
import { completionIds, completionsFrom } from '../completions.ts'
import { hitsFrom, type LinkTextsOf, matchesOf, matchingIds } from '../matches-of.ts'
import type {
  Batch,
  Completing,
  Completions,
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
import { StemWords } from '../stem-words.ts'
import { nearDuplicatesOf } from './cluster-book.ts'
import { linkTextsOfPages } from './link-book.ts'
import { PostgresMatcher } from './matching.ts'
import { holdIndex, preparedBatch, someOf, takeIn } from './page-writes.ts'
import { moveTitleWords } from './title-list.ts'

export type SearchIndexOptions = {
  /** The caller closes it. */
  readonly db: Postgres
  readonly pagesOf: PagesOf
  /** Missing if no crawl has a topic. */
  readonly topicsOf?: TopicsOf
}

export class PostgresSearchReader implements SearchReader {
  protected readonly db: Postgres
  protected readonly stems = new StemWords()
  readonly #pagesOf: PagesOf
  readonly #topicsOf: TopicsOf

  constructor({ db, pagesOf, topicsOf }: SearchIndexOptions) {
    this.db = db
    this.#pagesOf = pagesOf
    this.#topicsOf = topicsOf ?? (async () => new Map())
  }

  async position(): Promise<Position> {
    const [row] = await this.rows('SELECT mark, cursor FROM search.search_position')
    return { mark: String(row?.mark ?? ''), cursor: Number(row?.cursor ?? 0) }
  }

  async query(search: Search): Promise<Found> {
    const about = await this.#about()
    const { stems } = about
    const { query, shown, ...found } = await this.#asking((sql) =>
      matchesOf(new PostgresMatcher(sql, about), search, about),
    )
    const linkTextsOf: LinkTextsOf = (pages) => this.db.run((sql) => linkTextsOfPages(sql, pages))
    const pagesOf = this.#pagesOf
    return { ...found, hits: await hitsFrom(shown, { query, stems, pagesOf, linkTextsOf }) }
  }

  async complete(completing: Completing): Promise<Completions> {
    const about = { stems: this.stems, topics: new Map() }
    const found = await this.#asking((sql) =>
      completionIds(new PostgresMatcher(sql, about), completing),
    )
    return completionsFrom(found, this.#pagesOf)
  }

  async matching(search: Pick<Search, 'text' | 'columns' | 'filter'>): Promise<readonly number[]> {
    const about = await this.#about()
    return this.#asking((sql) => matchingIds(new PostgresMatcher(sql, about), search))
  }

  async nearDuplicates(pageIds: readonly number[]): Promise<readonly NearDuplicate[]> {
    return nearDuplicatesOf((statement, values) => this.rows(statement, values), pageIds)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  protected rows(statement: string, values: readonly string[] = []): Promise<readonly Row[]> {
    return this.db.run(async (sql) => sql.unsafe<Row[]>(statement, [...values]))
  }

  async #about() {
    const rows = await this.rows('SELECT language FROM search.searched_languages ORDER BY language')
    const languages = rows.map(({ language }) => String(language))
    return { stems: new StemWords(languages), topics: await this.#topicsOf() }
  }

  /** Reads one snapshot, whatever is written meanwhile. */
  #asking<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.db.inTransaction(async (sql) => {
      await sql.unsafe(READING).simple()
      return work(sql)
    })
  }
}

/**
 * The planner assumes that reading a vector is nearly free, and would read all of them instead of asking GIN
 * for a common word, which takes ten times as long. Tables are joined in the order written.
 */
const READING = `
  SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
  SET LOCAL enable_seqscan = off;
  SET LOCAL join_collapse_limit = 1`

/** Ranks written per statement. */
const MANY = 20_000

export class PostgresSearchIndex extends PostgresSearchReader implements SearchIndex {
  async add({ gone, ...batch }: Batch): Promise<void> {
    const { position } = batch
    const prepared = preparedBatch(batch, this.stems)
    await this.#writing(async (sql) => {
      await takeIn(sql, prepared, { gone, stems: this.stems })
      await sql`
        UPDATE search.search_position SET mark = ${position.mark}, cursor = ${position.cursor}`
    })
  }

  async clear(): Promise<void> {
    await this.#writing((sql) => sql.unsafe(CLEAR).simple())
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
    return this.#writing(async (sql) => {
      const ids = await someOf(sql, crawlId, limit)
      const nothing = { pages: [], words: [], given: new Map() }
      await takeIn(sql, nothing, { gone: ids, stems: this.stems })
      if (ids.length === limit) return false
      await sql`DELETE FROM search.searched_crawls WHERE id = ${crawlId}`
      return true
    })
  }

  async markHot(crawlId: number, pageIds: readonly number[], hotMark: string): Promise<void> {
    await this.#writing(async (sql) => {
      await sql.unsafe(HOT, [String(crawlId), numberArray(pageIds)])
      await sql`UPDATE search.searched_crawls SET hot_mark = ${hotMark} WHERE id = ${crawlId}`
    })
  }

  async setRanks(crawlId: number, ranks: Iterable<PageRank>, rankMark: string): Promise<void> {
    const [ids, all]: [number[], number[]] = [[], []]
    for (const [id, standing] of standings(ranks)) {
      ids.push(id)
      all.push(standing)
    }
    await this.#writing(async (sql) => {
      for (let at = 0; at < ids.length; at += MANY) {
        const lists = [ids, all].map((list) => numberArray(list.slice(at, at + MANY)))
        await sql.unsafe(STAND, [String(crawlId), ...lists])
      }
      await moveTitleWords(sql, crawlId)
      await sql`UPDATE search.searched_crawls SET rank_mark = ${rankMark} WHERE id = ${crawlId}`
    })
  }

  #writing<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.db.inTransaction(async (sql) => {
      await holdIndex(sql)
      return work(sql)
    })
  }
}

/** Cluster numbers are not reused. */
const CLEAR = `
  TRUNCATE search.searched_languages, search.page_words, search.long_page_words, search.searched_pages, search.searched_crawls,
    search.page_clusters, search.page_sketches, search.sketch_bands, search.known_words, search.title_words,
    search.link_texts, search.given_link_texts, search.link_words;
  UPDATE search.search_position SET mark = '', cursor = 0, pages = 0, length = 0`

const HOT = `
  UPDATE search.searched_pages SET hot = 1 - hot
  WHERE crawl_id = $1::bigint AND (hot = 1) <> (id = ANY ($2::bigint[]))`

/** A change too small to move a page in a list is not written. */
const STAND = `
  UPDATE search.searched_pages AS page SET standing = ranked.standing
  FROM unnest($2::bigint[], $3::float8[]) AS ranked (id, standing)
  WHERE page.id = ranked.id AND page.crawl_id = $1::bigint
    AND abs(page.standing - ranked.standing) > 0.005`

// Rounds in PostgreSQL: `crawl_rounds`, and what `page_checks` says of pages.
import type { Postgres, Row } from '../../db/postgres.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { countsFrom, knownFrom, roundFrom } from '../recrawl-rows.ts'
import type { KnownPage, Recrawl, RecrawlCounts, RecrawlStore } from '../recrawl-store.ts'
import { numberOf } from '../row-values.ts'

/** `f`: the page it repeats. Of that only what tells how likely it changed. */
const PAGES = `
  SELECT p.id, p.url, p.etag, p.last_modified, p.content_hash, p.noindex, p.kind, p.fetched_at,
    c.checked_at, c.interval_ms, p.duplicate_of, f.kind AS first_kind,
    f.fetched_at AS first_fetched_at, fc.checked_at AS first_checked_at,
    fc.interval_ms AS first_interval_ms
  FROM (SELECT * FROM pages WHERE crawl_id = $1 AND id > $2 ORDER BY id LIMIT $3) p
  LEFT JOIN page_checks c ON c.crawl_id = $1 AND c.page_id = p.id
  LEFT JOIN pages f ON f.crawl_id = $1 AND f.id = p.duplicate_of
  LEFT JOIN page_checks fc ON fc.crawl_id = $1 AND fc.page_id = p.duplicate_of
  ORDER BY p.id`

/** The store stays its opener's. For reading only, nothing but what `RoundReader` has may be called. */
export function createPostgresRecrawlStore(db: Postgres, clock: Clock = systemClock): RecrawlStore {
  return new PostgresRoundStore(db, clock)
}

class PostgresRoundStore implements RecrawlStore {
  readonly #db: Postgres
  readonly #clock: Clock

  constructor(db: Postgres, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async last(crawlId: number): Promise<Recrawl | null> {
    const [row] = await this.#db.run(
      (sql) => sql`
        SELECT * FROM crawl_rounds WHERE crawl_id = ${crawlId} ORDER BY round DESC LIMIT 1`,
    )
    return row === undefined ? null : roundFrom(row)
  }

  async begin(crawlId: number, { due }: { readonly due: boolean }): Promise<Recrawl> {
    const before = (await this.last(crawlId))?.round ?? 0
    const beganAt = Math.round(this.#clock.now())
    return this.#db.inTransaction(async (sql) => {
      // Who holds this lock knows that all pages with smaller ids are there.
      await sql`SELECT FROM crawl_counts WHERE crawl_id = ${crawlId} FOR UPDATE`
      const round = before + 1
      await sql`UPDATE crawls SET round = ${round} WHERE id = ${crawlId}`
      await sql`
        INSERT INTO crawl_rounds (crawl_id, round, due, began_at, after_page)
        SELECT ${crawlId}, ${round}, ${Number(due)}, ${beganAt},
          CASE WHEN is_called THEN last_value ELSE 0 END
        FROM page_id
        ON CONFLICT DO NOTHING`
      return { round, due, beganAt, endedAt: null }
    })
  }

  async end(crawlId: number, round: number): Promise<void> {
    const at = Math.round(this.#clock.now())
    await this.#db.run(
      (sql) => sql`
        UPDATE crawl_rounds SET ended_at = ${at}
        WHERE crawl_id = ${crawlId} AND round = ${round} AND ended_at IS NULL`,
    )
  }

  async setNotDue(crawlId: number, round: number, pages: number): Promise<void> {
    await this.#db.run(
      (sql) => sql`
        UPDATE crawl_rounds SET not_due = ${pages}
        WHERE crawl_id = ${crawlId} AND round = ${round}`,
    )
  }

  async counts(crawlId: number, round: number): Promise<RecrawlCounts> {
    const [row = {}] = await this.#db.run(
      (sql) => sql`
        SELECT r.*, (SELECT sum(stored + duplicates)::bigint FROM host_totals
          WHERE crawl_id = ${crawlId}) AS pages
        FROM (SELECT) one
        LEFT JOIN crawl_rounds r ON r.crawl_id = ${crawlId} AND r.round = ${round}`,
    )
    return countsFrom(row, numberOf(row, 'pages'))
  }

  async pages(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly now: number
  }): Promise<readonly KnownPage[]> {
    const { crawlId, after, limit, now } = options
    const rows = await this.#db.run((sql) =>
      sql.unsafe<Row[]>(PAGES, [crawlId, after, limit], { prepare: true }),
    )
    return rows.map((row) => knownFrom(row, now))
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

// Rounds in SQLite: `crawl_rounds`, and what `page_checks` says of pages.
import type { DatabaseSync } from 'node:sqlite'
import { inTransaction, openSqliteReader, whenFree } from '../../db/sqlite.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { countsFrom, knownFrom, roundFrom } from '../recrawl-rows.ts'
import type {
  KnownPage,
  Recrawl,
  RecrawlCounts,
  RecrawlReader,
  RecrawlStore,
} from '../recrawl-store.ts'
import { numberOf } from '../row-values.ts'
import { openJobs } from './open-jobs.ts'

const OF_ROUND = 'WHERE crawl_id = ? AND round = ?'
/** `f`: the page it repeats. Of that only what tells how likely it changed. */
const PAGES = `
  SELECT p.id, p.url, p.etag, p.last_modified, p.content_hash, p.noindex, p.kind, p.fetched_at,
    c.checked_at, c.interval_ms, p.duplicate_of, f.kind AS first_kind,
    f.fetched_at AS first_fetched_at, fc.checked_at AS first_checked_at,
    fc.interval_ms AS first_interval_ms
  FROM pages p
  LEFT JOIN page_checks c ON c.page_id = p.id
  LEFT JOIN pages f ON f.id = p.duplicate_of
  LEFT JOIN page_checks fc ON fc.page_id = p.duplicate_of
  WHERE p.crawl_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`

export async function openSqliteRecrawlStore(
  path: string,
  clock: Clock = systemClock,
): Promise<RecrawlStore> {
  return new SqliteRoundStore(openJobs(path), path, clock)
}

/** Null when there is no store yet. */
export async function openSqliteRecrawlReader(path: string): Promise<RecrawlReader | null> {
  const db = openSqliteReader(path, 'store')
  return db === null ? null : new SqliteRoundStore(db, path, systemClock)
}

class SqliteRoundStore implements RecrawlStore {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #clock: Clock

  constructor(db: DatabaseSync, path: string, clock: Clock) {
    this.#db = db
    this.#path = path
    this.#clock = clock
  }

  async last(crawlId: number): Promise<Recrawl | null> {
    const sql = 'SELECT * FROM crawl_rounds WHERE crawl_id = ? ORDER BY round DESC LIMIT 1'
    const row = this.#db.prepare(sql).get(crawlId)
    return row === undefined ? null : roundFrom(row)
  }

  async begin(crawlId: number, { due }: { readonly due: boolean }): Promise<Recrawl> {
    return this.#change(() => {
      const next = 'UPDATE crawls SET round = round + 1 WHERE id = ? RETURNING round'
      const round = numberOf(this.#db.prepare(next).get(crawlId) ?? {}, 'round')
      const beganAt = Math.round(this.#clock.now())
      this.#db
        .prepare(`
          INSERT INTO crawl_rounds (crawl_id, round, due, began_at, after_page)
          SELECT ?, ?, ?, ?, last FROM page_ids`)
        .run(crawlId, round, Number(due), beganAt)
      return { round, due, beganAt, endedAt: null }
    })
  }

  async end(crawlId: number, round: number): Promise<void> {
    const end = `UPDATE crawl_rounds SET ended_at = ? ${OF_ROUND} AND ended_at IS NULL`
    await this.#change(() => this.#db.prepare(end).run(this.#clock.now(), crawlId, round))
  }

  async setNotDue(crawlId: number, round: number, pages: number): Promise<void> {
    const set = `UPDATE crawl_rounds SET not_due = ? ${OF_ROUND}`
    await this.#change(() => this.#db.prepare(set).run(pages, crawlId, round))
  }

  async counts(crawlId: number, round: number): Promise<RecrawlCounts> {
    const row = this.#db.prepare(`SELECT * FROM crawl_rounds ${OF_ROUND}`).get(crawlId, round) ?? {}
    const totals = 'SELECT sum(stored + duplicates) AS pages FROM host_totals WHERE crawl_id = ?'
    const { pages } = this.#db.prepare(totals).get(crawlId) ?? {}
    return countsFrom(row, Number(pages ?? 0))
  }

  async pages(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    readonly now: number
  }): Promise<readonly KnownPage[]> {
    const { crawlId, after, limit, now } = options
    const rows = this.#db.prepare(PAGES).all(crawlId, after, limit)
    return rows.map((row) => knownFrom(row, now))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #change<T>(work: () => T): Promise<T> {
    return whenFree(() => inTransaction(this.#db, work, this.#path))
  }
}

// Recrawls: `crawl_rounds`, and what `page_checks` says of pages.
import { changedBy, intervalMs, unseen } from '../../core/change-rate.ts'
import { PAGE_KINDS } from '../../core/page.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { KnownPage, Recrawl, RecrawlCounts, RecrawlStore } from '../recrawl-store.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'
import type { Sql } from './sql.ts'

type PagesWanted = Parameters<RecrawlStore['pages']>[0]

/** `f` is the page that a page repeats: only what tells how likely it changed is read of it. */
const PAGES = `
  SELECT p.id, p.url, p.etag, p.last_modified, p.content_hash, p.noindex, p.kind, p.fetched_at,
    c.checked_at, c.interval_ms, p.duplicate_of, f.kind AS first_kind,
    f.fetched_at AS first_fetched_at, fc.checked_at AS first_checked_at,
    fc.interval_ms AS first_interval_ms
  FROM (
    SELECT id, url, etag, last_modified, content_hash, noindex, kind, fetched_at, duplicate_of
    FROM pages WHERE crawl_id = $1 AND id > $2 ORDER BY id LIMIT $3
  ) p
  LEFT JOIN page_checks c ON c.crawl_id = $1 AND c.page_id = p.id
  LEFT JOIN pages f ON f.crawl_id = $1 AND f.id = p.duplicate_of
  LEFT JOIN page_checks fc ON fc.crawl_id = $1 AND fc.page_id = p.duplicate_of
  ORDER BY p.id`

/** On a store that was opened for reading, only the methods of `RecrawlReader` may be called. */
export class SqlRecrawlStore implements RecrawlStore {
  readonly #sql: Sql
  readonly #clock: Clock

  constructor(sql: Sql, clock: Clock = systemClock) {
    this.#sql = sql
    this.#clock = clock
  }

  async last(crawlId: number): Promise<Recrawl | null> {
    const text = 'SELECT * FROM crawl_rounds WHERE crawl_id = $1 ORDER BY round DESC LIMIT 1'
    const row = await this.#sql.get(text, [crawlId])
    return row === undefined ? null : recrawlFrom(row)
  }

  async begin(crawlId: number, { due }: { readonly due: boolean }): Promise<Recrawl> {
    // Asked before the transaction, which may run twice.
    const round = ((await this.last(crawlId))?.round ?? 0) + 1
    const beganAt = Math.round(this.#clock.now())
    await this.#sql.transaction(function* (sql) {
      const { lockCrawl, lastPageId } = sql.dialect.statements
      // With this lock, all pages with smaller ids are there.
      yield* sql.runAll(lockCrawl, [crawlId])
      yield* sql.run('UPDATE crawls SET round = $1 WHERE id = $2', [round, crawlId])
      const last = numberOf((yield* sql.get(lastPageId)) ?? {}, 'last')
      yield* sql.run(
        `INSERT INTO crawl_rounds (crawl_id, round, due, began_at, after_page)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
        [crawlId, round, Number(due), beganAt, last],
      )
    })
    return { round, due, beganAt, endedAt: null }
  }

  async end(crawlId: number, round: number): Promise<void> {
    await this.#sql.run(
      `UPDATE crawl_rounds SET ended_at = $1
       WHERE crawl_id = $2 AND round = $3 AND ended_at IS NULL`,
      [Math.round(this.#clock.now()), crawlId, round],
    )
  }

  async setNotDue(crawlId: number, round: number, pages: number): Promise<void> {
    const text = 'UPDATE crawl_rounds SET not_due = $1 WHERE crawl_id = $2 AND round = $3'
    await this.#sql.run(text, [pages, crawlId, round])
  }

  async counts(crawlId: number, round: number): Promise<RecrawlCounts> {
    const text = 'SELECT * FROM crawl_rounds WHERE crawl_id = $1 AND round = $2'
    const row = await this.#sql.get(text, [crawlId, round])
    const totals = 'SELECT sum(stored + duplicates) AS pages FROM host_totals WHERE crawl_id = $1'
    const pages = numberOf((await this.#sql.get(totals, [crawlId])) ?? {}, 'pages')
    return countsFrom(row ?? {}, pages)
  }

  async pages({ crawlId, after, limit, now }: PagesWanted): Promise<readonly KnownPage[]> {
    const rows = await this.#sql.all(PAGES, [crawlId, after, limit])
    return rows.map((row) => knownFrom(row, now))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]()
  }
}

function recrawlFrom(row: Row): Recrawl {
  return {
    round: numberOf(row, 'round'),
    due: row.due === 1,
    beganAt: numberOf(row, 'began_at'),
    endedAt: numberOrNull(row, 'ended_at'),
  }
}

/** `pages`: all the crawl has, duplicates among them. */
function countsFrom(row: Row, pages: number): RecrawlCounts {
  const [added, changed] = [numberOf(row, 'added'), numberOf(row, 'changed')]
  const unchanged = numberOf(row, 'unchanged')
  const kept = Math.max(0, pages - added - changed - unchanged)
  const notDue = Math.min(kept, numberOf(row, 'not_due'))
  return { added, changed, gone: numberOf(row, 'gone'), unchanged, kept, notDue }
}

function knownFrom(row: Row, now: number): KnownPage {
  const { at, interval } = lookOf(row, '')
  const first = lookOf(row, 'first_')
  // What hides a page may be in the answer's headers: it may be shown again with all else as it was.
  const isHidden = row.noindex === 1
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    etag: isHidden ? '' : textOf(row, 'etag'),
    lastModified: isHidden ? '' : textOf(row, 'last_modified'),
    contentHash: isHidden ? '' : textOf(row, 'content_hash'),
    likely: changedBy(interval, now - at),
    likelyFirst: row.duplicate_of === null ? null : changedBy(first.interval, now - first.at),
    due: now >= at + interval,
  }
}

/** When a page was looked at last, and how long it is taken to stay as it is. */
function lookOf(row: Row, of: '' | 'first_'): { readonly at: number; readonly interval: number } {
  const kind = PAGE_KINDS.find((known) => known === row[`${of}kind`]) ?? 'other'
  return {
    at: numberOrNull(row, `${of}checked_at`) ?? numberOf(row, `${of}fetched_at`),
    interval: numberOrNull(row, `${of}interval_ms`) ?? intervalMs(unseen(kind)),
  }
}

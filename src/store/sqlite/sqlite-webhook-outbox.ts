// The outbox of webhooks in SQLite: `webhook_deliveries` and how far things are told, beside the jobs.
// Lost by a power cut, a delivery is made again from the journal with the id it had: no fsync is worth
// making a server wait.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { HARDLY_EVER_PAGES, inTransaction, openSqlite, whenFree } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import {
  deliveryFrom,
  givenUpFrom,
  OUTBOX_LIMITS,
  type OutboxLimits,
  valuesOf,
} from '../delivery-rows.ts'
import { numberOf, numberOrNull } from '../row-values.ts'
import type { Delivery, GivenUp, NewDelivery, PagesTold, WebhookOutbox } from '../webhook-outbox.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

/** So long a server may stand still because a parser writes. */
const BUSY_MS = 20

export async function openSqliteWebhookOutbox(
  path: string,
  limits: OutboxLimits = OUTBOX_LIMITS,
): Promise<WebhookOutbox> {
  const db = openSqlite(path, {
    schema: 'store',
    durability: 'normal',
    cacheBytes: 1024 * 1024,
    busyMs: BUSY_MS,
    checkpointPages: HARDLY_EVER_PAGES,
  })
  return new SqliteWebhookOutbox(db, path, limits)
}

const INSERT = `
  INSERT OR IGNORE INTO webhook_deliveries
    (id, crawl_id, event, at, body, after_page, up_to_page, next_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

// Of the oldest that wait all but the newest :most.
const MAKE_ROOM = `
  UPDATE webhook_deliveries SET next_at = NULL, reason = 'too-many: newer ones wait'
  WHERE crawl_id = :crawl AND next_at IS NOT NULL AND event <> 'page' AND seq <= (
    SELECT seq FROM webhook_deliveries
    WHERE crawl_id = :crawl AND next_at IS NOT NULL AND event <> 'page'
    ORDER BY seq DESC LIMIT 1 OFFSET :most)`

const FORGET_GIVEN_UP = `
  DELETE FROM webhook_deliveries
  WHERE crawl_id = :crawl AND next_at IS NULL AND seq <= (
    SELECT seq FROM webhook_deliveries
    WHERE crawl_id = :crawl AND next_at IS NULL ORDER BY seq DESC LIMIT 1 OFFSET :most)`

// The end of a job comes after its pages, unless telling those has failed.
const DUE = `
  SELECT * FROM webhook_deliveries AS delivery
  WHERE next_at IS NOT NULL AND next_at <= ? AND NOT (
    event IN ('completed', 'incomplete', 'stopped', 'failed')
    AND EXISTS (SELECT 1 FROM webhook_pages
      WHERE webhook_pages.crawl_id = delivery.crawl_id AND open = 1)
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS pages
      WHERE pages.crawl_id = delivery.crawl_id AND pages.event = 'page'
        AND pages.next_at IS NOT NULL AND pages.tries > 0))
  ORDER BY seq LIMIT ?`

class SqliteWebhookOutbox implements WebhookOutbox {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #limits: OutboxLimits

  constructor(db: DatabaseSync, path: string, limits: OutboxLimits) {
    this.#db = db
    this.#path = path
    this.#limits = limits
  }

  async toldEvents(): Promise<number> {
    const [row = {}] = this.#all('SELECT told FROM webhook_events')
    return numberOf(row, 'told')
  }

  async add(deliveries: readonly NewDelivery[], toldEvents: number): Promise<void> {
    await this.#together(() => {
      for (const delivery of deliveries) this.#run(INSERT, ...valuesOf(delivery))
      for (const crawlId of new Set(deliveries.map((delivery) => delivery.crawlId))) {
        this.#tidy(crawlId)
      }
      this.#run('UPDATE webhook_events SET told = ?', toldEvents)
    })
  }

  async openPages(crawlId: number): Promise<void> {
    await this.#alone(
      'INSERT INTO webhook_pages (crawl_id) VALUES (?) ON CONFLICT DO UPDATE SET open = 1',
      crawlId,
    )
  }

  async closePages(crawlId: number): Promise<void> {
    await this.#alone('UPDATE webhook_pages SET open = 0 WHERE crawl_id = ?', crawlId)
  }

  async withOpenPages(): Promise<readonly number[]> {
    const rows = this.#all('SELECT crawl_id FROM webhook_pages WHERE open = 1 ORDER BY crawl_id')
    return rows.map((row) => numberOf(row, 'crawl_id'))
  }

  async pagesTold(crawlId: number): Promise<PagesTold> {
    const [row] = this.#all('SELECT up_to, open FROM webhook_pages WHERE crawl_id = ?', crawlId)
    if (row === undefined) return { upTo: 0, open: false, waiting: false }
    const waiting = this.#pagesWait(crawlId)
    return { upTo: numberOf(row, 'up_to'), open: row.open === 1, waiting }
  }

  async addPages(delivery: Extract<NewDelivery, { event: 'page' }>): Promise<boolean> {
    return this.#together(() => {
      if (this.#pagesWait(delivery.crawlId)) return false
      this.#run(INSERT, ...valuesOf(delivery))
      return true
    })
  }

  async due(now: number, limit: number): Promise<readonly Delivery[]> {
    return this.#all(DUE, now, limit).map(deliveryFrom)
  }

  async nextAt(after: number): Promise<number | null> {
    const sql = 'SELECT min(next_at) AS at FROM webhook_deliveries WHERE next_at > ?'
    const [row = {}] = this.#all(sql, after)
    return numberOrNull(row, 'at')
  }

  async delivered(id: string): Promise<void> {
    await this.#together(() => {
      this.#movePages(id, 0)
      this.#run('DELETE FROM webhook_deliveries WHERE id = ?', id)
    })
  }

  async retry(id: string, nextAt: number): Promise<void> {
    await this.#alone(
      `UPDATE webhook_deliveries SET tries = tries + 1, next_at = ?
       WHERE id = ? AND next_at IS NOT NULL`,
      ...[nextAt, id],
    )
  }

  async giveUp(id: string, reason: string, pagesUpTo: number): Promise<void> {
    await this.#together(() => {
      this.#movePages(id, pagesUpTo)
      const [row] = this.#all(
        `UPDATE webhook_deliveries SET tries = tries + 1, next_at = NULL, reason = ?
         WHERE id = ? AND next_at IS NOT NULL RETURNING crawl_id`,
        ...[reason, id],
      )
      if (row !== undefined) this.#tidy(numberOf(row, 'crawl_id'))
    })
  }

  async givenUp(crawlId: number): Promise<readonly GivenUp[]> {
    const rows = this.#all(
      `SELECT * FROM webhook_deliveries WHERE crawl_id = ? AND next_at IS NULL ORDER BY seq DESC`,
      crawlId,
    )
    return rows.map(givenUpFrom)
  }

  async forget(crawlId: number): Promise<void> {
    await this.#together(() => {
      this.#run('DELETE FROM webhook_deliveries WHERE crawl_id = ?', crawlId)
      this.#run('DELETE FROM webhook_pages WHERE crawl_id = ?', crawlId)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #pagesWait(crawlId: number): boolean {
    const sql = `SELECT 1 FROM webhook_deliveries
      WHERE crawl_id = ? AND event = 'page' AND next_at IS NOT NULL`
    return this.#all(sql, crawlId).length > 0
  }

  /** The pages of a delivery that is settled, or more of them, are told. */
  #movePages(id: string, least: number): void {
    this.#run(
      `UPDATE webhook_pages SET up_to = max(up_to, delivery.up_to_page, ?)
       FROM webhook_deliveries AS delivery
       WHERE delivery.id = ? AND delivery.event = 'page' AND delivery.next_at IS NOT NULL
         AND webhook_pages.crawl_id = delivery.crawl_id`,
      ...[least, id],
    )
  }

  #tidy(crawlId: number): void {
    const { waiting, givenUp } = this.#limits
    this.#db.prepare(MAKE_ROOM).run({ crawl: crawlId, most: waiting })
    this.#db.prepare(FORGET_GIVEN_UP).run({ crawl: crawlId, most: givenUp })
  }

  /** In one transaction, as soon as nobody else writes. */
  #together<T>(work: () => T): Promise<T> {
    return whenFree(() => inTransaction(this.#db, work, this.#path))
  }

  #alone(sql: string, ...values: SQLInputValue[]): Promise<void> {
    return this.#together(() => this.#run(sql, ...values))
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#db.prepare(sql).run(...values)
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    try {
      return this.#db.prepare(sql).all(...values)
    } catch (error) {
      throw asCrawlerError(error, this.#path)
    }
  }
}

// The outbox of webhooks in PostgreSQL: `webhook_deliveries` and how far things are told, beside the jobs.
import type { Postgres, Queries, Row } from '../../db/postgres.ts'
import { withoutNul } from '../../lib/column-text.ts'
import {
  deliveryFrom,
  givenUpFrom,
  OUTBOX_LIMITS,
  type OutboxLimits,
  valuesOf,
} from '../delivery-rows.ts'
import { numberOf, numberOrNull } from '../row-values.ts'
import type { Delivery, GivenUp, NewDelivery, PagesTold, WebhookOutbox } from '../webhook-outbox.ts'

type Value = string | number | null

const INSERT = `
  INSERT INTO webhook_deliveries
    (id, crawl_id, event, at, body, after_page, up_to_page, next_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`

// Of the oldest that wait all but the newest $2.
const MAKE_ROOM = `
  UPDATE webhook_deliveries SET next_at = NULL, reason = 'too-many: newer ones wait'
  WHERE crawl_id = $1 AND next_at IS NOT NULL AND event <> 'page' AND seq <= (
    SELECT seq FROM webhook_deliveries
    WHERE crawl_id = $1 AND next_at IS NOT NULL AND event <> 'page'
    ORDER BY seq DESC LIMIT 1 OFFSET $2)`

const FORGET_GIVEN_UP = `
  DELETE FROM webhook_deliveries
  WHERE crawl_id = $1 AND next_at IS NULL AND seq <= (
    SELECT seq FROM webhook_deliveries
    WHERE crawl_id = $1 AND next_at IS NULL ORDER BY seq DESC LIMIT 1 OFFSET $2)`

// The end of a job comes after its pages, unless telling those has failed.
const DUE = `
  SELECT * FROM webhook_deliveries AS delivery
  WHERE next_at IS NOT NULL AND next_at <= $1 AND NOT (
    event IN ('completed', 'incomplete', 'stopped', 'failed')
    AND EXISTS (SELECT FROM webhook_pages
      WHERE webhook_pages.crawl_id = delivery.crawl_id AND open = 1)
    AND NOT EXISTS (SELECT FROM webhook_deliveries AS pages
      WHERE pages.crawl_id = delivery.crawl_id AND pages.event = 'page'
        AND pages.next_at IS NOT NULL AND pages.tries > 0))
  ORDER BY seq LIMIT $2`

/** The pages of a delivery that is settled, or more of them, are told. */
const MOVE_PAGES = `
  UPDATE webhook_pages SET up_to = greatest(up_to, delivery.up_to_page, $2::bigint)
  FROM webhook_deliveries AS delivery
  WHERE delivery.id = $1 AND delivery.event = 'page' AND delivery.next_at IS NOT NULL
    AND webhook_pages.crawl_id = delivery.crawl_id`

const PAGES_WAIT = `
  SELECT FROM webhook_deliveries
  WHERE crawl_id = $1 AND event = 'page' AND next_at IS NOT NULL`

/** The store stays its opener's. */
export function createPostgresWebhookOutbox(
  db: Postgres,
  limits: OutboxLimits = OUTBOX_LIMITS,
): WebhookOutbox {
  return new PostgresWebhookOutbox(db, limits)
}

class PostgresWebhookOutbox implements WebhookOutbox {
  readonly #db: Postgres
  readonly #limits: OutboxLimits

  constructor(db: Postgres, limits: OutboxLimits) {
    this.#db = db
    this.#limits = limits
  }

  async toldEvents(): Promise<number> {
    const [row = {}] = await this.#ask('SELECT told FROM webhook_events')
    return numberOf(row, 'told')
  }

  async add(deliveries: readonly NewDelivery[], toldEvents: number): Promise<void> {
    await this.#db.inTransaction(async (sql) => {
      for (const delivery of deliveries) await query(sql, INSERT, ...valuesOf(delivery))
      for (const crawlId of new Set(deliveries.map((delivery) => delivery.crawlId))) {
        await this.#tidy(sql, crawlId)
      }
      await query(sql, 'UPDATE webhook_events SET told = $1', toldEvents)
    })
  }

  async openPages(crawlId: number): Promise<void> {
    await this.#ask(
      `INSERT INTO webhook_pages (crawl_id) VALUES ($1)
       ON CONFLICT (crawl_id) DO UPDATE SET open = 1`,
      crawlId,
    )
  }

  async closePages(crawlId: number): Promise<void> {
    await this.#ask('UPDATE webhook_pages SET open = 0 WHERE crawl_id = $1', crawlId)
  }

  async withOpenPages(): Promise<readonly number[]> {
    const rows = await this.#ask(
      'SELECT crawl_id FROM webhook_pages WHERE open = 1 ORDER BY crawl_id',
    )
    return rows.map((row) => numberOf(row, 'crawl_id'))
  }

  async pagesTold(crawlId: number): Promise<PagesTold> {
    const [row] = await this.#ask(
      'SELECT up_to, open FROM webhook_pages WHERE crawl_id = $1',
      crawlId,
    )
    if (row === undefined) return { upTo: 0, open: false, waiting: false }
    const waiting = (await this.#ask(PAGES_WAIT, crawlId)).length > 0
    return { upTo: numberOf(row, 'up_to'), open: row.open === 1, waiting }
  }

  async addPages(delivery: Extract<NewDelivery, { event: 'page' }>): Promise<boolean> {
    return this.#db.inTransaction(async (sql, attempt) => {
      if (attempt > 1 && (await isKept(sql, delivery.id))) return true
      if ((await query(sql, PAGES_WAIT, delivery.crawlId)).length > 0) return false
      await query(sql, INSERT, ...valuesOf(delivery))
      return true
    })
  }

  async due(now: number, limit: number): Promise<readonly Delivery[]> {
    return (await this.#ask(DUE, now, limit)).map(deliveryFrom)
  }

  async nextAt(after: number): Promise<number | null> {
    const [row = {}] = await this.#ask(
      'SELECT min(next_at) AS at FROM webhook_deliveries WHERE next_at > $1',
      after,
    )
    return numberOrNull(row, 'at')
  }

  async delivered(id: string): Promise<void> {
    await this.#db.inTransaction(async (sql) => {
      await query(sql, MOVE_PAGES, id, 0)
      await query(sql, 'DELETE FROM webhook_deliveries WHERE id = $1', id)
    })
  }

  async retry(id: string, nextAt: number): Promise<void> {
    await this.#ask(
      `UPDATE webhook_deliveries SET tries = tries + 1, next_at = $1
       WHERE id = $2 AND next_at IS NOT NULL`,
      ...[Math.round(nextAt), id],
    )
  }

  async giveUp(id: string, reason: string, pagesUpTo: number): Promise<void> {
    await this.#db.inTransaction(async (sql) => {
      await query(sql, MOVE_PAGES, id, pagesUpTo)
      const [row] = await query(
        sql,
        `UPDATE webhook_deliveries SET tries = tries + 1, next_at = NULL, reason = $1
         WHERE id = $2 AND next_at IS NOT NULL RETURNING crawl_id`,
        ...[withoutNul(reason), id],
      )
      if (row !== undefined) await this.#tidy(sql, numberOf(row, 'crawl_id'))
    })
  }

  async givenUp(crawlId: number): Promise<readonly GivenUp[]> {
    const rows = await this.#ask(
      `SELECT * FROM webhook_deliveries WHERE crawl_id = $1 AND next_at IS NULL ORDER BY seq DESC`,
      crawlId,
    )
    return rows.map(givenUpFrom)
  }

  async forget(crawlId: number): Promise<void> {
    await this.#db.inTransaction(async (sql) => {
      await query(sql, 'DELETE FROM webhook_deliveries WHERE crawl_id = $1', crawlId)
      await query(sql, 'DELETE FROM webhook_pages WHERE crawl_id = $1', crawlId)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #tidy(sql: Queries, crawlId: number): Promise<void> {
    const { waiting, givenUp } = this.#limits
    await query(sql, MAKE_ROOM, crawlId, waiting)
    await query(sql, FORGET_GIVEN_UP, crawlId, givenUp)
  }

  #ask(text: string, ...values: Value[]): Promise<readonly Row[]> {
    return this.#db.run((sql) => query(sql, text, ...values))
  }
}

async function isKept(sql: Queries, id: string): Promise<boolean> {
  return (await query(sql, 'SELECT FROM webhook_deliveries WHERE id = $1', id)).length > 0
}

async function query(sql: Queries, text: string, ...values: Value[]): Promise<readonly Row[]> {
  return sql.unsafe<Row[]>(text, values, { prepare: true })
}

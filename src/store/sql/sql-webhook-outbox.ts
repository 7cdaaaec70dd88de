// The outbox of webhooks: `webhook_deliveries`, and how far a receiver was notified.
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../core/job.ts'
import { withoutNul } from '../../lib/column-text.ts'
import { numberOf, numberOrNull, type Row, textOf } from '../row-values.ts'
import type { Delivery, GivenUp, NewDelivery, PagesTold, WebhookOutbox } from '../webhook-outbox.ts'
import type { Queries, Sql, SqlValues, Work } from './sql.ts'

export type OutboxLimits = {
  /** Deliveries of one job that wait. */
  readonly waiting: number
  /** Deliveries of one job that were given up. */
  readonly givenUp: number
}

const OUTBOX_LIMITS: OutboxLimits = { waiting: 1000, givenUp: 100 }

const INSERT = `
  INSERT INTO webhook_deliveries
    (id, crawl_id, event, at, body, after_page, up_to_page, next_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`

/** Gives up the oldest that wait: all but the newest $2. */
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

/** The end of a job comes after its pages, unless a delivery of those has failed. */
const DUE = `
  SELECT * FROM webhook_deliveries AS delivery
  WHERE next_at IS NOT NULL AND next_at <= $1 AND NOT (
    event IN ('completed', 'incomplete', 'stopped', 'failed')
    AND EXISTS (SELECT 1 FROM webhook_pages
      WHERE webhook_pages.crawl_id = delivery.crawl_id AND open = 1)
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS pages
      WHERE pages.crawl_id = delivery.crawl_id AND pages.event = 'page'
        AND pages.next_at IS NOT NULL AND pages.tries > 0))
  ORDER BY seq LIMIT $2`

/** The receiver knows the pages of a delivery that is settled, or more of them: all up to $2. */
const MOVE_PAGES = `
  UPDATE webhook_pages SET up_to = CASE
    WHEN up_to >= delivery.up_to_page AND up_to >= $2 THEN up_to
    WHEN delivery.up_to_page >= $2 THEN delivery.up_to_page
    ELSE $2 END
  FROM webhook_deliveries AS delivery
  WHERE delivery.id = $1 AND delivery.event = 'page' AND delivery.next_at IS NOT NULL
    AND webhook_pages.crawl_id = delivery.crawl_id`

const PAGES_WAIT = `
  SELECT 1 AS waits FROM webhook_deliveries
  WHERE crawl_id = $1 AND event = 'page' AND next_at IS NOT NULL`

export class SqlWebhookOutbox implements WebhookOutbox {
  readonly #sql: Sql
  readonly #limits: OutboxLimits

  constructor(sql: Sql, limits: OutboxLimits = OUTBOX_LIMITS) {
    this.#sql = sql
    this.#limits = limits
  }

  async toldEvents(): Promise<number> {
    return numberOf((await this.#sql.get('SELECT told FROM webhook_events')) ?? {}, 'told')
  }

  async add(deliveries: readonly NewDelivery[], toldEvents: number): Promise<void> {
    const limits = this.#limits
    await this.#sql.transaction(function* (sql) {
      for (const delivery of deliveries) yield* sql.run(INSERT, valuesOf(delivery))
      for (const crawlId of new Set(deliveries.map((delivery) => delivery.crawlId))) {
        yield* tidy(sql, crawlId, limits)
      }
      yield* sql.run('UPDATE webhook_events SET told = $1', [toldEvents])
    })
  }

  async openPages(crawlId: number): Promise<void> {
    await this.#sql.run(
      `INSERT INTO webhook_pages (crawl_id) VALUES ($1)
       ON CONFLICT (crawl_id) DO UPDATE SET open = 1`,
      [crawlId],
    )
  }

  async closePages(crawlId: number): Promise<void> {
    await this.#sql.run('UPDATE webhook_pages SET open = 0 WHERE crawl_id = $1', [crawlId])
  }

  async withOpenPages(): Promise<readonly number[]> {
    const text = 'SELECT crawl_id FROM webhook_pages WHERE open = 1 ORDER BY crawl_id'
    return (await this.#sql.all(text)).map((row) => numberOf(row, 'crawl_id'))
  }

  async pagesTold(crawlId: number): Promise<PagesTold> {
    const text = 'SELECT up_to, open FROM webhook_pages WHERE crawl_id = $1'
    const row = await this.#sql.get(text, [crawlId])
    if (row === undefined) return { upTo: 0, open: false, waiting: false }
    const waiting = (await this.#sql.get(PAGES_WAIT, [crawlId])) !== undefined
    return { upTo: numberOf(row, 'up_to'), open: row.open === 1, waiting }
  }

  async addPages(delivery: Extract<NewDelivery, { event: 'page' }>): Promise<boolean> {
    return this.#sql.transaction(function* (sql, attempt) {
      if (attempt > 1 && (yield* sql.get(KEPT, [delivery.id])) !== undefined) return true
      if ((yield* sql.get(PAGES_WAIT, [delivery.crawlId])) !== undefined) return false
      yield* sql.run(INSERT, valuesOf(delivery))
      return true
    })
  }

  async due(now: number, limit: number): Promise<readonly Delivery[]> {
    return (await this.#sql.all(DUE, [Math.round(now), limit])).map(deliveryFrom)
  }

  async nextAt(after: number): Promise<number | null> {
    const text = 'SELECT min(next_at) AS at FROM webhook_deliveries WHERE next_at > $1'
    return numberOrNull((await this.#sql.get(text, [Math.round(after)])) ?? {}, 'at')
  }

  async delivered(id: string): Promise<void> {
    await this.#sql.transaction(function* (sql) {
      yield* sql.run(MOVE_PAGES, [id, 0])
      yield* sql.run('DELETE FROM webhook_deliveries WHERE id = $1', [id])
    })
  }

  async retry(id: string, nextAt: number): Promise<void> {
    await this.#sql.run(
      `UPDATE webhook_deliveries SET tries = tries + 1, next_at = $1
       WHERE id = $2 AND next_at IS NOT NULL`,
      [Math.round(nextAt), id],
    )
  }

  async giveUp(id: string, reason: string, pagesUpTo: number): Promise<void> {
    const limits = this.#limits
    await this.#sql.transaction(function* (sql) {
      yield* sql.run(MOVE_PAGES, [id, pagesUpTo])
      const row = yield* sql.get(
        `UPDATE webhook_deliveries SET tries = tries + 1, next_at = NULL, reason = $1
         WHERE id = $2 AND next_at IS NOT NULL RETURNING crawl_id`,
        [withoutNul(reason), id],
      )
      if (row !== undefined) yield* tidy(sql, numberOf(row, 'crawl_id'), limits)
    })
  }

  async givenUp(crawlId: number): Promise<readonly GivenUp[]> {
    const text = `
      SELECT * FROM webhook_deliveries WHERE crawl_id = $1 AND next_at IS NULL ORDER BY seq DESC`
    return (await this.#sql.all(text, [crawlId])).map(givenUpFrom)
  }

  async forget(crawlId: number): Promise<void> {
    const tables = ['webhook_deliveries', 'webhook_pages']
    const deletions = tables.map((table) => `DELETE FROM ${table} WHERE crawl_id = $1`)
    await this.#sql.transaction((sql) => sql.runAll(deletions, [crawlId]))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]()
  }
}

const KEPT = 'SELECT 1 AS kept FROM webhook_deliveries WHERE id = $1'

function* tidy(sql: Queries, crawlId: number, { waiting, givenUp }: OutboxLimits): Work<void> {
  yield* sql.run(MAKE_ROOM, [crawlId, waiting])
  yield* sql.run(FORGET_GIVEN_UP, [crawlId, givenUp])
}

function valuesOf(delivery: NewDelivery): SqlValues {
  const { id, crawlId, event } = delivery
  const at = Math.round(delivery.at)
  if (delivery.event !== 'page') return [id, crawlId, event, at, delivery.body, null, null, at]
  return [id, crawlId, event, at, null, delivery.pages.after, delivery.pages.upTo, at]
}

function deliveryFrom(row: Row): Delivery {
  const event = eventFrom(row)
  const common = {
    id: textOf(row, 'id'),
    crawlId: numberOf(row, 'crawl_id'),
    at: numberOf(row, 'at'),
    tries: numberOf(row, 'tries'),
    nextAt: numberOf(row, 'next_at'),
  }
  if (event !== 'page') return { ...common, event, body: textOf(row, 'body') }
  const pages = { after: numberOf(row, 'after_page'), upTo: numberOf(row, 'up_to_page') }
  return { ...common, event, pages }
}

function givenUpFrom(row: Row): GivenUp {
  return {
    id: textOf(row, 'id'),
    event: eventFrom(row),
    at: numberOf(row, 'at'),
    tries: numberOf(row, 'tries'),
    reason: textOf(row, 'reason'),
  }
}

function eventFrom(row: Row): WebhookEvent {
  const event = textOf(row, 'event')
  return WEBHOOK_EVENTS.find((known) => known === event) ?? 'failed'
}

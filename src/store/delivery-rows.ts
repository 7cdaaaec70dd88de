// The edge between deliveries and rows of `webhook_deliveries`.
import { WEBHOOK_EVENTS, type WebhookEvent } from '../core/job.ts'
import { numberOf, type Row, textOf } from './row-values.ts'
import type { Delivery, GivenUp, NewDelivery } from './webhook-outbox.ts'

export type OutboxLimits = {
  /** Deliveries of one job that wait. */
  readonly waiting: number
  /** Of those given up, per job. */
  readonly givenUp: number
}

export const OUTBOX_LIMITS: OutboxLimits = { waiting: 1000, givenUp: 100 }

export function valuesOf(delivery: NewDelivery): (string | number | null)[] {
  const { id, crawlId, event, at } = delivery
  if (delivery.event !== 'page') return [id, crawlId, event, at, delivery.body, null, null, at]
  return [id, crawlId, event, at, null, delivery.pages.after, delivery.pages.upTo, at]
}

export function deliveryFrom(row: Row): Delivery {
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

export function givenUpFrom(row: Row): GivenUp {
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

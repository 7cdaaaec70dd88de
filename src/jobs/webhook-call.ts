// One call of a webhook: what is sent, and how the receiver can tell that it is from us and not old.
import { createHmac } from 'node:crypto'
import type { Webhook, WebhookEvent } from '../core/job.ts'

export type WebhookCall = {
  readonly url: string
  readonly body: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

/** Plain JSON in the shapes of the API. */
export type WebhookBody = {
  readonly id: string
  readonly event: WebhookEvent
  readonly at: number
  readonly job: Readonly<Record<string, unknown>>
  readonly pages?: readonly unknown[]
}

/** `now`: epoch milliseconds, signed too, so that a call that was overheard cannot be used later. */
export function webhookCall(
  { url, secret }: Webhook,
  delivery: { readonly id: string; readonly event: WebhookEvent; readonly body: string },
  now: number,
): WebhookCall {
  const { id, event, body } = delivery
  const seconds = Math.floor(now / 1000)
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      accept: '*/*',
      'accept-encoding': 'identity',
      'jelajah-delivery': id,
      'jelajah-event': event,
      'jelajah-signature': `t=${seconds},v1=${signature(secret, seconds, body)}`,
    },
  }
}

export function signature(secret: string, seconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}

/**
 * The same for the same thing told, whoever computes it and when; different everywhere else.
 * `salt`: of the job, which no other job anywhere has.
 */
export function deliveryId(secret: string, salt: number, what: string): string {
  return createHmac('sha256', secret).update(`${salt} ${what}`).digest('hex').slice(0, 32)
}

// Delivers webhooks about jobs: at least once, in order as long as nothing fails, one call at a time to each
// receiver, and again with longer and longer pauses after failures.
//
//   journal ──events──▶ outbox ──due──▶ call ──▶ delivered | tried again | given up
//   store ────pages───────┘
//
// It has no state of its own: after a crash the next one continues from the outbox, and the outbox from the
// journal and the pages. It sleeps until an event wakes it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Webhook } from '../core/job.ts'
import type { JobJournal, KeptEvent } from '../store/job-journal.ts'
import type { Delivery, NewDelivery } from '../store/webhook-outbox.ts'
import {
  deliveryId,
  GATHER_MS,
  PAGES_PER_CALL,
  type Sent,
  type WebhookBody,
  type WebhookCall,
  WebhookPages,
  type WebhookPagesOptions,
  webhookCall,
} from './webhook-sender.ts'

type WebhooksOptions = WebhookPagesOptions & {
  readonly journal: Pick<JobJournal, 'list'>
  /** A summary of the job, in the shape of the API; null if there is no such job. */
  readonly summaryOf: (crawlId: number) => Promise<Readonly<Record<string, unknown>> | null>
  readonly lastPageId: (crawlId: number) => Promise<number>
  /** Ends within some seconds, whatever the receiver does. Never rejects. */
  readonly send: (call: WebhookCall) => Promise<Sent>
  /** A notice for the readers of the job. */
  readonly onNotice: (crawlId: number, text: string) => void
  readonly onTrouble: (text: string) => void
}

/** Pauses after each failed try; after the last one the delivery is given up. */
const PAUSES_MS = [5, 30, 120, 600, 3600, 3600, 3600].map((seconds) => seconds * 1000)
const EVENTS_AT_ONCE = 200
const CALLS_AT_ONCE = 16
const DUE_AT_ONCE = 1000
const AFTER_TROUBLE_MS = 5000
/** Timers have a limit; waking early does no harm. */
const LONGEST_SLEEP_MS = 3_600_000

export class Webhooks implements AsyncDisposable {
  readonly #options: WebhooksOptions
  /** Origins of receivers that are being called. */
  readonly #busy = new Set<string>()
  readonly #calls = new Set<Promise<void>>()
  /** Jobs whose receivers failed at the last call. */
  readonly #troubled = new Set<number>()
  readonly #pages: WebhookPages
  #round: Promise<void> | null = null
  #again = false
  #timer: NodeJS.Timeout | null = null
  #wakesAt = Number.POSITIVE_INFINITY
  readonly #leaving = new AbortController()
  #closed = false

  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#pages = new WebhookPages(options)
    this.wake()
  }

  /** Something happened that may have to be delivered. */
  wake(): void {
    if (this.#closed) return
    this.#again = true
    this.#round ??= this.#rounds()
  }

  /** Pages may have been stored: they are collected soon, together with those that follow. */
  pagesStored(): void {
    this.#sleep(GATHER_MS)
  }

  /** Resolves when nothing is under way that could be cut off. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#leaving.abort()
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#round
    await Promise.all(this.#calls)
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false
      try {
        await this.#readJournal()
        const moreInMs = await this.#pages.gather()
        if (moreInMs !== null) this.#sleep(moreInMs)
        await this.#callReceivers()
      } catch (error) {
        this.#options.onTrouble(`webhooks: ${error instanceof Error ? error.message : error}`)
        this.#sleep(AFTER_TROUBLE_MS)
      }
    }
    // Here, and not when the promise is settled: a wake in between must start another round.
    this.#round = null
  }

  async #readJournal(): Promise<void> {
    const { journal, outbox } = this.#options
    for (;;) {
      const after = await outbox.toldEvents()
      const events = await journal.list({ after, limit: EVENTS_AT_ONCE })
      const last = events.at(-1)
      if (last === undefined) return
      const deliveries: NewDelivery[] = []
      for (const event of events) {
        const delivery = await this.#deliveryFor(event)
        if (delivery !== null) deliveries.push(delivery)
      }
      await outbox.add(deliveries, last.id)
    }
  }

  /** The delivery for an event; null if nobody wants it. */
  async #deliveryFor({ id, crawlId, at, event }: KeptEvent): Promise<NewDelivery | null> {
    const { outbox, toldOf, summaryOf } = this.#options
    if (event.type === 'removed') await outbox.forget(crawlId)
    if (event.type !== 'status') return null
    const told = await toldOf(crawlId)
    if (told === null) return null
    const { webhook, salt } = told
    const { status, note } = event
    // A job that continues has pages to deliver again, even if its last run was delivered to the end.
    if (webhook.events.includes('page')) await outbox.openPages(crawlId)
    if (!webhook.events.includes(status)) return null
    const named = deliveryId(webhook.secret, salt, `event ${id}`)
    // The job may have changed since; the event reports its status at the time.
    const job = { ...(await summaryOf(crawlId)), status, note }
    const body: WebhookBody = { id: named, event: status, at, job }
    return { id: named, crawlId, at, event: status, body: JSON.stringify(body) }
  }

  async #callReceivers(): Promise<void> {
    const { outbox, clock, toldOf } = this.#options
    for (const delivery of await outbox.due(clock.now(), DUE_AT_ONCE)) {
      if (this.#calls.size >= CALLS_AT_ONCE) break
      const told = await toldOf(delivery.crawlId)
      if (told === null) {
        await outbox.forget(delivery.crawlId)
        continue
      }
      const receiver = new URL(told.webhook.url).origin
      if (this.#busy.has(receiver) || this.#closed) continue
      this.#busy.add(receiver)
      const call = this.#tell(delivery, told.webhook).finally(() => {
        this.#busy.delete(receiver)
        this.#calls.delete(call)
        this.wake()
      })
      this.#calls.add(call)
    }
    const now = clock.now()
    const nextAt = await outbox.nextAt(now)
    if (nextAt !== null) this.#sleep(nextAt - now)
  }

  async #tell(delivery: Delivery, webhook: Webhook): Promise<void> {
    const { outbox, clock, send, onTrouble } = this.#options
    try {
      const { id, event } = delivery
      const body = await this.#bodyOf(delivery)
      if (body === null) return await outbox.delivered(id)
      const sent = await send(webhookCall(webhook, { id, event, body }, clock.now()))
      if (sent.outcome === 'arrived') {
        this.#troubled.delete(delivery.crawlId)
        await outbox.delivered(id)
        return
      }
      // Cut off because this process shuts down; that says nothing about the receiver.
      if (!this.#closed) await this.#settleFailure(delivery, sent)
    } catch (error) {
      onTrouble(`webhooks: ${error instanceof Error ? error.message : error}`)
      // Not at once: a problem of the store may take a moment.
      await outbox.retry(delivery.id, clock.now() + AFTER_TROUBLE_MS).catch(() => this.#rest())
    }
  }

  async #settleFailure(
    delivery: Delivery,
    { reason, final }: Extract<Sent, { outcome: 'failed' }>,
  ): Promise<void> {
    const { outbox, clock, lastPageId, onNotice } = this.#options
    const { id, crawlId, event, tries } = delivery
    const pauseMs = PAUSES_MS[tries]
    if (!final && pauseMs !== undefined) {
      await outbox.retry(id, clock.now() + pauseMs)
      // Once until a call succeeds again: not every failed try is news.
      if (this.#troubled.has(crawlId)) return
      this.#troubled.add(crawlId)
      return onNotice(crawlId, `webhook: a call did not arrive and is made again: ${reason}`)
    }
    await outbox.giveUp(id, reason, event === 'page' ? await lastPageId(crawlId) : 0)
    this.#troubled.delete(crawlId)
    const often = tries === 0 ? 'at once' : `after ${tries + 1} tries`
    onNotice(crawlId, `webhook: the call for ${event} was given up ${often}: ${reason}`)
  }

  /** Null if its pages are gone. */
  async #bodyOf(delivery: Delivery): Promise<string | null> {
    if (delivery.event !== 'page') return delivery.body
    const { id, crawlId, at, event, pages: stretch } = delivery
    const { pagesAfter, summaryOf } = this.#options
    const found = await pagesAfter(crawlId, stretch.after, PAGES_PER_CALL)
    const pages = found.filter((page) => page.id <= stretch.upTo)
    const job = await summaryOf(crawlId)
    if (pages.length === 0 || job === null) return null
    return JSON.stringify({ id, event, at, job, pages } satisfies WebhookBody)
  }

  /** Pauses a receiver if not even the retry could be saved: otherwise it would be called without end. */
  async #rest(): Promise<void> {
    await pause(AFTER_TROUBLE_MS, undefined, { signal: this.#leaving.signal }).catch(() => {})
  }

  /** Wakes after that time, or earlier. */
  #sleep(forMs: number): void {
    const { clock } = this.#options
    const at = clock.now() + Math.min(forMs, LONGEST_SLEEP_MS)
    if (this.#closed || (this.#timer !== null && this.#wakesAt <= at)) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#wakesAt = at
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        this.wake()
      },
      Math.max(1, at - clock.now()),
    ).unref()
  }
}

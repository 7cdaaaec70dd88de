// Calls receivers of webhooks through the fetcher that pages use: the same guards apply, the checked address
// is the one connected to, and redirects are not followed.
import { createHmac } from 'node:crypto'
import type { Webhook, WebhookEvent } from '../core/job.ts'
import { canonicalise } from '../core/url.ts'
import type { Fetched, Fetcher, FetcherOptions } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { WebhookOutbox } from '../store/webhook-outbox.ts'

export type Sent =
  | { readonly outcome: 'arrived' }
  /** `final`: another try cannot help. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly final: boolean }

export type WebhookSenderOptions = Pick<
  FetcherOptions,
  'allowPrivate' | 'connectTo' | 'dns' | 'proxies' | 'userAgent' | 'lookup' | 'ownListeners'
> & {
  /** From the call to the end of the response. */
  readonly timeoutMs?: number
}

interface WebhookSender extends AsyncDisposable {
  send(call: WebhookCall): Promise<Sent>
}

const TIMEOUT_MS = 5000
const MAX_ANSWER_BYTES = 64 * 1024
/** A reused connection that the receiver has closed says nothing about it; a new one does. */
const MAX_STALE = 3
/** The receiver does not want to be called any more. */
const GONE = 410

export function openWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { timeoutMs = TIMEOUT_MS, ...network } = options
  // Most servers call nobody, and the fetcher has a hundred modules to load.
  let opened: Promise<Fetcher> | null = null
  const open = async (): Promise<Fetcher> => {
    const { openFetcher } = await import('../http/fetcher.ts')
    return openFetcher({
      ...network,
      timeoutMs,
      limits: { connectMs: timeoutMs, headersMs: timeoutMs, idleMs: timeoutMs },
      http2: false,
      insecureTls: false,
      concurrency: 16,
      perHost: 1,
      trustedHosts: new Set(),
    })
  }
  const ask = async ({ url: written, body, headers }: WebhookCall): Promise<Fetched> => {
    const url = canonicalise(written)
    if (url === null) return { outcome: 'refused', reason: 'url: not one that can be called' }
    const post = Buffer.from(body)
    const wants = () => MAX_ANSWER_BYTES
    opened ??= open()
    const fetcher = await opened
    for (let tries = 1; ; tries++) {
      const fetched = await fetcher.fetch({ url, post, headers, wants, onStart: () => {} })
      if (fetched.outcome !== 'stale' || tries >= MAX_STALE) return fetched
    }
  }
  return {
    send: async (call) => judge(await ask(call)),
    [Symbol.asyncDispose]: async () => (await opened)?.[Symbol.asyncDispose](),
  }
}

function judge(fetched: Fetched): Sent {
  switch (fetched.outcome) {
    case 'refused':
      return { outcome: 'failed', reason: fetched.reason, final: true }
    case 'stale':
      return { outcome: 'failed', reason: 'connect: closed before any answer', final: false }
    case 'failed':
      // Certificates are renewed, names come back, servers are repaired.
      return { outcome: 'failed', reason: fetched.reason, final: false }
    case 'response':
      return judgeStatus(fetched.status)
  }
}

function judgeStatus(status: number): Sent {
  if (status >= 200 && status < 300) return { outcome: 'arrived' }
  const kind = status >= 300 && status < 400 ? 'redirect' : 'status'
  return { outcome: 'failed', reason: `${kind}: ${status}`, final: status === GONE }
}

export type WebhookCall = {
  readonly url: string
  readonly body: string
  /** Names in lower case. */
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

/**
 * One call of a webhook: its content, and the proof that it is recent and comes from us. `now`: epoch
 * milliseconds. It is signed, too, so that an intercepted call cannot be replayed later.
 */
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
 * Equal for the same delivery, whoever computes it and when; different from all others. `salt` belongs to the
 * job; no other job anywhere has the same.
 */
export function deliveryId(secret: string, salt: number, what: string): string {
  return createHmac('sha256', secret).update(`${salt} ${what}`).digest('hex').slice(0, 32)
}

/** The receiver of a job. */
export type Told = {
  readonly webhook: Webhook
  /** Salt of the job. */
  readonly salt: number
}

export type WebhookPagesOptions = {
  readonly outbox: WebhookOutbox
  readonly clock: Clock
  /** Null if the job has no receiver or does not exist. */
  readonly toldOf: (crawlId: number) => Promise<Told | null>
  /** True if no page will be stored any more unless the job is resumed. */
  readonly isOver: (crawlId: number) => Promise<boolean>
  /** Pages after that id, by id, in the shape of the API. */
  readonly pagesAfter: (
    crawlId: number,
    after: number,
    limit: number,
  ) => Promise<readonly { readonly id: number }[]>
}

export const PAGES_PER_CALL = 100
/** A fast crawl makes few calls with many pages, and a slow one reports its pages soon. */
export const GATHER_MS = 1000

/** Collects stored pages of jobs into webhook calls, one range of ids after the other. */
export class WebhookPages {
  readonly #options: WebhookPagesOptions
  /** When pages of a job were last collected. */
  readonly #gatheredAt = new Map<number, number>()

  constructor(options: WebhookPagesOptions) {
    this.#options = options
  }

  /**
   * Puts the next range of each job into the outbox. Returns after how many ms to call again; null if not
   * yet.
   */
  async gather(): Promise<number | null> {
    let soonest: number | null = null
    for (const crawlId of await this.#options.outbox.withOpenPages()) {
      const inMs = await this.#gatherOf(crawlId)
      if (inMs !== null) soonest = Math.min(soonest ?? inMs, inMs)
    }
    return soonest
  }

  async #gatherOf(crawlId: number): Promise<number | null> {
    const { outbox, pagesAfter, isOver, toldOf, clock } = this.#options
    const { upTo: after, waiting } = await outbox.pagesTold(crawlId)
    if (waiting) return null
    const told = await toldOf(crawlId)
    // Checked before the pages are read, so that no page is stored between the two.
    const over = told === null || (await isOver(crawlId))
    const pages = told === null ? [] : await pagesAfter(crawlId, after, PAGES_PER_CALL)
    const last = pages.at(-1)
    if (told === null || last === undefined) {
      if (over) await this.#close(crawlId)
      return null
    }
    const now = clock.now()
    const waitMs = (this.#gatheredAt.get(crawlId) ?? 0) + GATHER_MS - now
    if (pages.length < PAGES_PER_CALL && !over && waitMs > 0) return waitMs
    this.#gatheredAt.set(crawlId, now)
    const id = deliveryId(told.webhook.secret, told.salt, `pages ${after} ${last.id}`)
    const stretch = { after, upTo: last.id }
    await outbox.addPages({ id, crawlId, at: now, event: 'page', pages: stretch })
    return null
  }

  async #close(crawlId: number): Promise<void> {
    this.#gatheredAt.delete(crawlId)
    await this.#options.outbox.closePages(crawlId)
  }
}

// Collects stored pages of jobs into webhook calls, one range of ids after the other.
import type { Webhook } from '../core/job.ts'
import type { Clock } from '../lib/clock.ts'
import type { WebhookOutbox } from '../store/webhook-outbox.ts'
import { deliveryId } from './webhook-sender.ts'

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

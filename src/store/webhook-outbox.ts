// What receivers of webhooks still have to be told: a delivery is durable before it is tried, and is
// here until it arrived or was given up.
//
// Statuses are taken from the journal, each event once: `toldEvents` is how far. Pages are not copied:
// a delivery of pages names a stretch of them by id, one at a time per job, and what follows it waits in
// the store of pages. So a receiver that is down costs a row, however much is crawled meanwhile.
import type { WebhookEvent } from '../core/job.ts'

/** Pages of a job after one id, up to another. */
type PageStretch = { readonly after: number; readonly upTo: number }

export type NewDelivery = {
  /** The same at every try, so that a receiver can tell what it has seen. */
  readonly id: string
  readonly crawlId: number
  readonly at: number
} & (
  | { readonly event: Exclude<WebhookEvent, 'page'>; readonly body: string }
  | { readonly event: 'page'; readonly pages: PageStretch }
)

export type Delivery = NewDelivery & {
  /** Tries that failed. */
  readonly tries: number
  readonly nextAt: number
}

export type GivenUp = {
  readonly id: string
  readonly event: WebhookEvent
  readonly at: number
  readonly tries: number
  readonly reason: string
}

/** How far a job has been told about its pages. */
export type PagesTold = {
  /** All pages up to this id were told, or given up. */
  readonly upTo: number
  /** More may come. */
  readonly open: boolean
  /** A stretch of them waits to be told. */
  readonly waiting: boolean
}

export interface WebhookOutbox extends AsyncDisposable {
  /** Events of the journal up to this id have become deliveries; 0 at first. */
  toldEvents(): Promise<number>
  /**
   * Keeps what these events of the journal come to, all or nothing. Of a job's deliveries that wait the
   * oldest make room when there are too many.
   */
  add(deliveries: readonly NewDelivery[], toldEvents: number): Promise<void>
  /** From now on the job's pages are sent, too, from where that was left. */
  openPages(crawlId: number): Promise<void>
  /** All its pages were sent. */
  closePages(crawlId: number): Promise<void>
  /** Jobs whose pages are sent. */
  withOpenPages(): Promise<readonly number[]>
  pagesTold(crawlId: number): Promise<PagesTold>
  /** Adds the next stretch of a job's pages. False, and nothing done, while another one waits. */
  addPages(delivery: Extract<NewDelivery, { event: 'page' }>): Promise<boolean>
  /**
   * What may be tried at `now`, oldest first. The end of a job waits until its pages were sent, unless
   * telling them has failed.
   */
  due(now: number, limit: number): Promise<readonly Delivery[]>
  /** When after that moment the next delivery may be tried; null when none waits for a later one. */
  nextAt(after: number): Promise<number | null>
  /** It arrived; its pages count as sent. */
  delivered(id: string): Promise<void>
  /** It did not arrive; to be tried again. */
  retry(id: string, nextAt: number): Promise<void>
  /**
   * It will not arrive. With it go all pages up to `pagesUpTo`, so that a receiver that is gone is not
   * knocked at for each stretch of them.
   */
  giveUp(id: string, reason: string, pagesUpTo: number): Promise<void>
  /** What was given up last, newest first; a bounded number is kept. */
  givenUp(crawlId: number): Promise<readonly GivenUp[]>
  /** The job is gone, and what was to be told of it. */
  forget(crawlId: number): Promise<void>
}

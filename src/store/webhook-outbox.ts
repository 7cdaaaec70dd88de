// Deliveries to the receivers of webhooks: each is durable before it is tried, and stays here until it has
// arrived or is given up.
//
// Statuses come from the journal, each event once, up to `toldEvents`. Pages are not copied: a delivery of
// pages names a range of ids. A job has one such delivery at a time, and later pages wait in the page store. So a
// receiver that is down costs one row, however much is crawled meanwhile.
import type { WebhookEvent } from '../core/job.ts'

/** Pages of a job with ids greater than `after`, up to `upTo`. */
type PageStretch = { readonly after: number; readonly upTo: number }

export type NewDelivery = {
  /** The same at every try, so that a receiver recognises repeats. */
  readonly id: string
  readonly crawlId: number
  readonly at: number
} & (
  | { readonly event: Exclude<WebhookEvent, 'page'>; readonly body: string }
  | { readonly event: 'page'; readonly pages: PageStretch }
)

export type Delivery = NewDelivery & {
  /** Number of failed tries. */
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

/** Which pages of a job were delivered. */
export type PagesTold = {
  /** All pages up to this id were delivered or given up. */
  readonly upTo: number
  /** More may come. */
  readonly open: boolean
  /** A delivery of pages is waiting. */
  readonly waiting: boolean
}

export interface WebhookOutbox extends AsyncDisposable {
  /** Events of the journal up to this id have become deliveries; 0 at first. */
  toldEvents(): Promise<number>
  /**
   * Stores the deliveries of the journal's events up to `toldEvents`, all or none. If too many deliveries of a
   * job are waiting, the oldest are given up.
   */
  add(deliveries: readonly NewDelivery[], toldEvents: number): Promise<void>
  /** Starts to deliver the job's pages too, after those that were delivered before. */
  openPages(crawlId: number): Promise<void>
  /** All pages of the job were delivered. */
  closePages(crawlId: number): Promise<void>
  /** Jobs whose pages are delivered. */
  withOpenPages(): Promise<readonly number[]>
  pagesTold(crawlId: number): Promise<PagesTold>
  /** Adds the next delivery of a job's pages; false, without effect, while another one is waiting. */
  addPages(delivery: Extract<NewDelivery, { event: 'page' }>): Promise<boolean>
  /**
   * Deliveries that may be tried at `now`, oldest first. The end of a job waits until its pages were delivered,
   * unless a try to deliver them has failed.
   */
  due(now: number, limit: number): Promise<readonly Delivery[]>
  /** The first moment after `after` at which a delivery may be tried; null if there is none. */
  nextAt(after: number): Promise<number | null>
  /** A delivery arrived; its pages count as delivered. */
  delivered(id: string): Promise<void>
  /** A delivery did not arrive and is tried again at `nextAt`. */
  retry(id: string, nextAt: number): Promise<void>
  /**
   * Gives a delivery up, and with it all pages up to `pagesUpTo`, so that a receiver that is gone is not tried
   * again for each range of pages.
   */
  giveUp(id: string, reason: string, pagesUpTo: number): Promise<void>
  /** The deliveries given up last, newest first; a bounded number is kept. */
  givenUp(crawlId: number): Promise<readonly GivenUp[]>
  /** Deletes all deliveries of a removed job. */
  forget(crawlId: number): Promise<void>
}

// The frontier: all URLs known to one crawl, and which of them may be fetched now.
//
// A URL enters once (`add`, or as a link of a settled page), waits in its host's queue, is leased
// to a scouter, and leaves through `settle` into the state it will keep, until the crawl is gone over
// again (recrawls.ts):
//
//   queued ──lease──▶ leased ──settle──▶ stored | duplicate | redirected | refused | failed
//      ▲                 │
//      └── released, or failed with a retry to come (then `nextAt` says when)
//
// Invariants
// - A URL is known once, by its hash; whatever is seen has a state and a reason.
// - A page and its links arrive in one step: no state is settled without the links it brought.
// - Per host never two requests closer than its delay, nor more at once than allowed; clocks
//   survive a restart, and after a crash every host first waits a full delay.
// - A pick costs O(log n) in hosts, those of one domain as well, and in URLs; only the heads of queues
//   are in memory.
// - A host that is ready waits for no other: not for one that is busy, slow, resting or gone. A domain
//   that is ahead of others may have to go on as if it had one host only.
// - What an ordering keeps with a URL that waits (its facts and score) may be seconds behind on disk;
//   states, and URLs that are new, never are.
// - A lease that its holder lost (crash, pause) cannot be settled by it any more, except that a
//   page which is already durable is always taken as stored.
//
// Left out: fetching, robots rules (the frontier only keeps their text), anything about content.
import type { HostState, UrlCounts } from '../core/host.ts'
import type { Found, Via } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { SitemapSize, Standing } from '../core/visit.ts'
import type { Signals } from '../ordering/ordering.ts'
import type { HostPace, RoomForOthers } from './pace.ts'

/** The right to send one request. Robots and sitemaps take a turn on the host's clock like pages. */
export type Lease = {
  readonly kind: 'page' | 'robots' | 'sitemap'
  /** The URL's id in this frontier; for robots and sitemaps an id of their own kind. */
  readonly id: number
  /** Changes with every lease of the same URL. */
  readonly token: number
  readonly url: CanonicalUrl
  readonly host: string
  readonly depth: number
  /** Redirects that led here. */
  readonly hops: number
  /** Leases of this URL so far, this one included. */
  readonly tries: number
  /** Failures of the host since its last success, for back-off. */
  readonly hostFailures: number
  /** How long it has been failing, as of this lease; 0: it is not. */
  readonly hostDownMs: number
  /** It has given an answer under this scheme before, in this run or an earlier one. */
  readonly hostAnswered: boolean
  /** The gap that the host's clock keeps, as of this lease. */
  readonly delayMs: number
  /** How its host was when it was last asked; nothing is said of one that was quick. */
  readonly pace?: Exclude<HostPace, 'quick'>
  /** Only of URLs that were settled before this round of the crawl, and are visited once more. */
  readonly revisit?: Revisit
}

/** What there is to a URL that is visited again. */
export type Revisit = {
  /** It has a page in the store; then these are its validators and hash, '' where there is none. */
  readonly stored: boolean
  readonly etag: string
  readonly lastModified: string
  readonly contentHash: string
}

/** What a finished request taught about its host. */
export type HostFeedback = {
  /** False for what is the host's fault: no connection, a time-out, 429, 5xx. */
  readonly ok: boolean
  /** What was wrong, when it is not ok. */
  readonly trouble?: string
  /** Rest at least this long from now (Retry-After, back-off). */
  readonly restMs?: number
  /** From now on keep this gap (Crawl-delay, a host that got slow); never below the job's own. */
  readonly delayMs?: number
  /** All that came over the wire. */
  readonly bytes?: number
}

/**
 * `moved`: duplicates that found their place anew because of this page. `cpuMs`: what it took to
 * parse it.
 */
type Moves = { readonly moved?: readonly Standing[]; readonly cpuMs?: number }
/**
 * Of a URL whose page is stored: `gone`, that it is so no more. Without it the page stays, the URL's
 * state with it, and the reason tells why there is no news of it.
 */
type MayBeGone = Moves & { readonly gone?: true }

export type Settlement =
  | (Moves & {
      readonly lease: Settled
      readonly outcome: 'stored'
      readonly found: readonly Found[]
      /** What the ordering's judge noted about the page; null when none did. */
      readonly judged: Signals | null
      /** Equal for pages whose text differs in digits only: how endless templates give themselves away. */
      readonly likeness: number
    })
  | (Moves & {
      readonly lease: Settled
      readonly outcome: 'duplicate'
      /** The URL of the page it repeats. */
      readonly of: string
      readonly found: readonly Found[]
      readonly judged: Signals | null
    })
  | (MayBeGone & { readonly lease: Settled; readonly outcome: 'redirected'; readonly to: Found })
  | (MayBeGone & {
      readonly lease: Settled
      readonly outcome: 'refused'
      readonly reason: string
      readonly found: readonly Found[]
      readonly judged: Signals | null
      /** Of a page that was read but is not kept: endless templates are no better for that. */
      readonly likeness?: number
    })
  | (MayBeGone & {
      readonly lease: Settled
      readonly outcome: 'failed'
      readonly reason: string
      /** When to try again; null: never. */
      readonly retryAt: number | null
      /** The host's fault: the try does not count against the URL. */
      readonly uncounted?: true
    })
  /** Back to the queue as if never leased; the try is not counted. */
  | { readonly lease: Settled; readonly outcome: 'released' }
  /** A page that is stored was asked for again, and is as it was. */
  | { readonly lease: Settled; readonly outcome: 'unchanged' }
  /** The store has no room for its page: it waits as if never leased, or stays as it was. */
  | { readonly lease: Settled; readonly outcome: 'no-room' }
  /** Some of the pages that a sitemap lists: its lease is still held. */
  | { readonly lease: Settled; readonly outcome: 'part'; readonly found: readonly Found[] }
  /** A sitemap was read: the last of the pages it lists, and further sitemaps. */
  | {
      readonly lease: Settled
      readonly outcome: 'read'
      readonly found: readonly Found[]
      readonly sitemaps: readonly CanonicalUrl[]
      readonly size?: SitemapSize
    }

/**
 * Enough of a lease to settle it; `token` null for a page known to be durable already, then `round` is
 * the one it was saved in, where it was one.
 */
export type Settled = Pick<Lease, 'kind' | 'id'> & {
  readonly token: number | null
  readonly round?: number
  /** The page is in the store: it is taken as if its token were null when the lease is lost. */
  readonly durable?: true
  /**
   * What the id stands for, where that is known. With a token of null the URL has the last word: a
   * frontier that lost its last moment may have forgotten it, or given its id to another.
   */
  readonly url?: CanonicalUrl
  /** Of its page; left out when that is gone. */
  readonly depth?: number
}

/** What is known of one origin's robots.txt. */
export type RobotsRecord = {
  readonly origin: string
  /** `fetched`: obey `body`. `unavailable` (4xx): all allowed. `unreachable` (5xx…): all forbidden. */
  readonly status: 'fetched' | 'unavailable' | 'unreachable'
  readonly body: string
  readonly fetchedAt: number
  /** When it must be asked for again. */
  readonly expiresAt: number
  /** Successive unreachable answers. */
  readonly attempts: number
  readonly sitemaps: readonly CanonicalUrl[]
}

/** What lies ahead, for whoever must decide whether to wait, to go on or to end. */
export type FrontierStatus = {
  /** Requests under way or pages not settled yet. */
  readonly unsettled: number
  /** Of `unsettled`: those that others hold who have the same frontier open. */
  readonly heldByOthers: number
  /** Earliest moment at which `lease` could give something; null: nothing is waiting. */
  readonly readyAt: number | null
  /**
   * True when all that still waits is out of reach: on a host, or behind a robots.txt, that answered
   * before and has been failing for longer than the crawl's patience; that never answered and failed
   * too many times in a row; or that rests for longer than the patience.
   */
  readonly allUnreachable: boolean
  /** URLs that wait to be visited again. */
  readonly revisits: number
  /** Of `unsettled`: those that are visited again. */
  readonly revisiting: number
}

export interface Frontier extends AsyncDisposable {
  /**
   * Adds URLs given from outside the crawl; returns how many were new. A known one that is named as
   * a seed has depth 0 from now on, and is queued when only rules that seeds are exempt from had
   * refused it; otherwise known ones are left as they are.
   */
  add(found: readonly Found[], via: Via): Promise<number>
  /**
   * Up to `limit` leases that may start now, best first; [] when none may. At most `newPages` are for
   * other URLs than those that are visited again; once that is 0, such URLs wait until the others are
   * done. Of hosts that are not known to be quick at most as many as there is room for them.
   */
  lease(limit: number, newPages?: number, room?: RoomForOthers): Promise<readonly Lease[]>
  /**
   * A lease of kind `robots` for a request outside the queue (a hop of a robots.txt that moved) to
   * this URL's host; null when that host may not be visited now. Who asks again soon is served before
   * the host's pages. Ended by `requestEnded` alone.
   */
  leaseFor(url: CanonicalUrl): Promise<Lease | null>
  /**
   * Whether the request of a lease may still go out: false when it is no longer held, or may be lost
   * any moment. Asked right before it is sent.
   */
  isValid(lease: Lease): boolean
  /** The request goes out at this moment: the host's delay runs from here. */
  requestSent(lease: Lease): void
  /** The request is over, whatever came of it: its place at the host is free again. */
  requestEnded(lease: Lease, note: HostFeedback): void
  /**
   * Settles leases with the links they brought, all in one durable step. A settlement whose lease
   * is no longer held is ignored, unless its token is null. Returns how many were taken.
   *
   * Durable means that it outlives this process. Only after `flush` does it outlive the machine: until
   * then whoever told of a page must be able to tell it again.
   */
  settle(settlements: readonly Settlement[]): Promise<number>
  /** Resolves when all that was settled before this call survives a power cut. */
  flush(): Promise<void>
  /**
   * Keeps what a robots lease brought, durably, and settles that lease. `delayMs`: the gap that the
   * file asks for, kept from this request on.
   */
  saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void>
  /** What is known of an origin's robots.txt; null when nothing is. */
  robots(origin: string): Promise<RobotsRecord | null>
  /**
   * Refuses all that is out of reach (`robots-unreachable`, `host-unreachable`); a later run will try
   * it again.
   */
  refuseUnreachable(): Promise<number>
  status(): FrontierStatus
  counts(): UrlCounts
  /** The state of every host that was visited or waits, the largest first; at most `limit`. */
  hosts(limit: number): readonly HostState[]
}

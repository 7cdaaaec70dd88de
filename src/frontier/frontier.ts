// The frontier: all URLs known to one crawl, and which of them may be fetched now.
//
// A URL enters once (`add`, or as a link of a settled page), waits in its host's queue, is leased to a
// scouter, and leaves through `settle` into its final state, until a recrawl visits it again (recrawls.ts):
//
//   queued ──lease──▶ leased ──settle──▶ stored | duplicate | redirected | refused | failed
//      ▲                 │
//      └── released, or failed with a retry to come (then `nextAt` says when)
//
// Invariants
// - A URL is known once, by its hash. Every URL that was seen has a state and a reason.
// - A page and its links arrive in one step: no state is settled without the links of its page.
// - Two requests to a host are never closer than its delay, and never more at once than allowed. Clocks
//   survive a restart; after a crash every host first waits a full delay.
// - A pick costs O(log n) in hosts, in hosts of one domain, and in URLs. Only the heads of queues are in
//   memory.
// - A ready host waits for no other host, be it busy, slow, resting or gone. A domain that is ahead of others
//   may be limited to the pace of a single host.
// - The facts and score that an ordering keeps with a waiting URL may be seconds behind on disk; new URLs and
//   what was settled never are.
// - A lease does not survive its holder, and may never have been written. Whoever opens the frontier next queues
//   the URL again: it is requested once more, unless a receipt brings its page first.
// - A lease that its holder lost (crash, pause) can no longer be settled by that holder, except that a page
//   which is already durable is always accepted as stored.
//
// Not here: fetching, robots rules (the frontier only keeps their text), anything about content.
import type { HostState, UrlCounts } from '../core/host.ts'
import type { Found, Via } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { RoleChange, SitemapSize } from '../core/visit.ts'
import type { Signals } from '../ordering/ordering.ts'

/** The right to send one request. Requests for robots.txt and sitemaps use the host's clock like pages. */
export type Lease = {
  readonly kind: 'page' | 'robots' | 'sitemap'
  /** The URL's id in this frontier. Robots and sitemaps have ids of their own. */
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
  /** How long the host has been failing, as of this lease; 0 if it is not failing. */
  readonly hostDownMs: number
  /** The host has answered under this scheme before, in this run or an earlier one. */
  readonly hostAnswered: boolean
  /** The gap that the host's clock keeps, as of this lease. */
  readonly delayMs: number
  /** The host's pace at its last request; left out if it was quick. */
  readonly pace?: Exclude<HostPace, 'quick'>
  /** Only for URLs that were settled before this recrawl and are visited again. */
  readonly revisit?: Revisit
}

/** What is known about a URL that is visited again. */
export type Revisit = {
  /** The URL has a page in the store. Then these are its validators and hash, '' if there is none. */
  readonly stored: boolean
  readonly etag: string
  readonly lastModified: string
  readonly contentHash: string
}

/** What a finished request showed about its host. */
export type HostFeedback = {
  /** False for failures of the host: no connection, a time-out, 429, 5xx. */
  readonly ok: boolean
  /** The failure, if `ok` is false. */
  readonly trouble?: string
  /** Rest at least this long from now (Retry-After, back-off). */
  readonly restMs?: number
  /** Keep this gap from now on (Crawl-delay, a host that became slow); never below the job's own. */
  readonly delayMs?: number
  /** All bytes received. */
  readonly bytes?: number
}

/** `moved`: duplicates whose state changed because of this page. `cpuMs`: the time it took to parse it. */
type RoleChanges = { readonly moved?: readonly RoleChange[]; readonly cpuMs?: number }
/**
 * For a URL whose page is stored: `gone` means that the page no longer exists. Without it, page and state
 * stay, and the reason says why the visit failed.
 */
type WithPageLoss = RoleChanges & { readonly gone?: true }

export type FrontierUpdate =
  | (RoleChanges & {
      readonly lease: LeaseRef
      readonly outcome: 'stored'
      readonly found: readonly Found[]
      /** Signals that the ordering's judge noted about the page; null if there are none. */
      readonly judged: Signals | null
      /** Equal for pages whose text differs in digits only. Endless templates are recognized by it. */
      readonly likeness: number
    })
  | (RoleChanges & {
      readonly lease: LeaseRef
      readonly outcome: 'duplicate'
      /** The URL of the original page. */
      readonly of: string
      readonly found: readonly Found[]
      readonly judged: Signals | null
    })
  | (WithPageLoss & {
      readonly lease: LeaseRef
      readonly outcome: 'redirected'
      readonly to: Found
    })
  | (WithPageLoss & {
      readonly lease: LeaseRef
      readonly outcome: 'refused'
      readonly reason: string
      readonly found: readonly Found[]
      readonly judged: Signals | null
      /** Set for a page that was read but not kept; it counts as evidence of an endless template, too. */
      readonly likeness?: number
    })
  | (WithPageLoss & {
      readonly lease: LeaseRef
      readonly outcome: 'failed'
      readonly reason: string
      /** When to try again; null means never. */
      readonly retryAt: number | null
      /** The host failed, so the try does not count against the URL. */
      readonly uncounted?: true
    })
  /** Back to the queue as if never leased. The try is not counted. */
  | { readonly lease: LeaseRef; readonly outcome: 'released' }
  /** A stored page was requested again and has not changed. */
  | { readonly lease: LeaseRef; readonly outcome: 'unchanged' }
  /** The store has no room for the page. The URL waits as if never leased; a stored page stays unchanged. */
  | { readonly lease: LeaseRef; readonly outcome: 'no-room' }
  /** Some of the pages that a sitemap lists. The lease is still held. */
  | { readonly lease: LeaseRef; readonly outcome: 'part'; readonly found: readonly Found[] }
  /** The end of a sitemap: the last pages it lists, and further sitemaps. */
  | {
      readonly lease: LeaseRef
      readonly outcome: 'read'
      readonly found: readonly Found[]
      readonly sitemaps: readonly CanonicalUrl[]
      readonly size?: SitemapSize
    }

/**
 * The part of a lease that is needed to settle it. `token` is null for a page known to be durable; then
 * `round` is the recrawl that saved it, if any.
 */
export type LeaseRef = Pick<Lease, 'kind' | 'id'> & {
  readonly token: number | null
  readonly round?: number
  /** The page is in the store. If the lease is lost, it is settled as if the token were null. */
  readonly durable?: true
  /**
   * The URL of the id, if known. With a null token the URL decides: a frontier that lost its last moments may
   * have forgotten the id, or given it to another URL.
   */
  readonly url?: CanonicalUrl
  /** Depth of the page; left out if the page is gone. */
  readonly depth?: number
}

/** The known state of one origin's robots.txt. */
export type RobotsRecord = {
  readonly origin: string
  /** `fetched`: obey `body`. `unavailable` (4xx): all allowed. `unreachable` (5xx…): all forbidden. */
  readonly status: 'fetched' | 'unavailable' | 'unreachable'
  readonly body: string
  readonly fetchedAt: number
  /** When it must be requested again. */
  readonly expiresAt: number
  /** Consecutive requests that failed. */
  readonly attempts: number
  readonly sitemaps: readonly CanonicalUrl[]
}

/** Tells a crawl whether to wait, to continue or to end. */
export type FrontierStatus = {
  /** Requests under way or pages not settled yet. */
  readonly unsettled: number
  /** The part of `unsettled` that other processes with the same frontier hold. */
  readonly heldByOthers: number
  /** Earliest moment at which `lease` could return something; null if nothing is waiting. */
  readonly readyAt: number | null
  /**
   * True if everything that waits is unreachable. That is a host or a robots.txt that answered before and has
   * been failing for longer than the crawl's patience, that never answered and failed too many times in a
   * row, or that rests for longer than the patience.
   */
  readonly allUnreachable: boolean
  /** URLs that wait to be visited again. */
  readonly revisits: number
  /** The part of `unsettled` that is visited again. */
  readonly revisiting: number
}

export interface Frontier extends AsyncDisposable {
  /**
   * Adds URLs given from outside the crawl; returns how many were new. A known URL that is added as a seed
   * gets depth 0, and is queued if it was refused only by rules that do not apply to seeds. Other known URLs
   * do not change.
   */
  add(found: readonly Found[], via: Via): Promise<number>
  /**
   * Up to `limit` leases that may start now, best first; [] if there are none. At most `newPages` of them are
   * for URLs that are not visited again; once that is 0, such URLs wait until the others are done. `room`
   * limits the leases for hosts that are not known to be quick. URLs that it refuses instead are written a moment
   * later: a crash loses a refusal, and the URL is refused again.
   */
  lease(limit: number, newPages?: number, room?: RoomForOthers): Promise<readonly Lease[]>
  /**
   * A lease of kind `robots` for a request outside the queue (a redirect of a robots.txt) to this URL's host;
   * null if that host may not be visited now. A caller that asks again soon is served before the host's
   * pages. The lease ends with `requestEnded`; it is not settled.
   */
  leaseFor(url: CanonicalUrl): Promise<Lease | null>
  /**
   * Whether the request of a lease may still be sent: false if the lease is lost or may be lost any moment.
   * Call it right before the request is sent.
   */
  isValid(lease: Lease): boolean
  /** The request is sent at this moment. The host's delay counts from here. */
  requestSent(lease: Lease): void
  /** The request has ended, with or without success. Its slot at the host is free again. */
  requestEnded(lease: Lease, note: HostFeedback): void
  /**
   * Settles leases together with their links, in one durable step. An update whose lease is no longer held
   * is ignored, unless its token is null. Returns how many were accepted.
   *
   * Durable means that it survives this process. It survives a power cut only after `flush`; until then the
   * sender of a page must be able to send it again.
   */
  settle(updates: readonly FrontierUpdate[]): Promise<number>
  /** Resolves when everything that was settled before this call survives a power cut. */
  flush(): Promise<void>
  /**
   * Saves the result of a robots lease durably and settles the lease. `delayMs` is the gap that the file asks
   * for; it applies from this request on.
   */
  saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void>
  /** The known state of an origin's robots.txt; null if there is none. */
  robots(origin: string): Promise<RobotsRecord | null>
  /**
   * Refuses everything that is unreachable (`robots-unreachable`, `host-unreachable`). A later run tries it
   * again.
   */
  refuseUnreachable(): Promise<number>
  status(): FrontierStatus
  counts(): UrlCounts
  /** The state of every host that was visited or has URLs waiting, the largest first; at most `limit`. */
  hosts(limit: number): readonly HostState[]
}

/** A request that takes longer than this makes its host slow. It is as long as a patient crawl waits. */
export const SLOW_MS = 2000

/** `new`: the host has not returned a page in this run. */
export type HostPace = 'new' | 'quick' | 'slow'

/**
 * How many more requests may go to hosts that are not known to be quick, by their last request: nobody
 * waits for a slow host, and slow hosts share a limited part of the request slots.
 */
export type RoomForOthers = { readonly new: number; readonly slow: number }

export const ROOM_FOR_ALL: RoomForOthers = {
  new: Number.POSITIVE_INFINITY,
  slow: Number.POSITIVE_INFINITY,
}

// Turns ready hosts into leases: robots.txt before anything else of an origin, then pages and sitemaps in
// turns.
import { CrawlerError } from '../../core/errors.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Lease, RoomForOthers } from '../frontier.ts'
import type { Host, Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { ActiveLease, Leases, NewLease } from './leases.ts'
import type { Retries } from './retries.ts'
import type { Revisits } from './revisits.ts'
import type { Schedule } from './schedule.ts'
import type { SeenUrls } from './seen-urls.ts'
import type { Sitemaps } from './sitemaps.ts'
import type { Spending } from './spending.ts'
import type { StateCounts } from './state-counts.ts'
import {
  DUPLICATE,
  LEASED,
  QUEUED,
  REFUSED,
  STORED,
  type StateNumber,
  UNREACHABLE,
} from './states.ts'
import type { TrapBudget } from './trap-budget.ts'
import type { UrlTable } from './url-table.ts'

/** How long a host is kept free for a caller that waits for a request outside the queue. */
const PATIENCE_MS = 200
/** The maximum number of URLs refused in one pick: other hosts must have their turn. */
export const MAX_REFUSED = 2000

type PickingOptions = {
  readonly clock: Clock
  readonly schedule: Schedule
  readonly leases: Leases
  readonly urls: UrlTable
  readonly seen: SeenUrls
  readonly sitemaps: Sitemaps
  readonly revisits: Revisits
  readonly stateCounts: StateCounts
  readonly templates: TrapBudget
  readonly hosts: Hosts
  readonly spending: Spending
  readonly retries: Retries
  readonly ignoreRobots: boolean
}

/** The new state of a URL that is not fetched. */
type Refused = { readonly reason: string; readonly state: StateNumber }

/** How many more URLs may be refused in one pick. */
type RefusalRoom = { left: number }

type PickOptions = {
  readonly limit: number
  readonly room: RoomForOthers | undefined
  readonly refusals: RefusalRoom
  /** If `limit` is reached, it is for lack of connections. */
  readonly lacksConnections: boolean
}

/** One pick: leases of ready hosts, best first. Each host is leased from by the partition it belongs to. */
export function pick(
  schedule: Schedule,
  pickingOf: (host: Host) => Picking,
  { limit, room, refusals, lacksConnections }: PickOptions,
): Lease[] {
  const leases: Lease[] = []
  schedule.beginPicks(room)
  while (leases.length < limit && refusals.left > 0) {
    const host = schedule.pick()
    if (host === undefined) break
    const lease = pickingOf(host).leaseFrom(host, refusals)
    if (lease !== null) leases.push(lease)
    schedule.place(host)
  }
  schedule.endRound(lacksConnections)
  return leases
}

/** Leases from the hosts of one partition. */
export class Picking {
  readonly #parts: PickingOptions
  #refusals: RefusalRoom = { left: MAX_REFUSED }

  constructor(options: PickingOptions) {
    this.#parts = options
  }

  /** Whether a pick may refuse URLs, and so needs a transaction. */
  get mayRefuse(): boolean {
    return this.#parts.templates.areClosed || this.#parts.spending.isTight
  }

  /** A lease for a request outside the queue; null if the host may not be visited now. */
  outside(url: CanonicalUrl, origin: Origin): Lease | null {
    const { schedule, clock } = this.#parts
    const { host } = origin
    const now = clock.now()
    host.awaitedUntil = schedule.mayVisit(host) ? 0 : now + PATIENCE_MS
    if (host.awaitedUntil > now) {
      schedule.place(host)
      return null
    }
    const wanted = { kind: 'robots', id: origin.id, origin, url, hops: 0, tries: 1 } as const
    const lease = this.#grant({ ...wanted, outside: true }, 0)
    schedule.place(host)
    return lease
  }

  /** Null if its URLs were refused instead, or if it has nothing for now. */
  leaseFrom(host: Host, refusals: RefusalRoom): Lease | null {
    const { clock, schedule } = this.#parts
    const now = clock.now()
    this.#refusals = refusals
    this.#sweepIfOver(host)
    if (refusals.left <= 0) return null
    const again = host.revisitedAt(now)
    const open = schedule.mayTakeNew(host)
      ? host.origins.filter((origin) => origin.opensAt <= now)
      : []
    const withSitemap = open.find((origin) => origin.hasSitemap)
    const withPage = bestOf(open)
    const isNew = withSitemap !== undefined || withPage !== undefined
    if (again !== undefined && (host.revisitNext || !isNew)) return this.#revisit(again)
    host.revisitNext = true
    const isSitemap = withSitemap !== undefined && (host.sitemapNext || withPage === undefined)
    const origin = isSitemap ? withSitemap : withPage
    if (origin === undefined) return null
    if (this.#needsRobots(origin)) return this.#robots(origin)
    host.sitemapNext = !isSitemap
    return isSitemap ? this.#sitemap(origin) : this.#page(origin)
  }

  #needsRobots(origin: Origin): boolean {
    return !this.#parts.ignoreRobots && origin.robotsUntil <= this.#parts.clock.now()
  }

  #robots(origin: Origin): Lease {
    // An origin has no path, so this is canonical by construction.
    const url = `${origin.name}/robots.txt` as CanonicalUrl
    return this.#grant({ kind: 'robots', id: origin.id, origin, url, hops: 0, tries: 1 }, 0)
  }

  #sitemap(origin: Origin): Lease {
    const { url, hops, tries, id } = this.#parts.sitemaps.read(origin.sitemaps.shift() ?? 0)
    return this.#grant({ kind: 'sitemap', id, origin, url, hops, tries: tries + 1 }, 0)
  }

  #page(origin: Origin): Lease | null {
    const { urls, seen, stateCounts } = this.#parts
    const id = this.#takeFrom(origin)
    if (id === 0) throw lostRows(origin)
    const { url, depth, hops, tries } = urls.read(id)
    // Rules learned since the URL was found apply, but not to seeds.
    const refusal = depth === 0 ? null : this.#refusal(origin.host, url)
    if (refusal !== null) {
      this.#refuse(origin, id, refusal)
      return null
    }
    seen.setDepth(id, depth)
    stateCounts.move(QUEUED, LEASED)
    return this.#grant({ kind: 'page', id, origin, url, hops, tries: tries + 1 }, depth)
  }

  #refusal(host: Host, url: CanonicalUrl): Refused | null {
    const { templates, spending } = this.#parts
    const trap = templates.refusal(host.id, url)
    if (trap !== null) return { reason: trap, state: REFUSED }
    const shut = spending.shutReason(host, url)
    return shut === null ? null : { reason: shut, state: UNREACHABLE }
  }

  /** Refuses the URLs of a host that has used up a budget; some of them, if there are many. */
  #sweepIfOver(host: Host): void {
    const { spending, sitemaps, retries } = this.#parts
    const over = spending.isTight ? spending.refusal(host) : null
    if (over === null) return
    for (const origin of host.origins) {
      while (origin.queue.size > 0 && this.#refusals.left > 0) {
        const id = this.#takeFrom(origin)
        if (id === 0) throw lostRows(origin)
        this.#refuse(origin, id, over)
      }
      if (origin.sitemaps.length > 0) sitemaps.giveUp(origin, over.reason)
      for (const { kind, id } of origin.delayed > 0 ? retries.of(origin) : []) {
        if (kind !== 'page') continue
        retries.drop(kind, id)
        this.#refuse(origin, id, over)
      }
    }
  }

  #refuse(origin: Origin, id: number, why: Refused): void {
    const { urls, seen, stateCounts, hosts } = this.#parts
    urls.settle(id, why.state, { reason: why.reason, tries: null, nextAt: null })
    if (why.state === REFUSED) seen.setClosed(id, true)
    stateCounts.move(QUEUED, why.state)
    hosts.markDirty(origin.host)
    this.#refusals.left -= 1
  }

  #revisit(origin: Origin): Lease {
    if (this.#needsRobots(origin)) return this.#robots(origin)
    const { revisits, urls, seen } = this.#parts
    origin.host.revisitNext = false
    const id = revisits.take(origin)
    if (id === 0) throw lostRows(origin)
    const { url, depth, hops, state } = urls.read(id)
    const { tries, ...known } = revisits.read(id)
    seen.setDepth(id, depth)
    const wanted = { kind: 'page', id, origin, url, hops, tries: tries + 1, revisit: true } as const
    const stored = state === STORED || state === DUPLICATE
    return { ...this.#grant(wanted, depth), revisit: { stored, ...known } }
  }

  /** The best candidate that is not leased; 0 if there is none. */
  #takeFrom({ queue }: Origin): number {
    let id = queue.take()
    while (id !== 0 && this.#parts.leases.hasPage(id)) {
      queue.recount()
      id = queue.take()
    }
    return id
  }

  #grant(wanted: NewLease, depth: number): Lease {
    const { leases, clock } = this.#parts
    const active: ActiveLease = leases.grant(wanted)
    const { host } = active.origin
    return {
      ...{
        kind: active.kind,
        id: active.id,
        token: active.token,
        url: active.url,
        host: host.name,
      },
      ...{ depth, hops: active.hops, tries: active.tries },
      ...{ hostFailures: host.failures, delayMs: active.delayMs },
      ...(host.pace === 'quick' ? {} : { pace: host.pace }),
      hostDownMs: host.downSince === 0 ? 0 : Math.max(0, clock.now() - host.downSince),
      hostAnswered: active.origin.answered,
    }
  }
}

function lostRows({ name }: Origin): CrawlerError {
  return new CrawlerError('store-damaged', `the queue of ${name} has lost rows`)
}

/** The origin with the best candidate. Ties are broken by order of discovery, as within a queue. */
function bestOf(origins: readonly Origin[]): Origin | undefined {
  let best: Origin | undefined
  for (const origin of origins) {
    if (origin.queue.size === 0) continue
    if (best === undefined || isBetter(origin, best)) best = origin
  }
  return best
}

function isBetter({ queue: a }: Origin, { queue: b }: Origin): boolean {
  return a.bestScore > b.bestScore || (a.bestScore === b.bestScore && a.bestId < b.bestId)
}

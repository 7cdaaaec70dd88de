// Active leases, and their effect on their host's clock.
//
// A lease ends twice, in either order: its request ends, and it is settled. Until the first it takes one of
// the host's slots, until the second it holds its URL. A request that was never sent gives back the time that
// was reserved for it.
import { CrawlerError } from '../../core/errors.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Clock } from '../../lib/clock.ts'
import { type HostFeedback, type Lease, type LeaseRef, SLOW_MS } from '../frontier.ts'
import type { Host, Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { Spending } from './spending.ts'

type Kind = Lease['kind']

export type ActiveLease = {
  readonly kind: Kind
  readonly id: number
  readonly token: number
  readonly origin: Origin
  readonly url: CanonicalUrl
  readonly hops: number
  readonly tries: number
  /** Its URL was settled before, and keeps its state meanwhile. */
  readonly revisit: boolean
  /** The host's clock before this lease, and the value this lease set it to. */
  readonly restedUntil: number
  readonly reservedUntil: number
  /** The host's gap at the time. */
  readonly delayMs: number
  readonly grantedAt: number
  startedAt: number | null
  requestEnded: boolean
  settled: boolean
  /** The row has the state `leased`. */
  marked: boolean
}

export type NewLease = Pick<ActiveLease, 'kind' | 'id' | 'origin' | 'url' | 'hops' | 'tries'> & {
  /** Outside the queue: there is nothing to settle, and the lease ends with its request. */
  readonly outside?: boolean
  readonly revisit?: boolean
}

/** The longest rest of a host, whatever it asks for. */
export const MAX_REST_MS = 24 * 60 * 60 * 1000
/** Room for the leases of one run. Tokens of different runs never collide. */
const TOKENS_PER_RUN = 2 ** 32

export class Leases {
  readonly #clock: Clock
  readonly #hosts: Hosts
  readonly #spending: Spending
  readonly #byToken = new Map<number, ActiveLease>()
  readonly #held: Readonly<Record<Kind, Map<number, ActiveLease>>> = {
    page: new Map(),
    robots: new Map(),
    sitemap: new Map(),
  }
  /** Page leases whose row does not have the state `leased` yet. */
  readonly #unmarked = new Map<number, ActiveLease>()
  #lastToken: number
  #revisiting = 0

  constructor(options: { clock: Clock; hosts: Hosts; spending: Spending; run: number }) {
    this.#clock = options.clock
    this.#spending = options.spending
    this.#hosts = options.hosts
    this.#lastToken = options.run * TOKENS_PER_RUN
  }

  /** Leases that have not ended both ways. */
  get unsettled(): number {
    return this.#byToken.size
  }

  /** The part of them whose URLs are visited again. */
  get revisiting(): number {
    return this.#revisiting
  }

  /** Number of page leases that are not settled. */
  get pagesHeld(): number {
    return this.#held.page.size
  }

  /** The oldest first. */
  get unmarked(): ReadonlyMap<number, ActiveLease> {
    return this.#unmarked
  }

  /** When the oldest of them was granted; Infinity if there is none. */
  get oldestUnmarked(): number {
    const [oldest] = this.#unmarked.values()
    return oldest?.grantedAt ?? Number.POSITIVE_INFINITY
  }

  /** Page leases that are not settled. */
  pages(): Iterable<ActiveLease> {
    return this.#held.page.values()
  }

  hasPage(id: number): boolean {
    return this.#held.page.has(id)
  }

  /** Whether the lease has not ended both ways. */
  isOut({ token }: Lease): boolean {
    return this.#byToken.has(token)
  }

  /** Refuses what is already leased: two leases would share one end, and the crawl would never end. */
  grant(wanted: NewLease): ActiveLease {
    const { outside = false, revisit = false, ...rest } = wanted
    if (!outside && this.#held[wanted.kind].has(wanted.id)) {
      throw new CrawlerError('store-damaged', `${wanted.url} is out already and was picked again`)
    }
    const { host } = wanted.origin
    const delayMs = this.#hosts.delayOf(host)
    const grantedAt = this.#clock.now()
    this.#lastToken += 1
    const active: ActiveLease = {
      ...rest,
      revisit,
      token: this.#lastToken,
      restedUntil: host.restsUntil,
      reservedUntil: grantedAt + delayMs,
      delayMs,
      grantedAt,
      startedAt: null,
      requestEnded: false,
      settled: outside,
      marked: false,
    }
    host.restsUntil = active.reservedUntil
    host.unstarted += 1
    noteVisit(host, grantedAt)
    this.#byToken.set(active.token, active)
    if (revisit) this.#revisiting += 1
    this.#hosts.markDirty(host)
    if (outside) return active
    this.#held[active.kind].set(active.id, active)
    if (active.kind === 'page' && !revisit) this.#unmarked.set(active.id, active)
    countHeld(active, 1)
    return active
  }

  /** The lease of an update; undefined if it is no longer held. */
  claim(settled: LeaseRef): ActiveLease | undefined {
    const active = this.#held[settled.kind].get(settled.id)
    return settled.token === null || active?.token === settled.token ? active : undefined
  }

  requestSent(lease: Lease): ActiveLease | undefined {
    const active = this.#byToken.get(lease.token)
    if (active === undefined || active.requestEnded || active.startedAt !== null) return undefined
    const { host } = active.origin
    active.startedAt = this.#clock.now()
    host.unstarted -= 1
    host.restsUntil = Math.max(host.restsUntil, active.startedAt + this.#hosts.delayOf(host))
    this.#hosts.markDirty(host)
    return active
  }

  requestEnded(lease: Lease, note: HostFeedback): ActiveLease | undefined {
    const active = this.#byToken.get(lease.token)
    if (active === undefined || active.requestEnded) return undefined
    const { host } = active.origin
    this.#endRequest(active)
    if (active.startedAt !== null)
      this.#spending.requestEnded(host, { ...note, revisit: active.revisit })
    if (!note.ok || active.startedAt !== null) {
      host.failures = note.ok ? 0 : host.failures + 1
      host.downSince = note.ok ? 0 : host.downSince || this.#clock.now()
      host.trouble = note.ok ? '' : (note.trouble ?? '')
    }
    if (note.ok) host.restMs = 0
    // The reader of a robots.txt decides itself what an answer to that request means.
    if (note.ok && active.startedAt !== null && active.kind !== 'robots') active.origin.noteAnswer()
    if (note.delayMs !== undefined) {
      host.ownDelayMs = wholeMs(note.delayMs)
      // A gap learned from this very request already applies after it.
      const from = active.startedAt ?? 0
      host.restsUntil = Math.max(host.restsUntil, from + this.#hosts.delayOf(host))
    }
    if (note.restMs !== undefined) {
      host.restMs = wholeMs(note.restMs)
      host.restsUntil = Math.max(host.restsUntil, this.#clock.now() + host.restMs)
    }
    this.#hosts.markDirty(host)
    return active
  }

  /** From now on, this request included, the host keeps this gap. */
  slowDown(host: Host, delayMs: number): void {
    host.ownDelayMs = wholeMs(delayMs)
    host.restsUntil = Math.max(host.restsUntil, this.#clock.now() + this.#hosts.delayOf(host))
    this.#hosts.markDirty(host)
  }

  /** Ends the right to settle. If the request was never sent, it ends, too. */
  settle(active: ActiveLease): void {
    if (active.settled) return
    active.settled = true
    this.#held[active.kind].delete(active.id)
    this.#unmarked.delete(active.id)
    countHeld(active, -1)
    if (active.startedAt === null && !active.requestEnded) this.#endRequest(active)
    this.#forget(active)
  }

  /** The row of the lease now has the state `leased`. */
  marked(active: ActiveLease): void {
    active.marked = true
    this.#unmarked.delete(active.id)
  }

  #endRequest(active: ActiveLease): void {
    const { host } = active.origin
    active.requestEnded = true
    host.inFlight -= 1
    host.site.inFlight -= 1
    const isSlow = this.#clock.now() - (active.startedAt ?? host.visitedAt) > SLOW_MS
    // A quick robots.txt says nothing about pages, and a request that was never sent says nothing at all.
    const isProof = active.startedAt !== null && active.kind === 'page'
    if (isSlow || isProof) host.pace = isSlow ? 'slow' : 'quick'
    if (active.startedAt === null) {
      host.unstarted -= 1
      if (host.restsUntil === active.reservedUntil) host.restsUntil = active.restedUntil
    }
    this.#hosts.markDirty(host)
    this.#forget(active)
  }

  #forget(active: ActiveLease): void {
    if (!active.requestEnded || !active.settled || !this.#byToken.delete(active.token)) return
    if (active.revisit) this.#revisiting -= 1
  }
}

/** Jitter and arithmetic yield fractions, and a server may ask for a century; the clock accepts neither. */
function wholeMs(ms: number): number {
  return Math.min(MAX_REST_MS, Math.ceil(ms))
}

function noteVisit(host: Host, now: number): void {
  const { site } = host
  host.inFlight += 1
  host.visitedAt = now
  site.inFlight += 1
  site.visitedBy = host.id
  site.visitedAt = now
  if (host.isWell) site.soonUntil = Math.max(site.soonUntil, now + SLOW_MS)
}

function countHeld(active: ActiveLease, by: 1 | -1): void {
  const { origin } = active
  if (active.kind === 'robots') origin.host.robotsOut += by
  if (active.kind === 'sitemap') origin.host.sitemapsOut += by
  // A page that is visited again takes no page away from others.
  if (active.kind !== 'page' || active.revisit) return
  origin.held += by
  origin.host.site.held += by
}

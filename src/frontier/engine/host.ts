// A host in a running crawl: its clock, its one or two queues (http and https), its site.
import type { Forbidden, Spent } from '../../core/budget.ts'
import type { HostState } from '../../core/host.ts'
import { type Heaped, IndexedHeap } from '../../lib/indexed-heap.ts'
import { type HostPace, SLOW_MS } from '../frontier.ts'
import type { HostFacts, SiteFacts } from '../policy/host-policy.ts'
import type { SitemapUse } from '../sitemap-budget.ts'
import type { CandidateQueue, HostQueue } from './host-queue.ts'

/** No host waits for one that rests longer than this. */
const LONG_REST_MS = 60_000
/** Requests in a row without a stored page after which a site counts as barren. */
const BARREN_AFTER = 20

/** Missed pages that a domain may catch up on when it comes back. */
const CREDIT = 32

/** A registrable domain. */
export class Site implements SiteFacts, Heaped {
  heapAt = -1
  readonly name: string
  readonly isSeed: boolean
  stored = 0
  /** Page leases that are not settled. */
  held = 0
  /** Settled pages since the last stored one. */
  fruitless = 0
  /** Pages it missed while it could not be served, and is not given later. */
  missed = 0
  counted = -1
  /** Requests under way to any of its hosts, the id of the host visited last, and when. */
  inFlight = 0
  visitedBy = 0
  visitedAt = Number.NEGATIVE_INFINITY
  /** Its ready hosts, by pace. */
  lines: Partial<Record<HostPace, Line<Host>>> | null = null
  /** Number of its hosts that are ready and well. */
  ready = 0
  /** Although no host is ready, one was a moment ago or will be at the usual pace, until then. */
  soonUntil = Number.NEGATIVE_INFINITY

  constructor(name: string, isSeed: boolean) {
    this.name = name
    this.isSeed = isSeed
  }

  get share(): number {
    return this.stored + this.held + this.missed
  }

  /** Whether other domains compare themselves with it. */
  couldBeServed(now: number): boolean {
    return this.fruitless < BARREN_AFTER && (this.ready > 0 || this.soonUntil > now)
  }

  /** It can be served again; `least` is the share of the least served domain. */
  comeBack(least: number): void {
    this.missed += Math.max(0, least - CREDIT - this.share)
  }
}

/** State of an origin's robots.txt in memory. */
type RobotsState = 'unknown' | 'known' | 'unreachable'

/** Scheme, host and port. An origin has a queue and a robots.txt of its own. */
export class Origin {
  readonly id: number
  readonly host: Host
  readonly queue: CandidateQueue
  /** Page leases that are not settled. */
  held = 0
  /** Retries that wait for their time. */
  delayed = 0
  /** URLs to visit again; null if there are none. */
  revisits: HostQueue | null = null
  /** URLs to visit again that wait for their time. */
  delayedRevisits = 0
  /** Sitemaps that wait for their time. */
  delayedSitemaps = 0
  /** Ids of sitemaps to read, oldest first. */
  readonly sitemaps: number[] = []
  robots: RobotsState = 'unknown'
  /** When robots.txt must be requested again. */
  robotsUntil = 0
  /** How often in a row robots.txt could not be reached. */
  robotsAttempts = 0

  constructor(id: number, host: Host, queue: CandidateQueue) {
    this.id = id
    this.host = host
    this.queue = queue
  }

  /** `https://a.test:8080`. */
  get name(): string {
    return `${(this.id & 1) === 1 ? 'https' : 'http'}://${this.host.name}`
  }

  /** It has answered before. Files from before this was recorded know only what is stored. */
  get answered(): boolean {
    const { answered, stored } = this.host
    return answered === 0 ? stored > 0 : (answered & (1 << (this.id & 1))) !== 0
  }

  noteAnswer(): void {
    this.host.answered |= 1 << (this.id & 1)
  }

  get hasWork(): boolean {
    return this.queue.size > 0 || this.hasSitemap || this.hasRevisits
  }

  /**
   * A host's next sitemap is requested only after the last was read, since that may have used up the budget.
   */
  get hasSitemap(): boolean {
    return this.sitemaps.length > 0 && this.host.sitemapsOut === 0
  }

  /** Nothing of it waits or is leased, now or later. */
  get isIdle(): boolean {
    const { held, delayed, delayedRevisits, delayedSitemaps } = this
    return !this.hasWork && held + delayed + delayedRevisits + delayedSitemaps === 0
  }

  get hasRevisits(): boolean {
    return this.revisits !== null && this.revisits.size > 0
  }

  /** When its pages may be requested, politeness aside. */
  get opensAt(): number {
    return this.robots === 'unreachable' ? this.robotsUntil : 0
  }
}

export class Host implements HostFacts, Heaped {
  /** The partition it belongs to. */
  partition = 0
  heapAt = -1
  place: 'nowhere' | 'ready' | 'resting' = 'nowhere'
  /** The line it is in while it is ready. */
  line: Line<Host> | null = null
  /** Set by the schedule: its site counts it as ready. */
  countsAsReady = false
  readonly id: number
  readonly name: string
  readonly site: Site
  /** The origins it has URLs of: http, https or both. */
  origins: readonly Origin[] = []
  stored = 0
  pending = 0
  lastVisit = 0
  failures = 0
  /** Time of the first of these failures; 0 if there is none. */
  downSince = 0
  trouble = ''
  /** Schemes under which it ever answered: bit 0 http, bit 1 https. */
  answered = 0
  /** The gap it asked for or needs; 0 means the job's own. */
  ownDelayMs = 0
  restsUntil = 0
  /** The longest rest it is in, as requested; 0 if it only waits for the gap. */
  restMs = 0
  /** As shown by its last request. The duration of the request under way is not included. */
  pace: HostPace = 'new'
  visitedAt = Number.NEGATIVE_INFINITY
  /** Leases whose request has not ended. */
  inFlight = 0
  /** Leases whose request was not sent yet. */
  unstarted = 0
  /** Robots leases that are not settled. */
  robotsOut = 0
  /** A caller waits for a request outside the queue, and will ask again before this moment. */
  awaitedUntil = 0
  /** Pages and sitemaps take turns, and so do both and pages that are visited again. */
  sitemapNext = false
  revisitNext = true
  sitemapsKnown = 0
  /** Sitemap leases that are not settled. */
  sitemapsOut = 0
  /** Use of its sitemap budget; null until a sitemap was read. */
  sitemapUse: SitemapUse | null = null
  /** What it has cost; null if nothing yet. */
  spent: Spent | null = null
  /** Null if it forbade nothing recently and none of its folders is closed. */
  forbidden: Forbidden | null = null
  /** It differs from its row. */
  dirty = false

  constructor(id: number, name: string, site: Site) {
    this.id = id
    this.name = name
    this.site = site
  }

  get queued(): number {
    let queued = 0
    for (const origin of this.origins) queued += origin.queue.size
    return queued
  }

  get held(): number {
    let held = 0
    for (const origin of this.origins) held += origin.held
    return held
  }

  get delayed(): number {
    let delayed = 0
    for (const origin of this.origins) delayed += origin.delayed
    return delayed
  }

  get served(): number {
    return this.stored + this.held
  }

  /** An origin with something to visit again, politeness aside. */
  revisitedAt(now: number): Origin | undefined {
    return this.origins.find((origin) => origin.hasRevisits && origin.opensAt <= now)
  }

  /** The state for display, with the gap it keeps. */
  stateWith(delayMs: number): HostState {
    return {
      host: this.name,
      site: this.site.name,
      queued: this.queued + this.delayed,
      inFlight: this.inFlight,
      stored: this.stored,
      failures: this.failures,
      trouble: this.trouble,
      delayMs,
      restsUntil: this.restsUntil,
    }
  }

  /** Updates its best candidates by current knowledge. */
  look(): void {
    for (const { queue } of this.origins) queue.look()
  }

  get bestScore(): number {
    let best = Number.NEGATIVE_INFINITY
    for (const { queue } of this.origins) best = Math.max(best, queue.bestScore)
    return best
  }

  /** The id of its best candidate; 0 if it has none. */
  get bestId(): number {
    const { bestScore } = this
    let first = 0
    for (const { queue } of this.origins) {
      if (queue.size === 0 || queue.bestScore < bestScore) continue
      if (first === 0 || queue.bestId < first) first = queue.bestId
    }
    return first
  }

  /** It has nothing to do, and nobody waits for it. */
  get isIdle(): boolean {
    const { inFlight, unstarted, robotsOut, awaitedUntil, place } = this
    if (place !== 'nowhere' || inFlight + unstarted + robotsOut + awaitedUntil > 0) return false
    return this.origins.every((origin) => origin.isIdle)
  }

  /** It answers, and quickly. */
  get isWell(): boolean {
    return this.failures === 0 && this.pace !== 'slow'
  }

  /** Its request takes longer than anybody waits for it. */
  isLate(now: number): boolean {
    return this.inFlight > 0 && now - this.visitedAt > SLOW_MS
  }

  /** It can be visited soon, or is being visited, and does not fail. */
  isActive(now: number): boolean {
    if (this.restsUntil > now + LONG_REST_MS || this.pace === 'slow' || this.isLate(now))
      return false
    if (this.failures > 0 && (this.restsUntil > now || this.inFlight > 0)) return false
    return this.origins.some(
      (origin) => origin.held > 0 || (origin.queue.size > 0 && origin.opensAt <= now),
    )
  }
}

/** Ready hosts of one kind, best first; only the first can be picked. */
export class Line<Host extends Heaped> implements Heaped {
  heapAt = -1
  readonly pace: HostPace
  /** Whether its hosts have something to visit again. */
  readonly isAgain: boolean
  /** No host of it is picked before the round ends. */
  isAside = false
  /** In a wide crawl most domains have one host; a heap for each would take more memory than the host. */
  #only: Host | null = null
  #several: IndexedHeap<Host> | null = null

  constructor(pace: HostPace, isAgain: boolean) {
    this.pace = pace
    this.isAgain = isAgain
  }

  get first(): Host | undefined {
    return this.#several === null ? (this.#only ?? undefined) : this.#several.first
  }

  put(host: Host, keyOf: (host: Host) => readonly [key: number, tie: number]): void {
    if (this.#several === null && (this.#only === null || this.#only === host)) {
      this.#only = host
      return
    }
    const heap = this.#several ?? new IndexedHeap<Host>()
    if (this.#only !== null) heap.put(this.#only, ...keyOf(this.#only))
    this.#only = null
    this.#several = heap
    heap.put(host, ...keyOf(host))
  }

  remove(host: Host): void {
    if (this.#only === host) this.#only = null
    this.#several?.remove(host)
    if (this.#several?.size === 0) this.#several = null
  }
}

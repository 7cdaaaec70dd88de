// A host while the crawl runs: its clock, its one or two queues (http and https), its site.
import type { Forbidden, Spent } from '../../core/budget.ts'
import type { HostState } from '../../core/host.ts'
import type { Heaped } from '../../lib/indexed-heap.ts'
import { type HostPace, SLOW_MS } from '../pace.ts'
import type { HostFacts, SiteFacts } from '../policy/host-policy.ts'
import type { SitemapUse } from '../sitemap-budget.ts'
import type { CandidateQueue, HostQueue } from './host-queue.ts'
import type { Line } from './line.ts'

/** A host that rests longer than this does not make others wait for it. */
const LONG_REST_MS = 60_000
/** Requests in a row without a stored page after which a site counts as barren. */
const BARREN_AFTER = 20

/** So many pages that it missed a domain may catch up with when it comes back. */
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
  /** Pages it could not have had, and is not given afterwards. */
  missed = 0
  counted = -1
  /** Requests under way to any of its hosts, the id of that visited last, and when. */
  inFlight = 0
  visitedBy = 0
  visitedAt = Number.NEGATIVE_INFINITY
  /** Those of its hosts that are ready, by pace. */
  lines: Partial<Record<HostPace, Line<Host>>> | null = null
  /** How many of its hosts are ready and well. */
  ready = 0
  /** Although none is: one was a moment ago, or will be at the usual pace, until then. */
  soonUntil = Number.NEGATIVE_INFINITY

  constructor(name: string, isSeed: boolean) {
    this.name = name
    this.isSeed = isSeed
  }

  get share(): number {
    return this.stored + this.held + this.missed
  }

  /** Others compare themselves with it. */
  couldBeServed(now: number): boolean {
    return this.fruitless < BARREN_AFTER && (this.ready > 0 || this.soonUntil > now)
  }

  /** It is back where the least served has so many pages. */
  comeBack(least: number): void {
    this.missed += Math.max(0, least - CREDIT - this.share)
  }
}

/** What is kept in memory of an origin's robots.txt. */
export type RobotsStanding = 'unknown' | 'known' | 'unreachable'

/** Scheme, host and port: what has a queue and a robots.txt of its own. */
export class Origin {
  readonly id: number
  readonly host: Host
  readonly queue: CandidateQueue
  /** Page leases that are not settled. */
  held = 0
  /** Retries that wait for their time. */
  delayed = 0
  /** URLs to be visited again; null when there are none. */
  revisits: HostQueue | null = null
  /** Those of them that wait for their time. */
  delayedRevisits = 0
  /** Sitemaps that wait for their time. */
  delayedSitemaps = 0
  /** Ids of sitemaps to read, oldest first. */
  readonly sitemaps: number[] = []
  robots: RobotsStanding = 'unknown'
  /** When robots.txt must be asked for again. */
  robotsUntil = 0
  /** How often in a row it could not be reached. */
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

  /** It has given an answer before. Files of before this was kept know only what is stored. */
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

  /** The next of its host is asked for when the last was read: that may have been enough. */
  get hasSitemap(): boolean {
    return this.sitemaps.length > 0 && this.host.sitemapsOut === 0
  }

  /** Nothing of it waits or is out, now or later. */
  get isIdle(): boolean {
    const { held, delayed, delayedRevisits, delayedSitemaps } = this
    return !this.hasWork && held + delayed + delayedRevisits + delayedSitemaps === 0
  }

  get hasRevisits(): boolean {
    return this.revisits !== null && this.revisits.size > 0
  }

  /** When its pages may be asked for, politeness aside. */
  get opensAt(): number {
    return this.robots === 'unreachable' ? this.robotsUntil : 0
  }
}

export class Host implements HostFacts, Heaped {
  heapAt = -1
  place: 'nowhere' | 'ready' | 'resting' = 'nowhere'
  /** Where it stands while it is ready. */
  line: Line<Host> | null = null
  /** Kept by the schedule: it is one of those its site counts as ready. */
  countsAsReady = false
  readonly id: number
  readonly name: string
  readonly site: Site
  /** Those it has URLs of: http, https or both. */
  origins: readonly Origin[] = []
  stored = 0
  pending = 0
  lastVisit = 0
  failures = 0
  /** The first of these failures; 0: there is none. */
  downSince = 0
  trouble = ''
  /** Schemes under which it ever answered: bit 0 http, bit 1 https. */
  answered = 0
  /** The gap it asked for or needs; 0: the job's own. */
  ownDelayMs = 0
  restsUntil = 0
  /** The longest rest it is in, as it was asked for; 0: only the gap. */
  restMs = 0
  /** As its last request showed; how long the one under way takes is not in it. */
  pace: HostPace = 'new'
  visitedAt = Number.NEGATIVE_INFINITY
  /** Leases whose request is not over. */
  inFlight = 0
  /** Leases whose request has not gone out. */
  unstarted = 0
  /** Robots leases that are not settled. */
  robotsOut = 0
  /** Somebody waits for a turn outside the queue, and will ask again before this moment. */
  awaitedUntil = 0
  /** Pages and sitemaps take turns; so do they and pages that are visited again. */
  sitemapNext = false
  revisitNext = true
  sitemapsKnown = 0
  /** Sitemap leases that are not settled. */
  sitemapsOut = 0
  /** Of its sitemaps; null until one was read. */
  sitemapUse: SitemapUse | null = null
  /** What it has cost; null: nothing yet. */
  spent: Spent | null = null
  /** Null: it forbade nothing of late, and none of its folders is shut. */
  forbidden: Forbidden | null = null
  /** Differs from its row. */
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

  /** An origin of which something can be visited again, politeness aside. */
  revisitedAt(now: number): Origin | undefined {
    return this.origins.find((origin) => origin.hasRevisits && origin.opensAt <= now)
  }

  /** As people see it, with the gap it keeps. */
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

  /** Makes sure of its best candidates, by what is known now. */
  look(): void {
    for (const { queue } of this.origins) queue.look()
  }

  get bestScore(): number {
    let best = Number.NEGATIVE_INFINITY
    for (const { queue } of this.origins) best = Math.max(best, queue.bestScore)
    return best
  }

  /** Of its best candidate; 0 when it has none. */
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

  /** Nothing is wrong with it: it answers, and soon. */
  get isWell(): boolean {
    return this.failures === 0 && this.pace !== 'slow'
  }

  /** Its request takes longer than anybody waits for it. */
  isLate(now: number): boolean {
    return this.inFlight > 0 && now - this.visitedAt > SLOW_MS
  }

  /** It could be visited before long, or is being visited, and is not in trouble. */
  isActive(now: number): boolean {
    if (this.restsUntil > now + LONG_REST_MS || this.pace === 'slow' || this.isLate(now))
      return false
    if (this.failures > 0 && (this.restsUntil > now || this.inFlight > 0)) return false
    return this.origins.some(
      (origin) => origin.held > 0 || (origin.queue.size > 0 && origin.opensAt <= now),
    )
  }
}

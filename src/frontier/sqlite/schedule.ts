// Which host may be visited now. A host with work is in one of two heaps: `ready`, ranked by the
// policy, or `resting`, by the moment it may be visited again. One that is busy or has nothing to
// do is in neither, and costs nothing until something about it changes.
import type { Clock } from '../../lib/clock.ts'
import { IndexedHeap } from '../../lib/indexed-heap.ts'
import type { HostPolicy } from '../policy/host-policy.ts'
import type { BestHeads } from './best-heads.ts'
import type { Host, Site } from './host.ts'
import type { Hosts } from './hosts.ts'

/** With more seeds than this their state is looked at ten times a second, not at every pick. */
const MANY_SEEDS = 500
const LOOK_EVERY_MS = 100
/** Hosts that one round sets aside at most: bounds what a round costs when many are held back. */
const MAX_ASIDE = 256
/** Picks of a round at least, for policies that rank by it; else as many as there are hosts. */
const MIN_ROUND = 32
/**
 * A patient crawl leaves what is worse than the best by more than this share of the spread of
 * scores. Fetching it all the same costs half of the harvest on a web of 225 hosts; between 0.1
 * and 1 it makes little difference.
 */
const PATIENCE = 0.25
/** The rank of hosts that go first, whatever the policy. */
const ABOVE_ALL = Number.NEGATIVE_INFINITY
/** When everything that is ready is held back, whether it still is depends on others: ask again. */
const HELD_RECHECK_MS = 200

export type ScheduleOptions = {
  readonly policy: HostPolicy
  readonly hosts: Hosts
  readonly clock: Clock
  readonly perHost: number
  /** Of a crawl that waits for the hosts of better URLs; null: it takes what is ready. */
  readonly heads: BestHeads | null
  /** It never waits longer than this without a single visit. */
  readonly maxWaitMs: number
}

export class Schedule {
  readonly #policy: HostPolicy
  readonly #hosts: Hosts
  readonly #clock: Clock
  readonly #perHost: number
  readonly #heads: BestHeads | null
  readonly #maxWaitMs: number
  readonly #ready = new IndexedHeap<Host>()
  readonly #resting = new IndexedHeap<Host>()
  readonly #aside: Host[] = []
  readonly #asideSites = new Set<Site>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #foundNone = false
  #allHeld = false
  #picks = 0
  #roundEnds = 0
  #pickedAt = Number.NEGATIVE_INFINITY
  #onlyRevisits = false

  constructor({ policy, hosts, clock, perHost, heads, maxWaitMs }: ScheduleOptions) {
    this.#maxWaitMs = maxWaitMs
    this.#policy = policy
    this.#hosts = hosts
    this.#clock = clock
    this.#perHost = perHost
    this.#heads = heads
  }

  /** True while nothing new is fetched: what else waits is no work then. */
  get onlyRevisits(): boolean {
    return this.#onlyRevisits
  }

  set onlyRevisits(only: boolean) {
    if (only === this.#onlyRevisits) return
    this.#onlyRevisits = only
    for (const host of this.#hosts.all()) this.place(host)
  }

  /** Whether a page that is new may be taken from a host that was picked. */
  mayTakeNew(host: Host): boolean {
    if (this.#onlyRevisits) return false
    return host.revisitedAt(this.#clock.now()) === undefined || !this.#isHeldBack(host)
  }

  /** When a host was picked last; -Infinity when none was. */
  get pickedAt(): number {
    return this.#pickedAt
  }

  /** Earliest moment at which a host could be picked; Infinity when none waits. */
  get readyAt(): number {
    const now = this.#clock.now()
    if (this.#ready.size === 0) return this.#resting.firstKey
    return this.#allHeld ? Math.min(this.#resting.firstKey, now + HELD_RECHECK_MS) : now
  }

  /** Puts a host where it belongs; call whenever its clock, its places or its work have changed. */
  place(host: Host): void {
    const now = this.#clock.now()
    const at = this.#isBusy(host)
      ? Number.POSITIVE_INFINITY
      : Math.max(host.restsUntil, host.awaitedUntil, this.#workAt(host))
    if (at <= now) this.#move(host, 'ready', this.#rankOf(host, now))
    else if (at < Number.POSITIVE_INFINITY) this.#move(host, 'resting', at)
    else this.#move(host, 'nowhere', 0)
    if (host.place === 'ready') this.#heads?.remove(host)
    else this.#heads?.place(host, now)
  }

  /** Whether a request outside the queue may go to a host now. */
  mayVisit(host: Host): boolean {
    if (host.restsUntil > this.#clock.now() || this.#awaitsStart(host)) return false
    return host.inFlight < this.#perHost
  }

  /** Begins a round of picks: wakes who has rested, and looks at the seeds. */
  beginRound(): void {
    const now = this.#clock.now()
    this.#foundNone = false
    while (this.#resting.firstKey <= now && this.#resting.first) {
      // Much may have been learned while it rested.
      this.#resting.first.look()
      this.place(this.#resting.first)
    }
    const seeds = this.#hosts.seedSites
    if (seeds.length > MANY_SEEDS && now - this.#lookedAt < LOOK_EVERY_MS) return
    this.#lookedAt = now
    for (const site of seeds) site.look(now)
  }

  /** The host to visit next; undefined when none may be. The caller places it again. */
  pick(): Host | undefined {
    if (this.#policy.inRounds && this.#picks >= this.#roundEnds) this.#countPending()
    while (this.#ready.first !== undefined && this.#aside.length < MAX_ASIDE) {
      const host = this.#ready.first
      host.look()
      const rank = this.#rankOf(host, this.#clock.now())
      if (rank > this.#ready.firstKey) this.#ready.put(host, rank, this.#tieOf(host, rank))
      else if (rank === ABOVE_ALL) return this.#visit(host)
      else if (this.#waitsForBetter(host)) break
      else if (this.#isHeldBack(host)) this.#setAside(host)
      else return this.#visit(host)
    }
    this.#foundNone = true
    return undefined
  }

  /** With hosts ranked by their best URL, whoever comes after this one waits, too. */
  #waitsForBetter(host: Host): boolean {
    if (this.#heads === null) return false
    const { best, spread } = this.#heads
    if (host.bestScore >= best - PATIENCE * spread) return false
    return this.#clock.now() - this.#pickedAt < this.#maxWaitMs
  }

  /** Ends a round: who was held back may be asked again in the next. */
  endRound(): void {
    this.#allHeld = this.#foundNone && this.#aside.length + this.#ready.size > 0
    for (const host of this.#aside) this.place(host)
    this.#aside.length = 0
    this.#asideSites.clear()
  }

  /** What is visited again is no business of policies: hosts take turns, and wait for nobody. */
  #rankOf(host: Host, now: number): number {
    return host.revisitedAt(now) === undefined ? this.#policy.rank(host) : ABOVE_ALL
  }

  /** When any of its origins has something to fetch; Infinity when none has. */
  #workAt({ origins }: Host): number {
    let at = Number.POSITIVE_INFINITY
    for (const origin of origins) {
      const hasWork = this.#onlyRevisits ? origin.hasRevisits : origin.hasWork
      if (hasWork) at = Math.min(at, origin.opensAt)
    }
    return at
  }

  #tieOf(host: Host, rank: number): number {
    if (rank === ABOVE_ALL) return host.lastVisit
    return this.#policy.tie?.(host) ?? host.id
  }

  #visit(host: Host): Host {
    this.#picks += 1
    this.#pickedAt = this.#clock.now()
    host.lastVisit = this.#picks
    return host
  }

  /** Begins a round of the policy: sizes are those of this moment until the next one. */
  #countPending(): void {
    for (const host of this.#hosts.all()) {
      host.pending = host.queued
      if (host.place === 'ready') this.place(host)
    }
    this.#roundEnds = this.#picks + Math.max(MIN_ROUND, this.#hosts.size)
  }

  #isBusy(host: Host): boolean {
    return host.inFlight >= this.#perHost || host.robotsOut > 0 || this.#awaitsStart(host)
  }

  /** The gap runs from start to start: who has not started yet may still start late. */
  #awaitsStart(host: Host): boolean {
    return host.unstarted > 0 && this.#hosts.delayOf(host) > 0
  }

  #isHeldBack(host: Host): boolean {
    return this.#asideSites.has(host.site) || this.#policy.holds(host, this.#hosts.seedSites)
  }

  #setAside(host: Host): void {
    this.#move(host, 'nowhere', 0)
    this.#aside.push(host)
    this.#asideSites.add(host.site)
  }

  #move(host: Host, place: Host['place'], key: number): void {
    if (host.place !== place) {
      if (host.place === 'ready') this.#ready.remove(host)
      else if (host.place === 'resting') this.#resting.remove(host)
      host.place = place
    }
    if (place === 'ready') this.#ready.put(host, key, this.#tieOf(host, key))
    else if (place === 'resting') this.#resting.put(host, key, host.id)
  }
}

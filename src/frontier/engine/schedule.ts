// Decides which host may be visited now. A host with work is in one of two heaps: `ready`, ranked by the
// policy, or `resting`, sorted by the time of its next visit. A busy or idle host is in neither, and costs
// nothing until something about it changes.
import type { Clock } from '../../lib/clock.ts'
import { IndexedHeap } from '../../lib/indexed-heap.ts'
import { type HostPace, ROOM_FOR_ALL, type RoomForOthers } from '../frontier.ts'
import type { HostPolicy } from '../policy/host-policy.ts'
import type { Host } from './host.ts'
import type { BestHeads, HeadScores } from './patience.ts'
import { type HostLine, ReadyHosts } from './ready-hosts.ts'
import type { SeedShares } from './seed-shares.ts'

/** Domains that one round sets aside at most. It bounds the cost of a round when many are held back. */
const MAX_ASIDE = 256
/** Minimum number of picks of a round, for policies that rank by it; else as many as there are hosts. */
const MIN_ROUND = 32
/**
 * A patient crawl leaves URLs alone that are worse than the best by more than this share of the spread of
 * scores. Fetching them costs half of the harvest on a web of 225 hosts; values between 0.1 and 1 make little
 * difference.
 */
const PATIENCE = 0.25
/** If everything that is ready is held back, that depends on other hosts: check again after this time. */
const HELD_RECHECK_MS = 200

/** The hosts of all partitions that this program owns. */
export interface ScheduledHosts {
  /** Number of all hosts, in memory or not. */
  readonly size: number
  /** All hosts with something to do, and the others that are in memory. */
  all(): Iterable<Host>
  /** The gap between requests to a host. */
  delayOf(host: Host): number
  /** Called for every host that was placed, with whether it is idle. */
  noteIdle(host: Host, isIdle: boolean): void
}

type ScheduleOptions = {
  readonly policy: HostPolicy
  readonly hosts: ScheduledHosts
  readonly seeds: SeedShares
  readonly clock: Clock
  readonly perHost: number
  /** The crawl's own gap between requests to one host: the usual pace. */
  readonly delayMs: number
  /** Set in a crawl that waits for the hosts of better URLs; null if it takes what is ready. */
  readonly heads: BestHeads | null
  /** The longest time without a single visit. */
  readonly maxWaitMs: number
}

export class Schedule {
  readonly #policy: HostPolicy
  readonly #hosts: ScheduledHosts
  readonly #clock: Clock
  readonly #perHost: number
  readonly #delayMs: number
  readonly #heads: BestHeads | null
  readonly #maxWaitMs: number
  readonly #ready: ReadyHosts
  readonly #resting = new IndexedHeap<Host>()
  readonly #seeds: SeedShares
  #asideLines = 0
  #room: { -readonly [Key in keyof RoomForOthers]: RoomForOthers[Key] } = { ...ROOM_FOR_ALL }
  #foundNone = false
  #allHeld = false
  #picks = 0
  #roundEnds = 0
  #pickedAt = Number.NEGATIVE_INFINITY
  #onlyRevisits = false
  #isFull = false
  /** Some hosts of other programs wait although they are ready: those programs have no connections left. */
  areOthersFull = false

  constructor(options: ScheduleOptions) {
    const { policy, hosts, seeds, clock, perHost, heads, maxWaitMs, delayMs } = options
    this.#maxWaitMs = maxWaitMs
    this.#delayMs = delayMs
    this.#policy = policy
    this.#ready = new ReadyHosts(policy)
    this.#seeds = seeds
    this.#hosts = hosts
    this.#clock = clock
    this.#perHost = perHost
    this.#heads = heads
  }

  /** True while nothing new is fetched. New URLs are then no work. */
  get onlyRevisits(): boolean {
    return this.#onlyRevisits
  }

  set onlyRevisits(only: boolean) {
    if (only === this.#onlyRevisits) return
    this.#onlyRevisits = only
    for (const host of this.#hosts.all()) this.place(host)
  }

  /** Whether a new page may be taken from a picked host. */
  mayTakeNew(host: Host): boolean {
    if (this.#onlyRevisits) return false
    return host.revisitedAt(this.#clock.now()) === undefined || !this.#isHeldBack(host)
  }

  /** Hosts were ready, but there were no connections left. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** When a host was last picked, here or, as far as is known, by other programs; -Infinity if none was. */
  get pickedAt(): number {
    return Math.max(this.#pickedAt, this.#heads?.others?.pickedAt ?? Number.NEGATIVE_INFINITY)
  }

  /** Earliest moment at which a host could be picked; Infinity if none waits. */
  get readyAt(): number {
    const now = this.#clock.now()
    if (this.#ready.size === 0) return this.#resting.firstKey
    return this.#allHeld ? Math.min(this.#resting.firstKey, now + HELD_RECHECK_MS) : now
  }

  /** The best score of all hosts that are ready, or soon will be. Null if there is none, or nobody asks. */
  headScores(): HeadScores | null {
    if (this.#heads === null) return null
    const { best, spread } = this.#heads.own(this.#clock.now())
    const ready = this.#ready.first(() => true)?.first?.bestScore ?? Number.NEGATIVE_INFINITY
    const highest = Math.max(best, ready)
    if (highest === Number.NEGATIVE_INFINITY) return null
    return { best: highest, spread, pickedAt: Math.max(0, this.#pickedAt) }
  }

  /** Puts a host where it belongs. Call it whenever its clock, its slots or its work have changed. */
  place(host: Host): void {
    const now = this.#clock.now()
    const at = this.#isBusy(host)
      ? Number.POSITIVE_INFINITY
      : Math.max(host.restsUntil, host.awaitedUntil, this.#workAt(host))
    if (at <= now) this.#move(host, 'ready', 0)
    else if (at < Number.POSITIVE_INFINITY) this.#move(host, 'resting', at)
    else this.#move(host, 'nowhere', 0)
    const isSoon = host.place === 'resting' && at <= now + this.#delayMs && host.isWell
    if (isSoon) host.site.soonUntil = Math.max(host.site.soonUntil, at)
    this.#hosts.noteIdle(host, host.isIdle)
    this.#seeds.look(host.site, now)
    this.#ready.rerank(host.site)
    if (host.place === 'ready') this.#heads?.remove(host)
    else this.#heads?.place(host, now)
  }

  /** Another program visits the host from now on. */
  withdraw(host: Host): void {
    this.#move(host, 'nowhere', 0)
    this.#heads?.remove(host)
  }

  /** Whether a request outside the queue may be sent to a host now. */
  mayVisit(host: Host): boolean {
    if (host.restsUntil > this.#clock.now() || this.#awaitsStart(host)) return false
    return host.inFlight < this.#perHost
  }

  /** Before some picks: wakes hosts that have rested, and updates the seeds. */
  beginPicks(room: RoomForOthers = ROOM_FOR_ALL): void {
    const now = this.#clock.now()
    this.#foundNone = false
    this.#room = { ...room }
    while (this.#resting.firstKey <= now && this.#resting.first) {
      // The ordering may have learned a lot while it rested.
      this.#resting.first.look()
      this.place(this.#resting.first)
    }
    this.#seeds.lookAtAll(now)
  }

  /** The host to visit next; undefined if there is none. The caller places it again. */
  pick(): Host | undefined {
    if (this.#policy.inRounds && this.#picks >= this.#roundEnds) this.#countPending()
    const hasRoom = (pace: HostPace): boolean => pace === 'quick' || this.#room[pace] > 0
    while (this.#asideLines < MAX_ASIDE) {
      const line = this.#ready.first(hasRoom)
      const host = line?.first
      if (line === undefined || host === undefined) break
      if (!this.#ready.isStillFirst(line)) continue
      if (line.isAgain) return this.#visit(host, line)
      if (this.#waitsForBetter(host)) break
      if (!this.#isHeldBack(host)) return this.#visit(host, line)
      this.#ready.setAside(line)
      this.#asideLines += 1
    }
    this.#foundNone = true
    return undefined
  }

  /** If hosts are ranked by their best URL, all hosts after this one wait, too. */
  #waitsForBetter(host: Host): boolean {
    if (this.#heads === null) return false
    const now = this.#clock.now()
    if (now - this.pickedAt >= this.#maxWaitMs) return false
    const { best, spread } = this.#heads.lookedAt(now)
    return host.bestScore < best - PATIENCE * spread
  }

  /** Ends a round: hosts that were held back may be picked in the next. `lacksConnections`: if it was cut short. */
  endRound(lacksConnections: boolean): void {
    this.#allHeld = this.#foundNone && this.#ready.size > 0
    this.#isFull = lacksConnections && !this.#foundNone && this.#ready.size > 0
    this.#ready.takeBack()
    this.#asideLines = 0
  }

  /** When one of its origins has something to fetch; Infinity if none has. */
  #workAt({ origins }: Host): number {
    let at = Number.POSITIVE_INFINITY
    for (const origin of origins) {
      const hasWork = this.#onlyRevisits ? origin.hasRevisits : origin.hasWork
      if (hasWork) at = Math.min(at, origin.opensAt)
    }
    return at
  }

  #visit(host: Host, { pace }: HostLine): Host {
    this.#picks += 1
    this.#pickedAt = this.#clock.now()
    if (pace !== 'quick') this.#room[pace] -= 1
    host.lastVisit = this.#picks
    return host
  }

  /** Begins a round of the policy: queue sizes are fixed until the next one. */
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

  /** The gap is measured from start to start, and a request that has not started may still start late. */
  #awaitsStart(host: Host): boolean {
    return host.unstarted > 0 && this.#hosts.delayOf(host) > 0
  }

  #isHeldBack(host: Host): boolean {
    return (this.areOthersFull || this.#isOneOfMany(host)) && this.#policy.holds(host, this.#seeds)
  }

  /** Together with the requests under way to its domain it would exceed the pace of a single host. */
  #isOneOfMany(host: Host): boolean {
    const { site } = host
    if (site.inFlight > host.inFlight && site.inFlight >= this.#perHost) return true
    return site.visitedBy !== host.id && this.#clock.now() - site.visitedAt < this.#delayMs
  }

  #move(host: Host, place: Host['place'], key: number): void {
    if (host.place !== place) {
      if (host.place === 'ready') this.#ready.remove(host)
      else if (host.place === 'resting') this.#resting.remove(host)
      host.place = place
    }
    if (place === 'ready') this.#ready.put(host, this.#isAgain(host))
    else if (place === 'resting') this.#resting.put(host, key, host.id)
    const isReady = place === 'ready' && host.isWell
    if (isReady !== host.countsAsReady) host.site.ready += isReady ? 1 : -1
    host.countsAsReady = isReady
  }

  /** Policies do not apply to pages that are visited again: their hosts take turns and wait for nobody. */
  #isAgain(host: Host): boolean {
    return host.revisitedAt(this.#clock.now()) !== undefined
  }
}

// The best candidate of hosts that are busy or rest for a moment. A patient crawl compares with it: while a
// much better URL will be ready soon, a poor one is left alone although its own host is free.
import type { Clock } from '../../lib/clock.ts'
import { type Heaped, IndexedHeap } from '../../lib/indexed-heap.ts'
import type { Host } from './host.ts'

/** Newer scores count more, since the scoring changes with what a crawl finds. */
const MEMORY = 1000
/** Scores beyond this are no estimates: seeds, and URLs without signals. */
const OPINION = 1e8

/** The best score, the spread of scores, and when a host was last picked. */
export type HeadScores = {
  readonly best: number
  readonly spread: number
  readonly pickedAt: number
}

type Head = Heaped & { readonly host: Host }

export class BestHeads {
  readonly #maxWaitMs: number
  readonly #heap = new IndexedHeap<Head>()
  readonly #heads = new Map<Host, Head>()
  #seen = 0
  #mean = 0
  #variance = 0
  /** As other programs have reported; null if they have nothing to wait for. */
  others: HeadScores | null = null

  /** Hosts that rest for longer are not waited for. */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
  }

  /**
   * The best score (-Infinity if there is none) and the spread of scores: the standard deviation of the last
   * thousand or so. A host whose request takes long does not count.
   */
  lookedAt(now: number): Pick<HeadScores, 'best' | 'spread'> {
    const { best, spread } = this.own(now)
    const { others } = this
    if (others === null) return { best, spread }
    return { best: Math.max(best, others.best), spread: Math.max(spread, others.spread) }
  }

  /** The same, of this program alone. */
  own(now: number): Pick<HeadScores, 'best' | 'spread'> {
    for (let head = this.#heap.first; head?.host.isLate(now); head = this.#heap.first) {
      this.remove(head.host)
    }
    return { best: -this.#heap.firstKey, spread: Math.sqrt(this.#variance) }
  }

  /** Records the score of one more waiting URL. */
  note(score: number): void {
    if (Math.abs(score) > OPINION) return
    this.#seen = Math.min(this.#seen + 1, MEMORY)
    const step = score - this.#mean
    this.#mean += step / this.#seen
    this.#variance += (step * (score - this.#mean) - this.#variance) / this.#seen
  }

  /** Call whenever the clock or the queue of a host that is not free has changed. */
  place(host: Host, now: number): void {
    const isSoonFree = host.isActive(now) && host.restsUntil <= now + this.#maxWaitMs
    const score = isSoonFree ? host.bestScore : Number.NEGATIVE_INFINITY
    if (score === Number.NEGATIVE_INFINITY) {
      this.remove(host)
      return
    }
    const head = this.#heads.get(host) ?? { heapAt: -1, host }
    this.#heads.set(host, head)
    this.#heap.put(head, -score, host.id)
  }

  /** The host is free, or has nothing to wait for. */
  remove(host: Host): void {
    const known = this.#heads.get(host)
    if (known === undefined) return
    this.#heap.remove(known)
    this.#heads.delete(host)
  }
}

/** Settled pages for each additional lease. */
const PAGES_PER_STEP = 32

type RampUpOptions = {
  /** Null means no limit. */
  readonly concurrency: number | null
  readonly maxWaitMs: number
  readonly clock: Clock
  /** Leases that are out. */
  readonly unsettled: () => number
  readonly schedule: { readonly pickedAt: number }
}

/**
 * How many pages a patient crawl leases at once. A leased page was chosen without knowing the results of
 * the other leased pages. In the beginning almost nothing is known, and a wrong choice is expensive. So the
 * crawl begins with one page at a time, and reaches the number of its connections as it learns. A server
 * that hangs must not stop it: after a while without a lease, one more is granted anyway.
 */
export class RampUp {
  readonly #options: RampUpOptions
  #settled = 0
  /** Pages of other programs, as they have reported. */
  others = { settled: 0, unsettled: 0 }

  constructor(options: RampUpOptions) {
    this.#options = options
  }

  /** Records that leases were settled, in this run or an earlier one. Below 0: others count them now. */
  settled(count: number): void {
    this.#settled += count
  }

  /** When a lease may be granted; -Infinity if now. */
  get roomAt(): number {
    const { schedule, maxWaitMs } = this.#options
    return this.room > 0 ? Number.NEGATIVE_INFINITY : schedule.pickedAt + maxWaitMs
  }

  /** How many more leases may be granted; Infinity without a limit. */
  get room(): number {
    const { concurrency, unsettled, clock, schedule, maxWaitMs } = this.#options
    if (concurrency === null) return Number.POSITIVE_INFINITY
    const { others } = this
    const settled = this.#settled + others.settled
    const allowed = 1 + Math.floor(settled / PAGES_PER_STEP) - others.unsettled
    const room = Math.min(allowed, concurrency) - unsettled()
    const waited = clock.now() - schedule.pickedAt
    return waited >= maxWaitMs ? Math.max(1, room) : room
  }
}

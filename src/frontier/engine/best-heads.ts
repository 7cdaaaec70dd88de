// The best candidate of hosts that are busy or rest for a moment. A patient crawl compares with it: while a
// much better URL will be ready soon, a poor one is left alone although its own host is free.
import { type Heaped, IndexedHeap } from '../../lib/indexed-heap.ts'
import type { Host } from './host.ts'

/** Newer scores count more, since the scoring changes with what a crawl finds. */
const MEMORY = 1000
/** Scores beyond this are no estimates: seeds, and URLs without signals. */
const OPINION = 1e8

type Head = Heaped & { readonly host: Host }

export class BestHeads {
  readonly #maxWaitMs: number
  readonly #heap = new IndexedHeap<Head>()
  readonly #heads = new Map<Host, Head>()
  #seen = 0
  #mean = 0
  #variance = 0

  /** Hosts that rest for longer are not waited for. */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
  }

  /**
   * The best score (-Infinity if there is none) and the spread of scores: the standard deviation of the last
   * thousand or so. A host whose request takes long does not count.
   */
  lookedAt(now: number): { readonly best: number; readonly spread: number } {
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

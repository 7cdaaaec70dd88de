// The best candidate of hosts that are busy or rest for a moment. A patient crawl compares with it:
// as long as a much better URL will have its turn soon, a poor one is left alone although its own
// host is free.
import { type Heaped, IndexedHeap } from '../../lib/indexed-heap.ts'
import type { Host } from './host.ts'

/** Newer scores count more: a crawl's way of scoring changes with what it finds. */
const MEMORY = 1000
/** Scores beyond this are not opinions: seeds, and what nobody spoke of. */
const OPINION = 1e8

type Head = Heaped & { readonly host: Host }

export class BestHeads {
  readonly #maxWaitMs: number
  readonly #heap = new IndexedHeap<Head>()
  readonly #heads = new Map<Host, Head>()
  #seen = 0
  #mean = 0
  #variance = 0

  /** A host that rests for longer is not waited for. */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
  }

  /**
   * The best score, -Infinity when there is none, and how far scores lie apart: the standard
   * deviation of those of the last thousand or so. A host whose request takes long counts no more.
   */
  lookedAt(now: number): { readonly best: number; readonly spread: number } {
    for (let head = this.#heap.first; head?.host.isLate(now); head = this.#heap.first) {
      this.remove(head.host)
    }
    return { best: -this.#heap.firstKey, spread: Math.sqrt(this.#variance) }
  }

  /** Notes the score of one more URL that waits. */
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

  /** It is free, or has nothing to wait for. */
  remove(host: Host): void {
    const known = this.#heads.get(host)
    if (known === undefined) return
    this.#heap.remove(known)
    this.#heads.delete(host)
  }
}

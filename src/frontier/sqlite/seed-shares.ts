// The seeds' domains that could be served, and how they stand: what a policy compares one of them with.
import { IndexedHeap } from '../../lib/indexed-heap.ts'
import type { SeedSums } from '../policy/host-policy.ts'
import type { Site } from './host.ts'

/** With more seeds than this they are all looked at ten times a second, not at every round. */
const MANY_SEEDS = 500
const LOOK_EVERY_MS = 100

export class SeedShares implements SeedSums {
  readonly #seeds: readonly Site[]
  readonly #byShare = new IndexedHeap<Site>()
  #lookedAt = Number.NEGATIVE_INFINITY
  sum = 0
  squares = 0

  constructor(seeds: readonly Site[]) {
    this.#seeds = seeds
  }

  get count(): number {
    return this.#byShare.size
  }

  /** Infinity when there is none. */
  get least(): number {
    return this.#byShare.firstKey
  }

  /** Time has passed: some could be served a moment ago, and now could not. */
  lookAtAll(now: number): void {
    if (this.#seeds.length > MANY_SEEDS && now - this.#lookedAt < LOOK_EVERY_MS) return
    this.#lookedAt = now
    for (const site of this.#seeds) this.look(site, now)
  }

  /** Something about a domain has changed. One that comes back stands little behind the least. */
  look(site: Site, now: number): void {
    if (!site.isSeed) return
    const isIn = site.couldBeServed(now)
    if (isIn && site.counted < 0 && this.count > 0) site.comeBack(this.least)
    const counted = isIn ? site.share : -1
    if (counted === site.counted) return
    const [was, is] = [Math.max(0, site.counted), Math.max(0, counted)]
    this.sum += is - was
    this.squares += is * is - was * was
    site.counted = counted
    if (isIn) this.#byShare.put(site, counted, 0)
    else this.#byShare.remove(site)
  }
}

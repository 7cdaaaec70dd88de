// The seeds' domains that can be served, and their shares. A policy compares a domain with them.
import { IndexedHeap } from '../../lib/indexed-heap.ts'
import type { SeedSums } from '../policy/host-policy.ts'
import type { Site } from './host.ts'

/** With more seeds than this, all of them are updated ten times a second, not at every round. */
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

  /** Infinity if there is none. */
  get least(): number {
    return this.#byShare.firstKey
  }

  /** Updates all domains, since some can no longer be served as time passes. */
  lookAtAll(now: number): void {
    if (this.#seeds.length > MANY_SEEDS && now - this.#lookedAt < LOOK_EVERY_MS) return
    this.#lookedAt = now
    for (const site of this.#seeds) this.look(site, now)
  }

  /** Updates a domain that has changed. One that comes back is placed a little behind the least. */
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

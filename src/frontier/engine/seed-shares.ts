// The seeds' domains that can be served, and their shares. A policy compares a domain with them: with those
// of this program, and with the sums that other programs of the crawl have reported.
import { IndexedHeap } from '../../lib/indexed-heap.ts'
import type { SeedSums } from '../policy/host-policy.ts'
import type { Site } from './host.ts'

/** With more seeds than this, all of them are updated ten times a second, not at every round. */
const MANY_SEEDS = 500
const LOOK_EVERY_MS = 100

const NO_OTHERS: SeedSums = { count: 0, least: Number.POSITIVE_INFINITY, sum: 0, squares: 0 }

export class SeedShares implements SeedSums {
  readonly #seeds = new Set<Site>()
  readonly #byShare = new IndexedHeap<Site>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #sum = 0
  #squares = 0
  /** As other programs have reported. */
  others: SeedSums = NO_OTHERS

  get count(): number {
    return this.#byShare.size + this.others.count
  }

  /** Infinity if there is none. */
  get least(): number {
    return Math.min(this.#byShare.firstKey, this.others.least)
  }

  get sum(): number {
    return this.#sum + this.others.sum
  }

  get squares(): number {
    return this.#squares + this.others.squares
  }

  /** The sums without those of others. */
  get own(): SeedSums {
    const { size: count, firstKey: least } = this.#byShare
    return { count, least, sum: this.#sum, squares: this.#squares }
  }

  add(seeds: readonly Site[]): void {
    for (const site of seeds) this.#seeds.add(site)
  }

  /** Another program serves them from now on. */
  remove(seeds: readonly Site[]): void {
    for (const site of seeds) {
      this.#seeds.delete(site)
      this.#count(site, -1)
    }
  }

  /** Updates all domains, since some can no longer be served as time passes. */
  lookAtAll(now: number): void {
    if (this.#seeds.size > MANY_SEEDS && now - this.#lookedAt < LOOK_EVERY_MS) return
    this.#lookedAt = now
    for (const site of this.#seeds) this.look(site, now)
  }

  /** Updates a domain that has changed. One that comes back is placed a little behind the least. */
  look(site: Site, now: number): void {
    if (!this.#seeds.has(site)) return
    const isIn = site.couldBeServed(now)
    if (isIn && site.counted < 0 && this.count > 0) site.comeBack(this.least)
    this.#count(site, isIn ? site.share : -1)
  }

  /** -1: it is not part of the sums. */
  #count(site: Site, counted: number): void {
    if (counted === site.counted) return
    const [was, is] = [Math.max(0, site.counted), Math.max(0, counted)]
    this.#sum += is - was
    this.#squares += is * is - was * was
    site.counted = counted
    if (counted >= 0) this.#byShare.put(site, counted, 0)
    else this.#byShare.remove(site)
  }
}

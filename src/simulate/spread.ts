// How evenly the fetches were spread over sites. All sites with a reachable page take part, also
// those that got nothing: an ordering that camps on one site must not look fair to the one it knows.
import type { Replay } from './replay-result.ts'
import { pagesAt, wentTo, type Yardstick } from './yardstick.ts'

export type SpreadFigures = {
  readonly jain: Float64Array
  readonly gini: Float64Array
  readonly entropy: Float64Array
}

export function measureSpread(
  yardstick: Yardstick,
  replay: Replay,
  shares: ArrayLike<number>,
): SpreadFigures {
  const blank = () => new Float64Array(shares.length).fill(Number.NaN)
  const figures = { jain: blank(), gini: blank(), entropy: blank() }
  const tally = new SiteTally(yardstick.sites)
  let done = 0
  for (let at = 0; at < shares.length; at++) {
    const share = shares[at] ?? 0
    if (!wentTo(share, yardstick, replay)) break
    const until = Math.min(pagesAt(share, yardstick.reachable), replay.fetched.length)
    while (done < until) tally.add(yardstick.world.siteOf[replay.fetched[done++] ?? 0] ?? 0)
    figures.jain[at] = tally.jain()
    figures.gini[at] = tally.gini()
    figures.entropy[at] = tally.entropy()
  }
  return figures
}

/** Pages per site, with the sums its figures need kept up to date. */
export class SiteTally {
  readonly #sites: number
  readonly #counts = new Map<number, number>()
  #pages = 0
  #squares = 0
  #logs = 0

  /** `sites` is how many take part, with or without pages. */
  constructor(sites: number) {
    this.#sites = sites
  }

  add(site: number): void {
    const before = this.#counts.get(site) ?? 0
    this.#counts.set(site, before + 1)
    this.#pages++
    this.#squares += 2 * before + 1
    this.#logs += timesLog(before + 1) - timesLog(before)
  }

  jain(): number {
    return this.#pages === 0 ? 1 : this.#pages ** 2 / (this.#sites * this.#squares)
  }

  gini(): number {
    if (this.#pages === 0) return 0
    const rising = Float64Array.from(this.#counts.values()).sort()
    // Sites without pages come first and add nothing but their number.
    const before = this.#sites - rising.length
    let weighted = 0
    for (const [at, count] of rising.entries()) weighted += (before + at + 1) * count
    return (2 * weighted) / (this.#sites * this.#pages) - (this.#sites + 1) / this.#sites
  }

  entropy(): number {
    if (this.#sites < 2 || this.#pages === 0) return 1
    return (Math.log(this.#pages) - this.#logs / this.#pages) / Math.log(this.#sites)
  }
}

function timesLog(count: number): number {
  return count === 0 ? 0 : count * Math.log(count)
}

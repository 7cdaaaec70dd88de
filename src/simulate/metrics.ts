// The figures of one replay: each measure along the crawl, and the single values.
import { measureBuffer, measureImportance } from './importance.ts'
import type { CurveKey, SingleKey } from './measures.ts'
import { BUFFER_SHARES, CHECKPOINTS, type Replay } from './replay-result.ts'
import { pagesAt, wentTo, type Yardstick } from './yardstick.ts'

/** Points of a curve, apart from the checkpoints. */
const POINTS = 200
const MS_PER_HOUR = 3_600_000

export type Figures = {
  /** One value per share of the grid; NaN beyond the end of the replay. */
  readonly curves: { readonly [K in CurveKey]: Float64Array }
  readonly singles: { readonly [K in SingleKey]: number }
  /** Virtual hours until each share was fetched; null without politeness. */
  readonly hours: Float64Array | null
}

export type Measured = Figures & Pick<Replay, 'ordering' | 'hostPolicy' | 'topic' | 'seed'>

/**
 * The shares of the reachable pages at which curves have points, rising, checkpoints included. They are
 * denser at the beginning, where curves bend most.
 */
export function shareGrid(upTo: number): Float64Array {
  const shares = new Set<number>([...CHECKPOINTS, 0.5].filter((share) => share <= upTo))
  for (let at = 1; at <= POINTS; at++) shares.add(upTo * (at / POINTS) ** 1.5)
  return Float64Array.from(shares).sort()
}

/** `grid` is the same for all compared replays. */
export function measureReplay(yardstick: Yardstick, replay: Replay, grid: Float64Array): Measured {
  const { ordering, hostPolicy, topic, seed } = replay
  const relevance = openRelevanceMeter(yardstick, replay)
  const [small, large] = BUFFER_SHARES
  return {
    ordering,
    hostPolicy,
    topic,
    seed,
    curves: {
      ...relevance.at(grid),
      ...measureImportance(yardstick, replay, grid),
      ...measureSpread(yardstick, replay, grid),
    },
    singles: {
      nauc20: relevance.nauc20(),
      bc5Pagerank: measureBuffer(yardstick.byPagerank, replay, small),
      bc10Pagerank: measureBuffer(yardstick.byPagerank, replay, large),
      bc5InDegree: measureBuffer(yardstick.byInDegree, replay, small),
      bc10InDegree: measureBuffer(yardstick.byInDegree, replay, large),
      fetched: replay.fetched.length,
      pagesPerSecond: replay.seconds > 0 ? replay.fetched.length / replay.seconds : Number.NaN,
    },
    hours: hoursAt(yardstick, replay, grid),
  }
}

function hoursAt(yardstick: Yardstick, replay: Replay, grid: Float64Array): Float64Array | null {
  const { at, fetched } = replay
  if (at === null) return null
  return grid.map((share) => {
    const count = Math.min(pagesAt(share, yardstick.reachable), fetched.length)
    const known = wentTo(share, yardstick, replay) && count > 0
    return known ? (at[count - 1] ?? Number.NaN) / MS_PER_HOUR : Number.NaN
  })
}

const NAUC_SHARE = 0.2

type RelevanceFigures = {
  readonly harvest: Float64Array
  readonly recall: Float64Array
  readonly ofIdeal: Float64Array
  readonly relevantHosts: Float64Array
}

/** After n counted fetches, at index n: relevant pages, and hosts they are on. */
type Found = { readonly pages: Uint32Array; readonly hosts: Uint32Array; readonly counted: number }

type RelevanceMeter = {
  at(shares: ArrayLike<number>): RelevanceFigures
  nauc20(): number
}

/**
 * How much of the topic was found, and how soon. Example pages are excluded from all counts: fetched (n),
 * relevant (R) and reachable pages.
 */
export function openRelevanceMeter(yardstick: Yardstick, replay: Replay): RelevanceMeter {
  const found = countFound(yardstick, replay)
  return {
    at: (shares) => figuresAt(yardstick, replay, found, shares),
    nauc20: () => meanOfIdeal(yardstick, replay, found),
  }
}

function figuresAt(
  yardstick: Yardstick,
  replay: Replay,
  found: Found,
  shares: ArrayLike<number>,
): RelevanceFigures {
  const { relevant } = yardstick
  const blank = () => new Float64Array(shares.length).fill(Number.NaN)
  const figures = { harvest: blank(), recall: blank(), ofIdeal: blank(), relevantHosts: blank() }
  for (let at = 0; at < shares.length && relevant > 0; at++) {
    const share = shares[at] ?? 0
    if (!wentTo(share, yardstick, replay)) continue
    const n = pagesAt(share, countable(yardstick))
    const fetched = Math.min(n, found.counted)
    const pages = found.pages[fetched] ?? 0
    figures.harvest[at] = fetched === 0 ? 0 : (100 * pages) / fetched
    figures.recall[at] = (100 * pages) / relevant
    figures.ofIdeal[at] = (100 * pages) / Math.min(n, relevant)
    figures.relevantHosts[at] = found.hosts[fetched] ?? 0
  }
  return figures
}

/** A crawl that ran dry keeps its value; one that was stopped earlier was not measured. */
function meanOfIdeal(yardstick: Yardstick, replay: Replay, found: Found): number {
  const { relevant } = yardstick
  if (relevant === 0 || !wentTo(NAUC_SHARE, yardstick, replay)) return Number.NaN
  const last = pagesAt(NAUC_SHARE, countable(yardstick))
  let sum = 0
  for (let n = 1; n <= last; n++) {
    sum += (found.pages[Math.min(n, found.counted)] ?? 0) / Math.min(n, relevant)
  }
  return (100 * sum) / last
}

function countable(yardstick: Yardstick): number {
  return yardstick.reachable - yardstick.leftOut
}

function countFound({ world, truth }: Yardstick, { fetched }: Replay): Found {
  const pages = new Uint32Array(fetched.length + 1)
  const hosts = new Uint32Array(fetched.length + 1)
  const known = new Set<number>()
  let counted = 0
  let relevant = 0
  for (const page of fetched) {
    if (truth.leftOut[page]) continue
    counted++
    if (truth.relevant[page]) {
      relevant++
      known.add(world.hostOf[page] ?? 0)
    }
    pages[counted] = relevant
    hosts[counted] = known.size
  }
  return { pages, hosts, counted }
}

type SpreadFigures = {
  readonly jain: Float64Array
  readonly gini: Float64Array
  readonly entropy: Float64Array
}

/**
 * How evenly the fetches were spread over sites. All sites with a reachable page count, even without
 * fetches: an ordering that stays on one site must not look fair because it knows no other.
 */
export function measureSpread(
  yardstick: Yardstick,
  replay: Replay,
  shares: ArrayLike<number>,
): SpreadFigures {
  const blank = () => new Float64Array(shares.length).fill(Number.NaN)
  const figures = { jain: blank(), gini: blank(), entropy: blank() }
  const counts = new SiteCounts(yardstick.sites)
  let done = 0
  for (let at = 0; at < shares.length; at++) {
    const share = shares[at] ?? 0
    if (!wentTo(share, yardstick, replay)) break
    const until = Math.min(pagesAt(share, yardstick.reachable), replay.fetched.length)
    while (done < until) counts.add(yardstick.world.siteOf[replay.fetched[done++] ?? 0] ?? 0)
    figures.jain[at] = counts.jain()
    figures.gini[at] = counts.gini()
    figures.entropy[at] = counts.entropy()
  }
  return figures
}

/** Pages per site, with the sums that the figures need. */
export class SiteCounts {
  readonly #sites: number
  readonly #counts = new Map<number, number>()
  #pages = 0
  #squares = 0
  #logs = 0

  /** `sites` is the number of sites, with or without pages. */
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
    // Sites without pages come first and add only their number.
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

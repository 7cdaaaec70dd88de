// One replay in figures: each measure along the crawl, and the single values.
import { measureBuffer, measureImportance } from './importance.ts'
import type { CurveKey, SingleKey } from './measures.ts'
import { openRelevanceMeter } from './relevance.ts'
import { BUFFER_SHARES, CHECKPOINTS, type Replay } from './replay-result.ts'
import { measureSpread } from './spread.ts'
import { pagesAt, wentTo, type Yardstick } from './yardstick.ts'

/** Points of a curve, apart from the checkpoints. */
const POINTS = 200
const MS_PER_HOUR = 3_600_000

export type Figures = {
  /** One value per share of the grid; NaN where the replay did not go. */
  readonly curves: { readonly [K in CurveKey]: Float64Array }
  readonly singles: { readonly [K in SingleKey]: number }
  /** Virtual hours until each share was fetched; null without politeness. */
  readonly hours: Float64Array | null
}

export type Measured = Figures & {
  readonly ordering: string
  readonly hostPolicy: string
  readonly topic: string
  readonly seed: number
}

/**
 * The shares of the reachable pages at which curves have points, rising, checkpoints among them. They lie
 * closer together at the beginning, where curves bend most.
 */
export function shareGrid(upTo: number): Float64Array {
  const shares = new Set<number>([...CHECKPOINTS, 0.5].filter((share) => share <= upTo))
  for (let at = 1; at <= POINTS; at++) shares.add(upTo * (at / POINTS) ** 1.5)
  return Float64Array.from(shares).sort()
}

/** `grid` is the same for all replays that are to be compared. */
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

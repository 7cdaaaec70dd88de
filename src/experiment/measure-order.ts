// What the order says in which pages of a known web were fetched: harvest, fairness, and the three stop models
// by each importance metric of the plan.
import type { CurveKey } from '../simulate/measures.ts'
import { type Figures, measureReplay } from '../simulate/metrics.ts'
import { rankPages } from '../simulate/ranking.ts'
import type { Replay } from '../simulate/replay-result.ts'
import type { ReplayWorld } from '../simulate/replay-world.ts'
import { pagesAt, wentTo, type Yardstick } from '../simulate/yardstick.ts'
import {
  type Measured,
  type MeasuredCurve,
  type ModelSettings,
  rounded,
  shareText,
  type Threshold,
} from './experiment.ts'
import { type MetricValues, metricValues } from './metrics.ts'
import {
  bufferAtEnd,
  crawlAndStop,
  crawlAndStopWithThreshold,
  hotPages,
  limitedBuffer,
} from './stop-models.ts'

/** Points of a curve, apart from the stops. */
const POINTS = 60

export type OrderFigures = {
  readonly measures: readonly Measured[]
  readonly curves: readonly MeasuredCurve[]
}

type FetchedOrder = {
  readonly yardstick: Yardstick
  readonly world: ReplayWorld
  readonly replay: Replay
  /** By page; null without a topic. */
  readonly similarity: Float64Array | null
}

/** Names of curves here, in `simulate`, and their units. */
const CURVES: readonly (readonly [name: string, key: CurveKey, unit: string])[] = [
  ['harvest', 'harvest', '%'],
  ['recall', 'recall', '%'],
  ['pagerank_gathered', 'pagerankSum', '%'],
  ['jain', 'jain', 'index'],
]

/** Names of the curves that do not depend on a metric. */
export const curvesAlong: readonly string[] = CURVES.map(([name]) => name)

/** `upTo`: the share of the reachable pages at which curves end. */
export function measureOrder(
  order: FetchedOrder,
  models: ModelSettings,
  upTo: number,
): OrderFigures {
  const grid = gridFor(upTo, models.stops)
  const figures = measureReplay(order.yardstick, order.replay, grid)
  const found = [general(figures, grid, models.stops), virtualTime(order.replay)]
  for (const metric of models.importance) {
    const values = metricValues(metric, order.world, order.similarity)
    if (values !== null) found.push(stopModels(order, { metric, values, models, grid }))
  }
  return {
    measures: found.flatMap(({ measures }) => measures),
    curves: found.flatMap(({ curves }) => curves),
  }
}

function gridFor(upTo: number, stops: readonly number[]): Float64Array {
  const shares = new Set(stops.filter((share) => share <= upTo))
  for (let at = 1; at <= POINTS; at++) shares.add((upTo * at) / POINTS)
  return Float64Array.from(shares).sort()
}

function general(figures: Figures, grid: Float64Array, stops: readonly number[]): OrderFigures {
  const measures: Measured[] = [
    { measure: 'nauc20', of: '', at: '', value: rounded(figures.singles.nauc20), unit: '%' },
  ]
  const curves: MeasuredCurve[] = []
  for (const [name, key, unit] of CURVES) {
    const values = figures.curves[key]
    if (values.every((value) => Number.isNaN(value))) continue
    curves.push(overShares({ curve: name, of: '', values, grid, unit }))
    for (const share of stops) {
      const value = rounded(values[grid.indexOf(share)] ?? Number.NaN)
      measures.push({ measure: name, of: '', at: shareText(share), value, unit })
    }
  }
  return { measures: measures.filter(({ value }) => value !== null), curves }
}

/** Pages over the time of the crawl, which is virtual in a replay with politeness. */
function virtualTime({ at, fetched }: Replay): OrderFigures {
  if (at === null || at.length === 0) return { measures: [], curves: [] }
  const seconds = (at.at(-1) ?? 0) / 1000
  const unit = 's'
  const rate = rounded(seconds > 0 ? fetched.length / seconds : Number.NaN)
  return {
    measures: [
      { measure: 'virtual_seconds', of: '', at: '', value: rounded(seconds), unit },
      { measure: 'virtual_pages_per_second', of: '', at: '', value: rate, unit: 'pages/s' },
    ],
    curves: [pagesOverTime(at)],
  }
}

/** `at`: when each page was there, rising, in milliseconds since the start. */
export function pagesOverTime(at: ArrayLike<number>): MeasuredCurve {
  const points = Math.min(2 * POINTS, at.length)
  const places = Array.from({ length: points }, (_, nth) =>
    Math.max(0, Math.round(((nth + 1) * at.length) / points) - 1),
  )
  return {
    ...{ curve: 'pages', of: '', xUnit: 's', yUnit: 'pages' },
    x: [0, ...places.map((place) => rounded((at[place] ?? 0) / 1000) ?? 0)],
    y: [0, ...places.map((place) => place + 1)],
  }
}

type ModelInput = {
  readonly metric: string
  readonly values: MetricValues
  readonly models: ModelSettings
  readonly grid: Float64Array
}

function stopModels(order: FetchedOrder, input: ModelInput): OrderFigures {
  const { yardstick, replay } = order
  const { metric, values, models, grid } = input
  const ranking = rankPages(values.values, yardstick.truth.reachable)
  const counts = Array.from(grid, (share) => pagesAt(share, yardstick.reachable))
  const known = (values: readonly number[]) =>
    Float64Array.from(values, (value, at) =>
      wentTo(grid[at] ?? 1, yardstick, replay) ? value : Number.NaN,
    )
  const measures: Measured[] = []
  const curves: MeasuredCurve[] = []
  const add = (name: string, threshold: string, along: Float64Array): void => {
    const of = threshold === '' ? metric : `${metric}@${threshold}`
    curves.push(overShares({ curve: name, of, values: along, grid, unit: '%' }))
    for (const share of models.stops) {
      const value = rounded(along[grid.indexOf(share)] ?? Number.NaN)
      const at = `${threshold === '' ? '' : `${threshold}/`}${shareText(share)}`
      if (value !== null) measures.push({ measure: name, of: metric, at, value, unit: '%' })
    }
  }
  add('p_cs', '', known(crawlAndStop(ranking, replay.fetched, counts)))
  for (const threshold of thresholdsFor(metric, models)) {
    const hot = hotPages(ranking, values.values, threshold)
    const shares = crawlAndStopWithThreshold(ranking, hot, replay.fetched, counts)
    add('p_st', thresholdText(threshold), known(shares))
  }
  return { measures: [...measures, ...buffered(order, input)], curves }
}

/** A share is for any metric, a value for its own. */
export function thresholdsFor(metric: string, { thresholds }: ModelSettings): Threshold[] {
  return thresholds.filter((each) => 'share' in each || each.of === metric)
}

/** `1%`, `10`. */
export function thresholdText(threshold: Threshold): string {
  return 'share' in threshold ? shareText(threshold.share) : `${threshold.least}`
}

/** The model needs a crawl that went on until nothing was left. */
function buffered(order: FetchedOrder, { metric, values, models }: ModelInput): Measured[] {
  const { yardstick, replay, world } = order
  const { estimate } = values
  const alive = replay.fetched.filter((page) => page < world.alive)
  const isWhole = replay.ranDry || alive.length >= yardstick.reachable
  if (estimate === null || !isWhole) return []
  const ranking = rankPages(values.values, yardstick.truth.reachable)
  return models.buffers.map((share) => {
    const room = pagesAt(share, yardstick.reachable)
    const kept = bufferAtEnd(alive, world.links, { room, estimate })
    const value = rounded(limitedBuffer(ranking, kept, room))
    return { measure: 'p_bc', of: metric, at: shareText(share), value, unit: '%' }
  })
}

function overShares({
  values,
  grid,
  unit,
  ...names
}: {
  readonly curve: string
  readonly of: string
  readonly values: Float64Array
  readonly grid: Float64Array
  readonly unit: string
}): MeasuredCurve {
  return {
    ...names,
    xUnit: '% of pages',
    yUnit: unit,
    x: Array.from(grid, (share) => rounded(100 * share) ?? 0),
    y: Array.from(values, rounded),
  }
}

// Prepares a summary's curves for drawing.
import { safeText } from '../../lib/terminal.ts'
import type { Contender } from '../contenders.ts'
import { type CurveKey, meanCurve, meanOf } from '../measures.ts'
import type { Figures } from '../metrics.ts'
import { type Summary, topicsFor } from '../summary.ts'
import { rounded } from '../to-json.ts'
import type { Chart, ChartKey, Curve, TopicChart } from './report-data.ts'

/**
 * Charts end where the differences end: focused crawls have found their pages after a fifth of the web, and
 * all orderings that fetch everything end at the same point.
 */
const LAST_SHARE = { focused: 0.2, other: 0.5 } as const
const FOCUSED: readonly ChartKey[] = ['harvest', 'ofIdeal', 'relevantHosts']
/** Points this close to the line, as a share of the height, are left out: about half a pixel. */
const TOLERANCE = { large: 1 / 700, small: 1 / 250 } as const

export function wasMeasured({ contenders }: Summary, key: ChartKey): boolean {
  return contenders.some(({ mean }) => mean.curves[key].some((value) => Number.isFinite(value)))
}

/** The mean over topics, by fetched pages. */
export function meanChart(summary: Summary, key: ChartKey): Chart {
  const { contenders, references } = summary
  const xMax = lastPercent(summary, key)
  const reference = references.get(key)
  const lines = contenders.map(({ mean }) => mean.curves[key])
  const all = reference === undefined ? lines : [...lines, reference.ideal, reference.random]
  const yMax = highest(all)
  const xs = percents(summary)
  const curveOf = (ys: Float64Array) => curve({ xs, ys, xMax, tolerance: yMax * TOLERANCE.large })
  return {
    ...{ key, xMax, yMax, curves: lines.map(curveOf) },
    references:
      reference === undefined
        ? null
        : { ideal: curveOf(reference.ideal), random: curveOf(reference.random) },
  }
}

/** Null if the replays had no virtual time. */
export function hourChart(summary: Summary, key: ChartKey): Chart | null {
  const hours = curvesOverHours(summary, key, lastPercent(summary, key) / 100)
  if (hours === null) return null
  const xs = hours.hours
  const xMax = xs.at(-1) ?? 1
  const lines = summary.contenders.map((contender) => hours.of(contender))
  const yMax = highest(lines)
  const curves = lines.map((ys, at) => {
    const contender = summary.contenders[at]
    const drawn = curve({ xs, ys, xMax, tolerance: yMax * TOLERANCE.large })
    return contender === undefined ? drawn : { ...drawn, endedAt: rounded(hours.endOf(contender)) }
  })
  return { key, xMax, yMax, curves, references: null }
}

/** A small chart for each topic that has the measure. */
export function topicChart(summary: Summary, key: ChartKey): TopicChart {
  const xMax = lastPercent(summary, key)
  const xs = percents(summary)
  const topics = topicsFor(summary.topics, { key, share: 1 }).map((facts) => ({
    facts,
    lines: summary.contenders.map(
      ({ byTopic }) => byTopic.get(facts.topic)?.curves[key] ?? new Float64Array(),
    ),
  }))
  const yMax = highest(topics.flatMap(({ lines }) => lines))
  const panels = topics.map(({ facts, lines }) => ({
    topic: safeText(facts.topic),
    relevant: facts.relevant,
    curves: lines.map((ys) => curve({ xs, ys, xMax, tolerance: yMax * TOLERANCE.small })),
  }))
  return { key, xMax, yMax, panels }
}

function percents({ grid }: Summary): Float64Array {
  return grid.map((share) => 100 * share)
}

/** The percentage of the reachable pages at which a chart ends. */
function lastPercent({ grid }: Summary, key: ChartKey): number {
  const last = FOCUSED.includes(key) ? LAST_SHARE.focused : LAST_SHARE.other
  return 100 * Math.min(last, grid.at(-1) ?? 1)
}

function highest(lines: readonly Float64Array[]): number {
  let most = 0
  for (const ys of lines) for (const y of ys) if (Number.isFinite(y) && y > most) most = y
  return most
}

function curve({
  xs,
  ys,
  xMax,
  tolerance,
}: {
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly xMax: number
  readonly tolerance: number
}): Curve {
  const points = Array.from(xs, (x, at) => ({ x, y: ys[at] ?? Number.NaN })).filter(
    ({ x }) => x <= xMax * (1 + 1e-9),
  )
  const end = points.findLast(({ y }) => Number.isFinite(y))?.y ?? Number.NaN
  return { points: thinCurve(points, tolerance).map(rounded), end: rounded(end) }
}

type Point = { readonly x: number; readonly y: number }

/**
 * Removes points from a curve that make no visible difference. x and y of the kept points in turn. Points
 * rise in x; those closer than `tolerance` in y to the line without them are left out. Values that were not
 * measured leave a gap of two NaN.
 */
export function thinCurve(points: readonly Point[], tolerance: number): number[] {
  const thin = runsOf(points).map((run) => thinned(run, tolerance).flatMap(({ x, y }) => [x, y]))
  return thin.flatMap((run, at) => (at === 0 ? run : [Number.NaN, Number.NaN, ...run]))
}

function runsOf(points: readonly Point[]): Point[][] {
  const runs: Point[][] = []
  let open = false
  for (const point of points) {
    const known = Number.isFinite(point.x) && Number.isFinite(point.y)
    if (known && open) runs.at(-1)?.push(point)
    else if (known) runs.push([point])
    open = known
  }
  return runs
}

/**
 * Extends a line from each kept point as long as it passes all points between closely enough: the slopes that
 * each point allows narrow down until none is left.
 */
function thinned(run: readonly Point[], tolerance: number): Point[] {
  const kept: Point[] = []
  let from: Point | undefined
  let before: Point | undefined
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const point of run) {
    if (from === undefined || before === undefined) {
      kept.push(point)
      from = before = point
      continue
    }
    const slope = slopeOf(from, point, 0)
    if (slope < low || slope > high) {
      kept.push(before)
      from = before
      ;[low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    }
    low = Math.max(low, slopeOf(from, point, -tolerance))
    high = Math.min(high, slopeOf(from, point, tolerance))
    before = point
  }
  if (before !== undefined && before !== kept.at(-1)) kept.push(before)
  return kept
}

function slopeOf(from: Point, to: Point, shift: number): number {
  return (to.y + shift - from.y) / Math.max(1e-9, to.x - from.x)
}

const POINTS = 160
/**
 * The axis is this many times as long as the median contender needs, which shows the slow ones long enough.
 */
const PATIENCE = 3

type HourCurves = {
  /** Virtual hours, rising. */
  readonly hours: Float64Array
  /** The mean over topics at each hour; a replay that has ended keeps its last value. */
  of(contender: Contender): Float64Array
  /** The mean end of a contender's replays. */
  endOf(contender: Contender): number
}

/**
 * Curves over virtual time instead of pages: with politeness, a good ordering that stays at one host is
 * slow. Up to the time when most contenders have fetched `share` of the pages. Null unless all replays were
 * polite.
 */
export function curvesOverHours(summary: Summary, key: CurveKey, share: number): HourCurves | null {
  const last = summary.grid.findLastIndex((point) => point <= share * (1 + 1e-9))
  const needed = summary.contenders.map(({ mean }) => hourAt(mean, last))
  if (needed.length === 0 || needed.some((hour) => !(hour > 0))) return null
  const sorted = needed.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const end = Math.min(PATIENCE * median, sorted.at(-1) ?? median)
  const hours = Float64Array.from({ length: POINTS }, (_, at) => (end * (at + 1)) / POINTS)
  const topics = topicsFor(summary.topics, { key, share })
  const figuresOf = ({ byTopic }: Contender) =>
    topics.flatMap(({ topic }) => byTopic.get(topic) ?? [])
  return {
    hours,
    of: (contender) =>
      meanCurve(
        figuresOf(contender).map((figures) => sample(figures, key, hours)),
        POINTS,
      ),
    endOf: (contender) =>
      meanOf(figuresOf(contender).map((figures) => hourAt(figures, summary.grid.length - 1))),
  }
}

/** At this point of the grid, or at the last measured one before it. */
function hourAt({ hours }: Figures, last: number): number {
  const known = hours?.subarray(0, last + 1).findLast((hour) => Number.isFinite(hour))
  return known ?? Number.NaN
}

/** Interpolates linearly between two points of the curve. */
function sample({ curves, hours }: Figures, key: CurveKey, at: Float64Array): Float64Array {
  const values = curves[key]
  let next = 0
  return at.map((hour) => {
    while (hours !== null && (hours[next] ?? Number.NaN) < hour) next++
    const [before, after] = [hours?.[next - 1], hours?.[next] ?? Number.NaN]
    const [from, to] = [values[next - 1] ?? Number.NaN, values[next] ?? Number.NaN]
    if (before === undefined) return to
    return after > before ? from + ((to - from) * (hour - before)) / (after - before) : from
  })
}

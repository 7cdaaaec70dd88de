// Prepares a summary's curves for drawing.
import { safeText } from '../../lib/terminal.ts'
import { curvesOverHours } from '../over-hours.ts'
import { type Summary, topicsFor } from '../summary.ts'
import { rounded } from '../to-json.ts'
import type { Chart, ChartKey, Curve, TopicChart } from './report-data.ts'
import { thinCurve } from './thin-curve.ts'

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

// Curves over virtual time instead of pages: with politeness, a good ordering that stays at one host is slow.
import type { Contender } from './contenders.ts'
import type { CurveKey } from './measures.ts'
import { meanCurve, meanOf } from './measures.ts'
import type { Figures } from './metrics.ts'
import { type Summary, topicsFor } from './summary.ts'

const POINTS = 160
/**
 * The axis is this many times as long as the median contender needs, which shows the slow ones long enough.
 */
const PATIENCE = 3

export type HourCurves = {
  /** Virtual hours, rising. */
  readonly hours: Float64Array
  /** The mean over topics at each hour; a replay that has ended keeps its last value. */
  of(contender: Contender): Float64Array
  /** The mean end of a contender's replays. */
  endOf(contender: Contender): number
}

/**
 * Up to the time when most contenders have fetched `share` of the pages. Null unless all replays were polite.
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

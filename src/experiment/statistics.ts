// Means with 95 % confidence intervals by Student's t, and curves on a common axis.
import { areEqual } from '../lib/present.ts'
import { meanOf, spreadOf } from '../simulate/measures.ts'
import type { MeasuredCurve, Value } from './experiment.ts'

export type Interval = {
  readonly mean: number
  /** Half the width of the 95 % confidence interval; NaN with fewer than two values. */
  readonly half: number
  readonly deviation: number
  readonly count: number
}

/** The interval of the measured values: null is left out, and `count` says so. */
export function intervalOf(values: readonly Value[]): Interval {
  const known = values.filter((value) => value !== null)
  const { mean, deviation, count } = spreadOf(known)
  const half = count < 2 ? Number.NaN : (quantile(count - 1) * deviation) / Math.sqrt(count)
  return { mean, half, deviation: count < 2 ? Number.NaN : deviation, count }
}

/** The 97.5 % quantile of Student's t for 1 to 30 degrees of freedom, from a table. */
const T = [
  ...[12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228],
  ...[2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086],
  ...[2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042],
]
const NORMAL = 1.95996

/** Beyond the table the first terms of its expansion around the normal distribution. */
export function quantile(freedom: number): number {
  const known = T[freedom - 1]
  if (known !== undefined) return known
  const first = (NORMAL ** 3 + NORMAL) / 4
  const second = (5 * NORMAL ** 5 + 16 * NORMAL ** 3 + 3 * NORMAL) / 96
  return NORMAL + first / freedom + second / freedom ** 2
}

export type MeanCurve = {
  readonly x: readonly number[]
  readonly y: readonly Value[]
  /** Ends of the confidence interval; null with fewer than two curves. */
  readonly low: readonly Value[]
  readonly high: readonly Value[]
}

const POINTS = 100

/**
 * Point by point, between points on a straight line, where all curves have a value: a mean over fewer would jump.
 * Curves of pages stay level where their crawl has ended.
 */
export function meanCurve(curves: readonly MeasuredCurve[]): MeanCurve {
  const xs = commonAxis(curves)
  const intervals = xs.map((x) => intervalOf(curves.map((curve) => heightAt(curve, x))))
  const values = (read: (interval: Interval) => number): Value[] =>
    intervals.map((interval) => {
      const value = read(interval)
      return interval.count === curves.length && Number.isFinite(value) ? value : null
    })
  return {
    x: xs,
    y: values(({ mean }) => mean),
    low: values(({ mean, half }) => Math.max(0, mean - half)),
    high: values(({ mean, half }) => mean + half),
  }
}

/** Their own points if all have the same, else evenly from the start to the last end. */
function commonAxis(curves: readonly MeasuredCurve[]): readonly number[] {
  const [first] = curves
  if (first === undefined) return []
  if (curves.every(({ x }) => areEqual(x, first.x))) return first.x
  const end = Math.max(...curves.map(({ x }) => x.at(-1) ?? 0))
  return Array.from({ length: POINTS + 1 }, (_, at) => (end * at) / POINTS)
}

function heightAt({ x, y, curve }: MeasuredCurve, wanted: number): Value {
  const at = x.findIndex((place) => place >= wanted)
  if (at < 0) return curve === 'pages' ? (y.at(-1) ?? null) : null
  const [after, to] = [x[at] ?? 0, y[at] ?? null]
  if (after === wanted || at === 0) return at === 0 && after > wanted ? null : to
  const [before, from] = [x[at - 1] ?? 0, y[at - 1] ?? null]
  if (from === null || to === null) return null
  return from + ((to - from) * (wanted - before)) / (after - before)
}

/** The mean of the differences of pairs, with its interval. */
export function pairedDifference(pairs: readonly (readonly [Value, Value])[]): Interval {
  return intervalOf(pairs.map(([a, b]) => (a === null || b === null ? null : a - b)))
}

export { meanOf }

// Means with their spread. A value that is missing makes a mean missing: leaving it out in silence
// would compare different things.

export type Spread = {
  readonly mean: number
  /** Standard deviation of the sample; 0 for a single value. */
  readonly deviation: number
  readonly min: number
  readonly max: number
  readonly count: number
}

export function meanOf(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1))
  const count = values.length
  if (Number.isNaN(mean)) return { mean, deviation: mean, min: mean, max: mean, count }
  return { mean, deviation, min: Math.min(...values), max: Math.max(...values), count }
}

/** Point by point; all curves have this many points. */
export function meanCurve(curves: readonly Float64Array[], points: number): Float64Array {
  const sum = new Float64Array(points)
  for (const curve of curves) {
    for (let at = 0; at < points; at++) sum[at] = (sum[at] ?? 0) + (curve[at] ?? Number.NaN)
  }
  // None at all gives 0 ÷ 0: not measured.
  return sum.map((total) => total / curves.length)
}

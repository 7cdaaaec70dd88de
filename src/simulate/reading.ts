// One number from all figures of a contender: the value of a table column or a bar.
import {
  CURVE_MEASURES,
  type CurveKey,
  type Measure,
  SINGLE_MEASURES,
  type SingleKey,
} from './measures.ts'
import type { Figures } from './metrics.ts'

export type Reading =
  | { readonly key: SingleKey; readonly share?: undefined }
  /** A curve at a share of the grid. */
  | { readonly key: CurveKey; readonly share: number }

/** NaN if it was not measured. */
export function read(figures: Figures, reading: Reading, grid: Float64Array): number {
  if (reading.share === undefined) return figures.singles[reading.key]
  const at = grid.indexOf(reading.share)
  return figures.curves[reading.key][at] ?? Number.NaN
}

export function measureOf(reading: Reading): Measure<string> {
  return reading.share === undefined ? SINGLE_MEASURES[reading.key] : CURVE_MEASURES[reading.key]
}

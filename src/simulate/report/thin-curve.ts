// Removes points from a curve that make no visible difference.

export type Point = { readonly x: number; readonly y: number }

/**
 * x and y of the kept points in turn. Points rise in x; those closer than `tolerance` in y to the line
 * without them are left out. Values that were not measured leave a gap of two NaN.
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

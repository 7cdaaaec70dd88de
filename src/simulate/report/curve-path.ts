// A curve as the `d` of an SVG path, without the points that nobody would miss.

export type Point = { readonly x: number; readonly y: number }

/** Points closer than this to the line that is drawn without them are left out, in pixels. */
const TOLERANCE = 0.25

/** Values that were not measured leave a gap. Points rise in x. */
export function curvePath(points: readonly Point[]): string {
  return runsOf(points).map(runPath).join('')
}

export function lastMeasured(points: readonly Point[]): Point | null {
  return points.findLast(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)) ?? null
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

function runPath(run: readonly Point[]): string {
  const [first, ...rest] = thinned(run)
  if (first === undefined) return ''
  return `M${pair(first)}${rest.map((point) => `L${pair(point)}`).join('')}`
}

/**
 * Goes on from each kept point as long as one straight line passes all points between closely
 * enough: the slopes allowed by each of them narrow down until none is left.
 */
function thinned(run: readonly Point[]): Point[] {
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
    low = Math.max(low, slopeOf(from, point, -TOLERANCE))
    high = Math.min(high, slopeOf(from, point, TOLERANCE))
    before = point
  }
  if (before !== undefined && before !== kept.at(-1)) kept.push(before)
  return kept
}

function slopeOf(from: Point, to: Point, shift: number): number {
  return (to.y + shift - from.y) / Math.max(1e-6, to.x - from.x)
}

function pair({ x, y }: Point): string {
  return `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`
}

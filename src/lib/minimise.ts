// Minimises a smooth convex function of many variables by L-BFGS: each step is Newton's, with the curvature
// estimated from the last few steps. It takes 2 × REMEMBERED vectors of memory; the same input gives the same
// result.

/** Returns the function's value at `at` and writes its gradient into `slope`. */
export type Slope = (at: Float64Array, slope: Float64Array) => number

type MinimiseOptions = {
  /** The starting point; overwritten with the result. */
  readonly start: Float64Array
  /** Done when no component of the gradient is larger than this. */
  readonly tolerance: number
  readonly maxSteps: number
}

type Minimum = {
  readonly at: Float64Array
  readonly value: number
  readonly steps: number
  /** False if it ran out of steps, or of precision, before the gradient was small enough. */
  readonly converged: boolean
}

/** Number of steps whose curvature is kept; more gains little and costs memory. */
const REMEMBERED = 6
/** The share of the predicted decrease that a step must reach. */
const ENOUGH = 1e-4
const MAX_HALVINGS = 30

type Bend = { readonly step: Float64Array; readonly turn: Float64Array; readonly rho: number }

export function minimise(of: Slope, { start, tolerance, maxSteps }: MinimiseOptions): Minimum {
  const at = start
  let slope = new Float64Array(at.length)
  let nextSlope = new Float64Array(at.length)
  const next = new Float64Array(at.length)
  const direction = new Float64Array(at.length)
  const bends: Bend[] = []
  let value = of(at, slope)
  for (let steps = 0; ; steps++) {
    if (steepest(slope) <= tolerance) return { at, value, steps, converged: true }
    if (steps === maxSteps) return { at, value, steps, converged: false }
    downhill(slope, bends, direction)
    const promised = dot(direction, slope)
    // The first step has no curvature, so it is kept short.
    let length = bends.length === 0 ? 1 / Math.max(1, Math.sqrt(-promised)) : 1
    let reached = Number.POSITIVE_INFINITY
    for (let halvings = 0; halvings < MAX_HALVINGS; halvings++, length /= 2) {
      for (let i = 0; i < at.length; i++) next[i] = (at[i] ?? 0) + length * (direction[i] ?? 0)
      reached = of(next, nextSlope)
      if (reached <= value + ENOUGH * length * promised) break
    }
    if (!(reached < value)) return { at, value, steps, converged: false }
    remember(bends, { at, next, slope, nextSlope })
    at.set(next)
    value = reached
    const spare = slope
    slope = nextSlope
    nextSlope = spare
  }
}

/** Turns the gradient into a step, into `direction`, with the two-loop recursion. */
function downhill(slope: Float64Array, bends: readonly Bend[], direction: Float64Array): void {
  direction.set(slope)
  scale(direction, -1)
  const shares: number[] = []
  for (const { step, turn, rho } of bends.toReversed()) {
    const share = rho * dot(step, direction)
    shares.push(share)
    addTo(direction, turn, -share)
  }
  const newest = bends.at(-1)
  if (newest !== undefined) scale(direction, 1 / (newest.rho * dot(newest.turn, newest.turn)))
  for (const { step, turn, rho } of bends) {
    addTo(direction, step, (shares.pop() ?? 0) - rho * dot(turn, direction))
  }
}

type Move = Readonly<Record<'at' | 'next' | 'slope' | 'nextSlope', Float64Array>>

/** Keeps a curvature pair unless it is lost in rounding; the arrays of the oldest are reused. */
function remember(bends: Bend[], { at, next, slope, nextSlope }: Move): void {
  const oldest = bends.length < REMEMBERED ? undefined : bends.shift()
  const step = oldest?.step ?? new Float64Array(at.length)
  const turn = oldest?.turn ?? new Float64Array(at.length)
  for (let i = 0; i < at.length; i++) {
    step[i] = (next[i] ?? 0) - (at[i] ?? 0)
    turn[i] = (nextSlope[i] ?? 0) - (slope[i] ?? 0)
  }
  const along = dot(step, turn)
  if (along > 1e-12 * dot(turn, turn)) bends.push({ step, turn, rho: 1 / along })
}

/** Four at a time: V8 makes simple loops three times slower once it has inlined them. */
function dot(a: Float64Array, b: Float64Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  let i = 0
  for (const end = a.length - 3; i < end; i += 4) {
    first += (a[i] ?? 0) * (b[i] ?? 0)
    second += (a[i + 1] ?? 0) * (b[i + 1] ?? 0)
    third += (a[i + 2] ?? 0) * (b[i + 2] ?? 0)
    fourth += (a[i + 3] ?? 0) * (b[i + 3] ?? 0)
  }
  for (; i < a.length; i++) first += (a[i] ?? 0) * (b[i] ?? 0)
  return first + second + (third + fourth)
}

function addTo(a: Float64Array, b: Float64Array, times: number): void {
  let i = 0
  for (const end = a.length - 3; i < end; i += 4) {
    a[i] = (a[i] ?? 0) + times * (b[i] ?? 0)
    a[i + 1] = (a[i + 1] ?? 0) + times * (b[i + 1] ?? 0)
    a[i + 2] = (a[i + 2] ?? 0) + times * (b[i + 2] ?? 0)
    a[i + 3] = (a[i + 3] ?? 0) + times * (b[i + 3] ?? 0)
  }
  for (; i < a.length; i++) a[i] = (a[i] ?? 0) + times * (b[i] ?? 0)
}

function scale(a: Float64Array, times: number): void {
  for (let i = 0; i < a.length; i++) a[i] = (a[i] ?? 0) * times
}

function steepest(slope: Float64Array): number {
  let most = 0
  for (const value of slope) most = Math.max(most, Math.abs(value))
  return most
}

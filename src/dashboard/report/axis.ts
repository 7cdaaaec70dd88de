// Where an axis ends and where its ticks are.

export type Scale = {
  /** Value → place in the drawing. */
  readonly place: (value: number) => number
  readonly ticks: readonly number[]
  readonly max: number
  /** Decimals a tick needs. */
  readonly decimals: number
}

export type ScaleOptions = {
  readonly max: number
  readonly from: number
  readonly to: number
  /** About so many ticks. */
  readonly ticks: number
  /** The axis ends at `max` itself and not at the next tick. */
  readonly exact?: boolean
}

/** From 0 on. An axis that nothing was measured for goes to 1. */
export function createScale({ max, from, to, ticks, exact = false }: ScaleOptions): Scale {
  const wanted = Number.isFinite(max) && max > 0 ? max : 1
  const step = niceStep(wanted / ticks)
  // A little tolerance: 0.1 + 0.2 is above 0.3.
  const whole = Math.ceil(wanted / step - 1e-9)
  const end = exact ? wanted : whole * step
  const count = Math.floor(end / step + 1e-9)
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  return {
    place: (value) => from + ((to - from) * value) / end,
    ticks: Array.from({ length: count + 1 }, (_, at) => Number((at * step).toFixed(decimals))),
    max: end,
    decimals,
  }
}

/** 1, 2 or 5 times a power of ten, not below the wish. */
function niceStep(wish: number): number {
  const power = 10 ** Math.floor(Math.log10(wish))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= wish * (1 - 1e-9)) ?? 10
  return step * power
}

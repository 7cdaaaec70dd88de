// What charts share: where an axis ends and has its ticks, how lines look, where their labels stand.

export type Scale = {
  /** Value → place in the drawing. */
  readonly place: (value: number) => number
  readonly ticks: readonly number[]
  readonly max: number
  /** Decimals a tick needs. */
  readonly decimals: number
}

type ScaleOptions = {
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

/** The light ones of `styles/report.css`, for files of figures. */
export const PAPER_COLOURS = [
  ...['#2b53e9', '#c98104', '#c52558', '#003800', '#750099', '#00a1bf', '#000033'],
] as const
const COLOURS = PAPER_COLOURS.length
const SOLID = 4
/** Solid, dashed, dotted, both. */
const DASHES = ['none', '7 3', '2 2.5', '9 3 2 3'] as const

export type Look = { readonly colour: string; readonly dash: string }

/**
 * How an ordering's line looks: one of the seven colours of `styles/report.css`, then the same seven again
 * with another dash. The last three of the seven are dashed from the start: on thin lines seven colours are
 * hard to tell apart. The best gets a solid line. `place` is the ordering's place in the comparison. More
 * than 28 begin again.
 */
export function lookOf(place: number): Look {
  const number = place % COLOURS
  const dash = Math.floor(place / COLOURS) + (number < SOLID ? 0 : 1)
  return { colour: `c${number}`, dash: DASHES[dash % DASHES.length] ?? 'none' }
}

/**
 * Places for labels beside the ends of lines, as close to their `wishes` as they can be without touching:
 * each at least `gap` from the next, within `from` and `to`, in the order of the wishes. Those that crowd
 * are shifted as a group around their middle. When there is no room for all, they go on below `to`.
 */
export function spreadLabels(
  wishes: readonly number[],
  { gap, from, to }: { readonly gap: number; readonly from: number; readonly to: number },
): number[] {
  const order = wishes.map((_, at) => at).sort((a, b) => (wishes[a] ?? 0) - (wishes[b] ?? 0))
  // With the gaps taken out labels may stand on one spot, only not out of order.
  const shifted = order.map((at, place) => (wishes[at] ?? 0) - place * gap)
  const last = Math.max(from, to - (order.length - 1) * gap)
  const places = new Array<number>(wishes.length).fill(from)
  for (const [place, value] of inOrder(shifted).entries()) {
    const at = order[place]
    if (at !== undefined) places[at] = Math.min(last, Math.max(from, value)) + place * gap
  }
  return places
}

/** The values nearest to the given ones that never fall: neighbours out of order meet in their mean. */
function inOrder(values: readonly number[]): number[] {
  const groups: { sum: number; count: number }[] = []
  for (const value of values) {
    let group = { sum: value, count: 1 }
    for (let last = groups.at(-1); last && meanOf(last) > meanOf(group); last = groups.at(-1)) {
      group = { sum: last.sum + group.sum, count: last.count + group.count }
      groups.pop()
    }
    groups.push(group)
  }
  return groups.flatMap((group) => new Array<number>(group.count).fill(meanOf(group)))
}

function meanOf({ sum, count }: { readonly sum: number; readonly count: number }): number {
  return sum / count
}

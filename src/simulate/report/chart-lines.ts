// A summary's curves as lines to draw.
import type { Contender } from '../contenders.ts'
import type { Figures } from '../metrics.ts'
import type { HourCurves } from '../over-hours.ts'
import type { References } from '../references.ts'
import type { Summary } from '../summary.ts'
import type { Line } from './line-chart.ts'
import { lookOf } from './palette.ts'
import { type ChartKey, shortName, showDecimal, type Words } from './words.ts'

/** The first so many are drawn stronger in small pictures. */
const STRONG_IN_SMALL = 3
/**
 * Charts end where the race is over: focused crawls have what they wanted after a fifth of the pages, and
 * whoever fetches everything ends where all others do.
 */
const LAST_SHARE = { focused: 0.2, other: 0.5 } as const
const FOCUSED: readonly ChartKey[] = ['harvest', 'ofIdeal', 'relevantHosts']

/** The share of the reachable pages at which a chart ends. */
export function lastShare({ grid }: Summary, key: ChartKey): number {
  const last = FOCUSED.includes(key) ? LAST_SHARE.focused : LAST_SHARE.other
  return Math.min(last, grid.at(-1) ?? 1)
}

export function meanLines(summary: Summary, key: ChartKey, words: Words): Line[] {
  const xs = summary.grid.map((share) => 100 * share)
  const until = 100 * lastShare(summary, key)
  const contenders = summary.contenders.map(({ name, mean }, place) =>
    lineOf({ name, place, strong: place === 0, xs, ys: mean.curves[key], until, key, words }),
  )
  return [...contenders, ...referenceLines(summary.references, key, xs, until, words)]
}

/** Nothing about topics in which the measure says nothing. */
export function topicLines(summary: Summary, topic: string, key: ChartKey, words: Words): Line[] {
  const xs = summary.grid.map((share) => 100 * share)
  const until = 100 * lastShare(summary, key)
  return summary.contenders.flatMap(({ name, byTopic }, place) => {
    const figures: Figures | undefined = byTopic.get(topic)
    if (figures === undefined) return []
    const strong = place < STRONG_IN_SMALL
    return [lineOf({ name, place, strong, xs, ys: figures.curves[key], until, key, words })]
  })
}

export function hourLines(
  contenders: readonly Contender[],
  curves: HourCurves,
  key: ChartKey,
  words: Words,
): Line[] {
  const xs = curves.hours
  const until = xs.at(-1) ?? 0
  return contenders.map((contender, place) => {
    const ys = curves.of(contender)
    const line = { name: contender.name, place, strong: place === 0, xs, ys, until, key, words }
    return { ...lineOf(line), endsAt: curves.endOf(contender) }
  })
}

/** The highest value in any of the lines. */
export function highest(lines: readonly Line[]): number {
  return lines.reduce(
    (most, { ys }) =>
      Array.from(ys).reduce((max, y) => (Number.isFinite(y) ? Math.max(max, y) : max), most),
    0,
  )
}

function referenceLines(
  references: References,
  key: ChartKey,
  xs: Float64Array,
  until: number,
  words: Words,
): Line[] {
  const found = references.get(key)
  if (found === undefined) return []
  const named = [
    [words.ideal, found.ideal],
    [words.random, found.random],
  ] as const
  return named.map(([name, ys]) => ({
    ...lineOf({ name, place: 0, strong: false, xs, ys, until, key, words }),
    look: null,
  }))
}

type LineInput = {
  readonly name: string
  readonly place: number
  readonly strong: boolean
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly until: number
  readonly key: ChartKey
  readonly words: Words
}

function lineOf({ name, place, strong, xs, ys, until, key, words }: LineInput): Line {
  const shown = xs.findLastIndex(
    (x, at) => x <= until * (1 + 1e-9) && Number.isFinite(ys[at] ?? Number.NaN),
  )
  const digits = key === 'jain' ? 2 : 1
  const value = showDecimal(ys[shown] ?? Number.NaN, digits, words)
  return { name: shortName(name), value, look: lookOf(place), strong, xs, ys }
}

// One bar per ordering: its mean, and a ring for each topic the mean is made of.
import { cells } from '../../lib/terminal.ts'
import type { Value } from '../../simulate/report/report-data.ts'
import type { PictureWidth } from './both-widths.tsx'
import { createScale, type Look, type Scale } from './chart-parts.ts'
import { short } from './line-chart.tsx'

type Bar = {
  readonly name: string
  readonly look: Look
  readonly strong: boolean
  readonly mean: Value
  /** The mean with its spread, ready to print. */
  readonly value: string
  readonly topics: readonly { readonly name: string; readonly value: Value }[]
  /** Half the width of its confidence interval. */
  readonly half?: Value
}

type BarChartProps = {
  readonly id: string
  readonly title: string
  readonly axis: string
  readonly bars: readonly Bar[]
  readonly width: PictureWidth
  readonly showTick: (value: number, decimals: number) => string
}

const TOP = 12
/** On a phone the name and the value of a bar stand above it. */
const SIZES = {
  wide: { width: 920, row: 26, ticks: 8, barAt: 13, textAt: 17 },
  narrow: { width: 400, row: 42, ticks: 4, barAt: 28, textAt: 16 },
} as const
/** A generous guess at the width of a letter: nobody knows the reader's font. */
const CELL = 6.9

export function BarChart({ id: name, title, axis, bars, width: size, showTick }: BarChartProps) {
  const { width, row, ticks } = SIZES[size]
  const isWide = size === 'wide'
  const id = isWide ? name : `${name}-narrow`
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(cells)) * CELL
  const left = isWide ? 14 + widest(bars.map(({ name }) => name)) : 10
  const right = width - (isWide ? 22 + widest(bars.map(({ value }) => value)) : 16)
  const bottom = TOP + row * bars.length
  const values = bars.flatMap(({ mean, half = null, topics }) => [
    mean,
    (mean ?? 0) + (half ?? 0),
    ...topics.map(({ value }) => value),
  ])
  const max = Math.max(0, ...values.map((value) => value ?? 0))
  const scale = createScale({ max, from: left, to: right, ticks })
  return (
    <svg viewBox={`0 0 ${width} ${bottom + 44}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      <g class="axes">
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <path class="grid" d={`M${short(scale.place(tick))} ${TOP}V${bottom}`} />
            <text x={short(scale.place(tick))} y={bottom + 17} text-anchor="middle">
              {showTick(tick, scale.decimals)}
            </text>
          </g>
        ))}
        <text class="axis-title" x={short((left + right) / 2)} y={bottom + 38} text-anchor="middle">
          {axis}
        </text>
      </g>
      <g class="bars">
        {bars.map((bar, at) => (
          <DrawnBar key={bar.name} bar={bar} top={TOP + row * at} size={size} scale={scale} />
        ))}
      </g>
    </svg>
  )
}

function DrawnBar({
  bar: { name, look, strong, mean, value, topics, half = null },
  top,
  size,
  scale,
}: {
  readonly bar: Bar
  readonly top: number
  readonly size: PictureWidth
  readonly scale: Scale
}) {
  const { width, barAt, textAt } = SIZES[size]
  const [middle, line] = [top + barAt, top + textAt]
  const isWide = size === 'wide'
  const left = short(scale.place(0))
  const kind = strong ? 'strong' : 'plain'
  const paint = `bar ${look.colour}${look.dash === 'none' ? '' : ' pale'}`
  return (
    <g>
      <text
        class={kind}
        x={isWide ? left - 8 : left}
        y={line}
        text-anchor={isWide ? 'end' : 'start'}
      >
        {name}
      </text>
      {mean !== null && <path class={paint} d={`M${left} ${middle}H${short(scale.place(mean))}`} />}
      {mean !== null && half !== null && (
        <path class="interval" d={whisker(scale, middle, [mean - half, mean + half])} />
      )}
      {topics.map((topic) =>
        topic.value === null ? null : (
          <circle key={topic.name} cx={short(scale.place(topic.value))} cy={middle} r="3.6">
            <title>{topic.name}</title>
          </circle>
        ),
      )}
      <text class={`value ${kind}`} x={width - 8} y={line} text-anchor="end">
        {value}
      </text>
    </g>
  )
}

function whisker(scale: Scale, middle: number, [low, high]: readonly [number, number]): string {
  const [from, to] = [short(scale.place(Math.max(0, low))), short(scale.place(high))]
  return `M${from} ${middle - 5}v10M${from} ${middle}H${to}M${to} ${middle - 5}v10`
}

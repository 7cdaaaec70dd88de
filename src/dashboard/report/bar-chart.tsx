// One bar per ordering: its mean, and a ring for each topic the mean is made of.
import { cells } from '../../lib/terminal.ts'
import type { Value } from '../../simulate/report/report-data.ts'
import { createScale, type Look, type Scale } from './chart-parts.ts'
import { short } from './line-chart.tsx'

export type Bar = {
  readonly name: string
  readonly look: Look
  readonly strong: boolean
  readonly mean: Value
  /** The mean with its spread, ready to print. */
  readonly value: string
  readonly topics: readonly { readonly name: string; readonly value: Value }[]
}

export type BarChartProps = {
  readonly id: string
  readonly title: string
  readonly axis: string
  readonly bars: readonly Bar[]
  readonly showTick: (value: number, decimals: number) => string
}

const WIDTH = 920
const ROW = 26
const TOP = 12
/** A generous guess at the width of a letter: nobody knows the reader's font. */
const CELL = 6.9

export function BarChart({ id, title, axis, bars, showTick }: BarChartProps) {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(cells)) * CELL
  const left = 14 + widest(bars.map(({ name }) => name))
  const right = WIDTH - 22 - widest(bars.map(({ value }) => value))
  const bottom = TOP + ROW * bars.length
  const values = bars.flatMap(({ mean, topics }) => [mean, ...topics.map(({ value }) => value)])
  const max = Math.max(0, ...values.map((value) => value ?? 0))
  const scale = createScale({ max, from: left, to: right, ticks: 8 })
  return (
    <svg viewBox={`0 0 ${WIDTH} ${bottom + 44}`} role="img" aria-labelledby={id}>
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
          <DrawnBar key={bar.name} bar={bar} middle={TOP + ROW * at + ROW / 2} scale={scale} />
        ))}
      </g>
    </svg>
  )
}

function DrawnBar({
  bar: { name, look, strong, mean, value, topics },
  middle,
  scale,
}: {
  readonly bar: Bar
  readonly middle: number
  readonly scale: Scale
}) {
  const left = short(scale.place(0))
  const kind = strong ? 'strong' : 'plain'
  const paint = `bar ${look.colour}${look.dash === 'none' ? '' : ' pale'}`
  return (
    <g>
      <text class={kind} x={left - 8} y={middle + 4} text-anchor="end">
        {name}
      </text>
      {mean !== null && <path class={paint} d={`M${left} ${middle}H${short(scale.place(mean))}`} />}
      {topics.map((topic) =>
        topic.value === null ? null : (
          <circle key={topic.name} cx={short(scale.place(topic.value))} cy={middle} r="3.6">
            <title>{topic.name}</title>
          </circle>
        ),
      )}
      <text class={`value ${kind}`} x={WIDTH - 8} y={middle + 4} text-anchor="end">
        {value}
      </text>
    </g>
  )
}

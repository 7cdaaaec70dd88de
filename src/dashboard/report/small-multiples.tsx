// The same picture for each topic, small and side by side, on the same axes.
import { fit } from '../../lib/terminal.ts'
import { createScale } from './axis.ts'
import { CurveLine, type Line, short } from './line-chart.tsx'

export type Panel = {
  readonly name: string
  readonly note: string
  readonly lines: readonly Line[]
}

type Shared = {
  readonly id: string
  readonly xMax: number
  readonly yMax: number
  readonly showTick: (value: number, decimals: number) => string
}

const [WIDTH, HEIGHT] = [224, 178]
const [LEFT, RIGHT, TOP, BOTTOM] = [28, WIDTH - 8, 38, HEIGHT - 22]
const NAME_CELLS = 28

export function SmallMultiples(all: Shared & { readonly panels: readonly Panel[] }) {
  return (
    <div class="multiples">
      {all.panels.map((panel, at) => (
        <SmallChart key={panel.name} {...all} panel={panel} id={`${all.id}-${at + 1}`} />
      ))}
    </div>
  )
}

function SmallChart({ id, xMax, yMax, showTick, panel }: Shared & { readonly panel: Panel }) {
  const x = createScale({ max: xMax, from: LEFT, to: RIGHT, ticks: 4, exact: true })
  const y = createScale({ max: yMax, from: BOTTOM, to: TOP, ticks: 4 })
  return (
    <svg class="small-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{panel.name}</title>
      <text class="panel-name" x={LEFT} y="13">
        {fit(panel.name, NAME_CELLS)}
      </text>
      <text class="panel-note" x={LEFT} y="27">
        {panel.note}
      </text>
      <g class="axes">
        {y.ticks.map((tick) => (
          <g key={tick}>
            <path class="grid" d={`M${LEFT} ${short(y.place(tick))}H${RIGHT}`} />
            <text x={LEFT - 4} y={short(y.place(tick) + 3)} text-anchor="end">
              {showTick(tick, y.decimals)}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <text key={tick} x={short(x.place(tick))} y={BOTTOM + 14} text-anchor="middle">
            {showTick(tick, x.decimals)}
          </text>
        ))}
        <path class="base" d={`M${LEFT} ${BOTTOM}H${RIGHT}`} />
      </g>
      <g class="lines thin">
        {panel.lines.toReversed().map((line) => (
          <CurveLine key={line.name} line={line} x={x} y={y} />
        ))}
      </g>
    </svg>
  )
}

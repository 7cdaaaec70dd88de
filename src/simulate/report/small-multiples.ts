// The same picture for each topic, small and side by side, on the same axes.
import { fit, safeText } from '../../lib/terminal.ts'
import { createScale } from './axis.ts'
import { drawLine, type Line, pointsOf } from './line-chart.ts'
import { html, type Markup } from './markup.ts'

export type Panel = {
  readonly name: string
  readonly note: string
  readonly lines: readonly Line[]
}

export type SmallMultiples = {
  readonly id: string
  readonly panels: readonly Panel[]
  readonly xMax: number
  readonly yMax: number
  readonly showTick: (value: number, decimals: number) => string
}

const [WIDTH, HEIGHT] = [224, 178]
const [LEFT, RIGHT, TOP, BOTTOM] = [28, WIDTH - 8, 38, HEIGHT - 22]
const NAME_CELLS = 28

export function drawSmallMultiples(all: SmallMultiples): Markup {
  return html`<div class="multiples">${all.panels.map((panel, at) => drawPanel(all, panel, at))}</div>`
}

function drawPanel({ id, xMax, yMax, showTick }: SmallMultiples, panel: Panel, at: number): Markup {
  const x = createScale({ max: xMax, from: LEFT, to: RIGHT, ticks: 4, exact: true })
  const y = createScale({ max: yMax, from: BOTTOM, to: TOP, ticks: 4 })
  const title = `${id}-${at + 1}`
  const rows = y.ticks.map(
    (tick) => html`<path class="grid" d="M${LEFT} ${y.place(tick)}H${RIGHT}"/>
<text x="${LEFT - 4}" y="${y.place(tick) + 3}" text-anchor="end">${showTick(tick, y.decimals)}</text>`,
  )
  const columns = x.ticks.map(
    (tick) =>
      html`<text x="${x.place(tick)}" y="${BOTTOM + 14}" text-anchor="middle">${showTick(tick, x.decimals)}</text>`,
  )
  const lines = panel.lines.toReversed().map((line) => drawLine(line, pointsOf(line, x, y)))
  return html`<svg class="small" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${title}">
<title id="${title}">${panel.name}</title>
<text class="panel-name" x="${LEFT}" y="13">${fit(safeText(panel.name), NAME_CELLS)}</text>
<text class="panel-note" x="${LEFT}" y="27">${panel.note}</text>
<g class="axes">${rows}${columns}<path class="base" d="M${LEFT} ${BOTTOM}H${RIGHT}"/></g>
<g class="lines thin">${lines}</g>
</svg>`
}

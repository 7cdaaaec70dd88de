// One bar per contender: its mean, and a ring for each topic the mean is made of.
import { cells } from '../../lib/terminal.ts'
import { createScale, type Scale } from './axis.ts'
import { html, type Markup } from './markup.ts'
import type { Look } from './palette.ts'

export type Bar = {
  readonly name: string
  readonly look: Look
  readonly strong: boolean
  readonly mean: number
  /** The mean with its spread, ready to print. */
  readonly value: string
  readonly topics: readonly { readonly name: string; readonly value: number }[]
}

export type BarChart = {
  readonly id: string
  readonly title: string
  readonly axis: string
  readonly bars: readonly Bar[]
  readonly max: number
  readonly showTick: (value: number, decimals: number) => string
}

const WIDTH = 920
const ROW = 26
const TOP = 12
/** A generous guess at the width of a letter: nobody knows the reader's font. */
const CELL = 6.9

export function drawBarChart(chart: BarChart): Markup {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(cells)) * CELL
  const left = 14 + widest(chart.bars.map(({ name }) => name))
  const right = WIDTH - 22 - widest(chart.bars.map(({ value }) => value))
  const bottom = TOP + ROW * chart.bars.length
  const scale = createScale({ max: chart.max, from: left, to: right, ticks: 8 })
  return html`<svg viewBox="0 0 ${WIDTH} ${bottom + 44}" role="img" aria-labelledby="${chart.id}">
<title id="${chart.id}">${chart.title}</title>
<g class="axes">${scale.ticks.map((tick) => drawTick(chart, tick, scale.place(tick), bottom, scale))}
<text class="axis-title" x="${(left + right) / 2}" y="${bottom + 38}" text-anchor="middle">${chart.axis}</text></g>
<g class="bars">${chart.bars.map((bar, at) => drawBar(bar, TOP + ROW * at, scale))}</g>
</svg>`
}

function drawTick(chart: BarChart, tick: number, x: number, bottom: number, scale: Scale): Markup {
  return html`<path class="grid" d="M${x} ${TOP}V${bottom}"/>
<text x="${x}" y="${bottom + 17}" text-anchor="middle">${chart.showTick(tick, scale.decimals)}</text>`
}

function drawBar(bar: Bar, top: number, scale: Scale): Markup {
  const middle = top + ROW / 2
  const left = scale.place(0)
  const known = Number.isFinite(bar.mean)
  const kind = bar.strong ? 'strong' : 'plain'
  const rings = bar.topics
    .filter(({ value }) => Number.isFinite(value))
    .map(
      ({ name, value }) =>
        html`<circle cx="${scale.place(value)}" cy="${middle}" r="3.6"><title>${name}</title></circle>`,
    )
  return html`<text class="${kind}" x="${left - 8}" y="${middle + 4}" text-anchor="end">${bar.name}</text>
${known ? html`<path class="bar ${bar.look.colour}${bar.look.dash === 'none' ? '' : ' pale'}" d="M${left} ${middle}H${scale.place(bar.mean)}"/>` : null}
${rings}
<text class="value ${kind}" x="${WIDTH - 8}" y="${middle + 4}" text-anchor="end">${bar.value}</text>`
}

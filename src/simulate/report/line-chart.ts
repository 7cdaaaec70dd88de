// Lines over a common axis, each with its name and last value at its end.
import { cells } from '../../lib/terminal.ts'
import { createScale, type Scale } from './axis.ts'
import { curvePath, lastMeasured, type Point } from './curve-path.ts'
import { spreadLabels } from './end-labels.ts'
import { html, type Markup } from './markup.ts'
import type { Look } from './palette.ts'

export type Line = {
  readonly name: string
  /** Its value at the end, ready to print. */
  readonly value: string
  /** Null for what is no contender but a mark to compare with. */
  readonly look: Look | null
  readonly strong: boolean
  /** A dot is drawn where the crawl itself ended and the line only goes on level. */
  readonly endsAt?: number
  readonly xs: ArrayLike<number>
  readonly ys: ArrayLike<number>
}

export type LineChart = {
  /** Unique in the page; letters, digits, hyphens. */
  readonly id: string
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly lines: readonly Line[]
  readonly xMax: number
  readonly yMax: number
  readonly showTick: (value: number, decimals: number) => string
}

type Frame = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const WIDTH = 920
const LABEL_GAP = 16
const SWATCH = 22
/** From the end of the axis to the labels. */
const LEADER = 30
/** A generous guess at the width of a letter: nobody knows the reader's font. */
const CELL = 6.9

export function drawLineChart(chart: LineChart): Markup {
  const widest = chart.lines.reduce(
    (most, { name, value }) => Math.max(most, cells(name) + 3 + cells(value)),
    0,
  )
  const labels = LEADER + SWATCH + 8 + widest * CELL
  const height = Math.max(330, chart.lines.length * LABEL_GAP)
  const frame = { left: 48, right: WIDTH - labels, top: 30, bottom: 30 + height }
  const x = createScale({
    max: chart.xMax,
    from: frame.left,
    to: frame.right,
    ticks: 8,
    exact: true,
  })
  const y = createScale({ max: chart.yMax, from: frame.bottom, to: frame.top, ticks: 6 })
  const drawn = chart.lines.map((line) => ({ line, points: pointsOf(line, x, y) }))
  return html`<svg viewBox="0 0 ${WIDTH} ${frame.bottom + 44}" role="img" aria-labelledby="${chart.id}">
<title id="${chart.id}">${chart.title}</title>
${drawAxes(chart, frame, x, y)}
<g class="lines">${drawn.toReversed().map(({ line, points }) => [drawLine(line, points), drawEnd(line, points, x)])}</g>
${drawLabels(drawn, frame)}
</svg>`
}

export function pointsOf({ xs, ys }: Line, x: Scale, y: Scale): Point[] {
  const points = Array.from(xs, (value, at) => ({ value, height: ys[at] ?? Number.NaN }))
  return points
    .filter(({ value }) => !(value > x.max * (1 + 1e-9)))
    .map(({ value, height }) => ({ x: x.place(value), y: y.place(height) }))
}

export function drawLine({ name, look, strong }: Line, points: readonly Point[]): Markup {
  const path = curvePath(points)
  if (look === null) return html`<path class="mark" d="${path}"><title>${name}</title></path>`
  return html`<path class="${look.colour}${strong ? ' strong' : ''}" stroke-dasharray="${look.dash}" d="${path}"><title>${name}</title></path>`
}

function drawEnd({ look, endsAt }: Line, points: readonly Point[], x: Scale): Markup | null {
  if (look === null || endsAt === undefined || !(endsAt < x.max)) return null
  const end = points.find((point) => point.x >= x.place(endsAt))
  return end ? html`<circle class="${look.colour}" cx="${end.x}" cy="${end.y}" r="3.4"/>` : null
}

function drawAxes(chart: LineChart, frame: Frame, x: Scale, y: Scale): Markup {
  const { left, right, top, bottom } = frame
  const rows = y.ticks.map(
    (tick) => html`<path class="grid" d="M${left} ${y.place(tick)}H${right}"/>
<text x="${left - 7}" y="${y.place(tick) + 4}" text-anchor="end">${chart.showTick(tick, y.decimals)}</text>`,
  )
  const columns = x.ticks.map(
    (tick) => html`<path class="tick" d="M${x.place(tick)} ${bottom}v5"/>
<text x="${x.place(tick)}" y="${bottom + 19}" text-anchor="middle">${chart.showTick(tick, x.decimals)}</text>`,
  )
  return html`<g class="axes">${rows}${columns}<path class="base" d="M${left} ${bottom}H${right}"/>
<text class="axis-title" x="${left}" y="${top - 14}">${chart.yTitle}</text>
<text class="axis-title" x="${(left + right) / 2}" y="${bottom + 38}" text-anchor="middle">${chart.xTitle}</text></g>`
}

function drawLabels(
  drawn: readonly { readonly line: Line; readonly points: readonly Point[] }[],
  { right, top, bottom }: Frame,
): Markup {
  const ended = drawn.flatMap(({ line, points }) => {
    const end = lastMeasured(points)
    return end === null ? [] : [{ line, end }]
  })
  const places = spreadLabels(
    ended.map(({ end }) => end.y),
    { gap: LABEL_GAP, from: top + 2, to: bottom - 2 },
  )
  const start = right + LEADER
  return html`<g class="labels">${ended.map(({ line, end }, at) => {
    const y = places[at] ?? end.y
    const kind = line.strong ? 'strong' : 'plain'
    return html`<path class="leader" d="M${end.x + 2} ${end.y}L${right + 6} ${end.y}L${start - 6} ${y}h4"/>${drawSwatch(line, start, y)}
<text class="${kind}" x="${start + SWATCH + 6}" y="${y + 4}">${line.name}</text><text class="value ${kind}" x="${WIDTH - 4}" y="${y + 4}" text-anchor="end">${line.value}</text>`
  })}</g>`
}

function drawSwatch({ look, strong }: Line, x: number, y: number): Markup {
  const kind = look === null ? 'mark' : look.colour
  return html`<path class="${kind}${strong ? ' strong' : ''}" stroke-dasharray="${look?.dash ?? '1 3'}" d="M${x} ${y}h${SWATCH}"/>`
}

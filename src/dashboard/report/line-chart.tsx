// Lines over a common axis, each with its name and last value at its end.
import { cells } from '../../lib/terminal.ts'
import type { Curve, Value } from '../../simulate/report/report-data.ts'
import type { PictureWidth } from './both-widths.tsx'
import { createScale, type Look, type Scale, spreadLabels } from './chart-parts.ts'

export type Line = {
  readonly name: string
  /** Its value at the end, ready to print. */
  readonly value: string
  /** Null for what is no ordering but a mark to compare with. */
  readonly look: Look | null
  readonly strong: boolean
  readonly curve: Curve
  /** x, low and high in turn: the confidence interval. */
  readonly band?: readonly Value[]
}

type LineChartProps = {
  /** Unique in the page; letters, digits, hyphens. */
  readonly id: string
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly lines: readonly Line[]
  readonly xMax: number
  readonly yMax: number
  readonly width: PictureWidth
  readonly showTick: (value: number, decimals: number) => string
}

type Frame = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}
type Point = { readonly x: number; readonly y: number }

const WIDTH = 920
const NARROW = 400
const LABEL_GAP = 16
const SWATCH = 22
/** From the end of the axis to the labels. */
const LEADER = 30
/** A generous guess at the width of a letter: nobody knows the reader's font. */
const CELL = 6.9

export function LineChart(chart: LineChartProps) {
  const { title, lines, xMax, yMax } = chart
  const isWide = chart.width === 'wide'
  const id = isWide ? chart.id : `${chart.id}-narrow`
  const frame = isWide ? wideFrame(lines) : NARROW_FRAME
  const { left, right, top, bottom } = frame
  const x = createScale({ max: xMax, from: left, to: right, ticks: isWide ? 8 : 4, exact: true })
  const y = createScale({ max: yMax, from: bottom, to: top, ticks: 6 })
  const [width, height] = isWide
    ? [WIDTH, bottom]
    : [NARROW, bottom + 10 + lines.length * BELOW_GAP]
  return (
    <svg viewBox={`0 0 ${width} ${height + 44}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      <Axes chart={chart} frame={frame} x={x} y={y} />
      <g class="bands">
        {lines.map(({ band = [], look }) =>
          band.length === 0 || look === null ? null : (
            <path class={look.colour} d={bandOf(band, x, y)} />
          ),
        )}
      </g>
      <g class="lines">
        {lines.toReversed().map((line) => (
          <>
            <CurveLine line={line} x={x} y={y} />
            <End line={line} x={x} y={y} />
          </>
        ))}
      </g>
      {isWide ? (
        <Labels lines={lines} frame={frame} x={x} y={y} />
      ) : (
        <LabelsBelow lines={lines} top={bottom + 62} />
      )}
    </svg>
  )
}

const NARROW_FRAME: Frame = { left: 40, right: NARROW - 14, top: 30, bottom: 270 }
const BELOW_GAP = 20

/** Leaves room for the labels on the right. */
function wideFrame(lines: readonly Line[]): Frame {
  const widest = Math.max(0, ...lines.map(({ name, value }) => cells(name) + 3 + cells(value)))
  const labels = LEADER + SWATCH + 8 + widest * CELL
  const height = Math.max(330, lines.length * LABEL_GAP)
  return { left: 48, right: WIDTH - labels, top: 30, bottom: 30 + height }
}

export function CurveLine({
  line: { name, look, strong, curve },
  x,
  y,
}: {
  readonly line: Line
  readonly x: Scale
  readonly y: Scale
}) {
  return (
    <path
      class={look === null ? 'mark' : `${look.colour}${strong ? ' strong' : ''}`}
      stroke-dasharray={look?.dash}
      d={pathOf(curve.points, x, y)}
    >
      <title>{name}</title>
    </path>
  )
}

/** A ring where the replays had ended. */
function End({ line, x, y }: { readonly line: Line; readonly x: Scale; readonly y: Scale }) {
  const { look, curve } = line
  const { endedAt = null } = curve
  if (look === null || endedAt === null || !(endedAt < x.max)) return null
  const height = heightAt(curve.points, endedAt)
  if (height === null) return null
  return (
    <circle class={look.colour} cx={short(x.place(endedAt))} cy={short(y.place(height))} r="3.4" />
  )
}

function Axes({
  chart,
  frame: { left, right, top, bottom },
  x,
  y,
}: {
  readonly chart: LineChartProps
  readonly frame: Frame
  readonly x: Scale
  readonly y: Scale
}) {
  return (
    <g class="axes">
      {y.ticks.map((tick) => (
        <g key={tick}>
          <path class="grid" d={`M${left} ${short(y.place(tick))}H${short(right)}`} />
          <text x={left - 7} y={short(y.place(tick) + 4)} text-anchor="end">
            {chart.showTick(tick, y.decimals)}
          </text>
        </g>
      ))}
      {x.ticks.map((tick) => (
        <g key={tick}>
          <path class="tick" d={`M${short(x.place(tick))} ${bottom}v5`} />
          <text x={short(x.place(tick))} y={bottom + 19} text-anchor="middle">
            {chart.showTick(tick, x.decimals)}
          </text>
        </g>
      ))}
      <path class="base" d={`M${left} ${bottom}H${short(right)}`} />
      <text class="axis-title" x={left} y={top - 14}>
        {chart.yTitle}
      </text>
      <text class="axis-title" x={short((left + right) / 2)} y={bottom + 38} text-anchor="middle">
        {chart.xTitle}
      </text>
    </g>
  )
}

function Labels({
  lines,
  frame: { right, top, bottom },
  x,
  y,
}: {
  readonly lines: readonly Line[]
  readonly frame: Frame
  readonly x: Scale
  readonly y: Scale
}) {
  const ended = lines.flatMap((line) => {
    const end = lastOf(line.curve.points, x, y)
    return end === null ? [] : [{ line, end }]
  })
  const frame = { gap: LABEL_GAP, from: top + 2, to: bottom - 2 }
  const wishes = ended.map(({ end }) => end.y)
  const places = spreadLabels(wishes, frame)
  const start = right + LEADER
  return (
    <g class="labels">
      {ended.map(({ line, end }, number) => {
        const at = short(places[number] ?? end.y)
        const kind = line.strong ? 'strong' : 'plain'
        const leader = `M${short(end.x + 2)} ${short(end.y)}L${short(right + 6)} ${short(end.y)}L${short(start - 6)} ${at}h4`
        return (
          <g key={line.name}>
            <path class="leader" d={leader} />
            <path
              class={`${line.look?.colour ?? 'mark'} ${kind}`}
              stroke-dasharray={line.look?.dash ?? '1 3'}
              d={`M${short(start)} ${at}h${SWATCH}`}
            />
            <text class={kind} x={short(start + SWATCH + 6)} y={at + 4}>
              {line.name}
            </text>
            <text class={`value ${kind}`} x={WIDTH - 4} y={at + 4} text-anchor="end">
              {line.value}
            </text>
          </g>
        )
      })}
    </g>
  )
}

/** A list of the lines, where there is no room beside them. */
function LabelsBelow({ lines, top }: { readonly lines: readonly Line[]; readonly top: number }) {
  const { left } = NARROW_FRAME
  return (
    <g class="labels">
      {lines.map((line, number) => {
        const at = top + number * BELOW_GAP
        const kind = line.strong ? 'strong' : 'plain'
        return (
          <g key={line.name}>
            <path
              class={`${line.look?.colour ?? 'mark'} ${kind}`}
              stroke-dasharray={line.look?.dash ?? '1 3'}
              d={`M${left} ${at}h${SWATCH}`}
            />
            <text class={kind} x={left + SWATCH + 6} y={at + 4}>
              {line.name}
            </text>
            <text class={`value ${kind}`} x={NARROW - 14} y={at + 4} text-anchor="end">
              {line.value}
            </text>
          </g>
        )
      })}
    </g>
  )
}

function pathOf(points: readonly Value[], x: Scale, y: Scale): string {
  let pen = 'M'
  let path = ''
  for (let at = 0; at < points.length; at += 2) {
    const [across, up] = [points[at] ?? null, points[at + 1] ?? null]
    if (across === null || up === null) pen = 'M'
    else {
      path += `${pen}${short(x.place(across))} ${short(y.place(up))}`
      pen = 'L'
    }
  }
  return path
}

/** Along the low ends, and back along the high ones. */
function bandOf(band: readonly Value[], x: Scale, y: Scale): string {
  const low: string[] = []
  const high: string[] = []
  for (let at = 0; at < band.length; at += 3) {
    const across = short(x.place(band[at] ?? 0))
    low.push(`${across} ${short(y.place(band[at + 1] ?? 0))}`)
    high.push(`${across} ${short(y.place(band[at + 2] ?? 0))}`)
  }
  return `M${[...low, ...high.toReversed()].join('L')}Z`
}

function lastOf(points: readonly Value[], x: Scale, y: Scale): Point | null {
  const [across, up] = [points.at(-2) ?? null, points.at(-1) ?? null]
  return across === null || up === null ? null : { x: x.place(across), y: y.place(up) }
}

/** Between two points the value is on a straight line. */
function heightAt(points: readonly Value[], wanted: number): number | null {
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] ?? null, points[at + 1] ?? null]
    if (x === null || y === null || x < wanted) continue
    const [before, from] = [points[at - 2] ?? null, points[at - 1] ?? null]
    if (before === null || from === null || x === before) return y
    return from + ((y - from) * (wanted - before)) / (x - before)
  }
  return null
}

/** A tenth of a pixel is finer than any screen draws. */
export function short(value: number): number {
  return Math.round(value * 10) / 10
}

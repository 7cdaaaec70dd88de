// The figures of an experiment: curves with their confidence intervals, and bars.
import type { VNode } from 'preact'
import type { ReportFigure } from '../../experiment/report-data.ts'
import { formatDecimal } from '../format.ts'
import { BarChart } from './bar-chart.tsx'
import type { PictureWidth } from './both-widths.tsx'
import { lookOf } from './chart-parts.ts'
import { LineChart } from './line-chart.tsx'
import { shortName, showTick } from './report-words.tsx'

export function experimentFigure(figure: ReportFigure, width: PictureWidth): VNode {
  return figure.bars.length > 0 ? bars(figure, width) : lines(figure, width)
}

function lines(figure: ReportFigure, width: PictureWidth): VNode {
  const { name: id, title, xTitle, yTitle, xMax, yMax, digits } = figure
  const shown = figure.lines.map(({ name, points, band, end }, place) => ({
    ...{ name: shortName(name), look: lookOf(place), strong: false, band },
    value: formatDecimal(end, digits),
    curve: { points, end },
  }))
  return LineChart({ id, title, xTitle, yTitle, xMax, yMax, lines: shown, width, showTick })
}

function bars(figure: ReportFigure, width: PictureWidth): VNode {
  const { name: id, title, xTitle: axis, digits } = figure
  const shown = figure.bars.map(({ name, mean, half, values }, place) => ({
    ...{ name: shortName(name), look: lookOf(place), strong: false, mean, half },
    value: `${formatDecimal(mean, digits)}${half === null ? '' : ` ± ${formatDecimal(half, digits)}`}`,
    topics: values.length < 2 ? [] : values.map((value, at) => ({ name: String(at + 1), value })),
  }))
  return BarChart({ id, title, axis, bars: shown, width, showTick })
}

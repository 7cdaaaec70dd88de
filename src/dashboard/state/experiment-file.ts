// The figures in a file that `jelajah experiment` wrote (experiment.json). The reader may choose any file, so all of
// it is checked.
import type { ReportFigure, Value } from '../../experiment/report-data.ts'

const MAX_FIGURES = 200

/** Empty if it is no such file. */
export function figuresIn(text: string): readonly ReportFigure[] {
  const file = parsed(text)
  const report = fieldsOf(file.report)
  if (file.format !== 'jelajah-experiment' || !Array.isArray(report.figures)) return []
  return report.figures.slice(0, MAX_FIGURES).map((figure, at) => figureOf(fieldsOf(figure), at))
}

type Fields = Readonly<Record<string, unknown>>

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function figureOf(figure: Fields, at: number): ReportFigure {
  const list = (value: unknown): readonly Fields[] =>
    Array.isArray(value) ? value.map(fieldsOf) : []
  return {
    // Two of one name could not be told apart.
    name: `figure-${at + 1}`,
    title: textOf(figure.title),
    xTitle: textOf(figure.xTitle),
    yTitle: textOf(figure.yTitle),
    xMax: numberOf(figure.xMax) ?? 1,
    yMax: numberOf(figure.yMax) ?? 1,
    digits: Math.min(4, Math.max(0, Math.round(numberOf(figure.digits) ?? 1))),
    lines: list(figure.lines).map((line) => ({
      name: textOf(line.name),
      points: valuesOf(line.points),
      band: valuesOf(line.band),
      end: numberOf(line.end),
    })),
    bars: list(figure.bars).map((bar) => ({
      ...{ name: textOf(bar.name), mean: numberOf(bar.mean), half: numberOf(bar.half) },
      values: valuesOf(bar.values).filter((value) => value !== null),
    })),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): Value {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function valuesOf(value: unknown): readonly Value[] {
  return Array.isArray(value) ? value.map(numberOf) : []
}

// The report of an experiment as one self-contained HTML file, and its figures as SVG. The dashboard's own code
// draws both.
import { VERSION } from '../core/version.ts'
import { figureDrawer, savedPage } from '../lib/built-pages.ts'
import { safeText } from '../lib/terminal.ts'
import type { DoneCell, Plan, PlanWeb } from './experiment.ts'
import { columnName, digitsOf, factorName, measureName, partName } from './measure-words.ts'
import type { ExperimentReport, ReportFigure, Value } from './report-data.ts'
import { figuresOf, type Labels, type ResultFigure } from './results.ts'
import { shownTables } from './shown-tables.ts'
import type { MeanCurve } from './statistics.ts'

type ReportInput = {
  readonly plan: Plan
  readonly cells: readonly DoneCell[]
  readonly language: ExperimentReport['language']
  readonly command: string
  /** Null for simulated crawls. */
  readonly machine: string | null
}

/** Null if the dashboard is not built. */
export function drawExperiment(report: ExperimentReport): string | null {
  return savedPage('experiment', report)
}

/** File name → SVG; empty if the dashboard is not built. */
export async function drawFigures(report: ExperimentReport): Promise<Map<string, string>> {
  const draw = await figureDrawer()
  if (draw === null) return new Map()
  return new Map(report.figures.map((figure) => [figure.name, draw(figure, report.language)]))
}

const MAX_NOTES = 50
/** More bands would hide the lines; curves.csv has what they are made of. */
const MAX_BANDS = 6

export function experimentReport(input: ReportInput): ExperimentReport {
  const { plan, cells, language } = input
  const figures = figuresOf(plan, cells)
  const cut = figures.flatMap((figure) => omittedIn(figure, language))
  const notes = cells.flatMap(({ cell, result }) =>
    result.notes.map((note) => safeText(`${nameOf(cell.labels)}: ${note}`)),
  )
  return {
    ...{ language, version: VERSION, machine: input.machine, kind: plan.kind },
    ...{
      title: safeText(plan.title),
      about: safeText(plan.about),
      web: safeText(webText(plan.web)),
    },
    command: safeText(input.command),
    repeats: plan.repeats,
    seeds: Array.from({ length: plan.repeats }, (_, at) => plan.seed + at),
    cells: cells.length,
    factors: plan.factors.map(({ name, levels }) => ({
      name: safeText(factorName(name, language)),
      levels: levels.map(({ label }) => safeText(label)),
    })),
    figures: figures.map((figure) => shownFigure(figure, language)),
    tables: shownTables(plan, cells, language),
    maps: cells.flatMap(({ cell, result }) =>
      result.maps.length === 0 ? [] : [{ label: nameOf(cell.labels), files: result.maps }],
    ),
    notes: [...new Set([...cut, ...notes])].slice(0, MAX_NOTES),
  }
}

function omittedIn(
  { plan, omitted, lines, bars }: ResultFigure,
  language: ExperimentReport['language'],
): string[] {
  if (omitted === 0) return []
  const shown = lines.length + bars.length
  const title = safeText(plan.title)
  return language === 'id'
    ? [`${title}: ${shown} yang pertama digambar, ${omitted} tidak; semuanya ada di tabel`]
    : [`${title}: the first ${shown} are drawn, ${omitted} are not; the tables have all`]
}

function nameOf(labels: Labels): string {
  return safeText(Object.values(labels).join(', '))
}

function webText(web: PlanWeb): string {
  if (web.from === 'sample') return `sample web "${web.sample}"`
  if (web.from === 'hosts') return `sample web of ${web.pages} pages on ${web.hosts} hosts`
  if (web.from === 'data') return `stored crawl ${web.crawl ?? ''} in ${web.data}`
  return web.seeds.slice(0, 5).join(', ')
}

const X_WORDS: Readonly<Record<ExperimentReport['language'], Readonly<Record<string, string>>>> = {
  en: { s: 'seconds', '% of pages': 'pages fetched, % of all', pages: 'pages fetched' },
  id: { s: 'detik', '% of pages': 'halaman diambil, % dari semua', pages: 'halaman diambil' },
}

function shownFigure(
  { plan, xUnit, yUnit, lines, bars }: ResultFigure,
  language: ExperimentReport['language'],
): ReportFigure {
  const most = yUnit === '%' ? 100 : Number.POSITIVE_INFINITY
  const ys = lines.flatMap(({ curve }) => [...curve.y, ...curve.high])
  const highs = bars.map(({ mean, half }) => mean + (Number.isFinite(half) ? half : 0))
  const measure = plan.bars?.measure ?? plan.curve
  return {
    ...{ name: plan.name, title: safeText(plan.title), digits: digitsOf({ measure }) },
    xTitle:
      plan.bars === null
        ? (X_WORDS[language][xUnit] ?? xUnit)
        : barTitle(plan.bars, xUnit, language),
    yTitle: plan.bars === null ? lineTitle(plan, yUnit, language) : '',
    xMax: Math.max(0, ...lines.map(({ curve }) => curve.x.at(-1) ?? 0)),
    yMax: Math.min(most, Math.max(0, ...highs, ...ys.map((y) => y ?? 0))),
    lines: lines.map(({ labels, curve }) => {
      const line = drawn(curve, most)
      const band = lines.length > MAX_BANDS ? [] : line.band
      return { name: nameOf(labels), ...line, band }
    }),
    bars: bars.map(({ labels, mean, half, values }) => ({
      ...{ name: nameOf(labels), values, mean: short(mean), half: short(half) },
    })),
  }
}

function lineTitle(
  { curve, of }: ResultFigure['plan'],
  unit: string,
  language: ExperimentReport['language'],
): string {
  const part = of === '' ? '' : `, ${partName(of, language)}`
  return `${measureName(curve, language)}${part}${unit === 'pages' ? '' : ` (${unit})`}`
}

function barTitle(
  ref: NonNullable<ResultFigure['plan']['bars']>,
  unit: string,
  language: ExperimentReport['language'],
): string {
  const { head, sub } = columnName(ref, language)
  return `${head}${sub === '' ? '' : `, ${sub}`}${unit === 'pages' ? '' : ` (${unit})`}`
}

/** Four digits are finer than any screen. */
function short(value: number | null): Value {
  return value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(4))
}

/** No share is above 100 %. */
function drawn({ x, y, low, high }: MeanCurve, most: number) {
  const points = x.flatMap((place, at) => {
    const height = y[at] ?? null
    return height === null ? [null, null] : [short(place), short(height)]
  })
  const hasBand = low.some((value) => value !== null)
  const band = x.flatMap((place, at): Value[] => {
    const ends = [low[at] ?? null, high[at] ?? null].map((end) => end && Math.min(end, most))
    return ends.includes(null) ? [] : [short(place), ...ends.map(short)]
  })
  const end = y.findLast((value) => value !== null) ?? null
  return { points: withoutLastGap(points), band: hasBand ? band : [], end: short(end) }
}

/** Labels stand at the last point, which must be one. */
function withoutLastGap(points: readonly Value[]): readonly Value[] {
  const last = points.findLastIndex((value) => value !== null)
  return points.slice(0, last + 1)
}

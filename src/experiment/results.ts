// The results of all cells together: grouped by the levels of factors, averaged, compared with the baseline.
import {
  type DoneCell,
  type FigurePlan,
  type MeasuredCurve,
  type MeasureRef,
  type Plan,
  refText,
  type TablePlan,
  type Value,
} from './experiment.ts'
import {
  type Interval,
  intervalOf,
  type MeanCurve,
  meanCurve,
  pairedDifference,
} from './statistics.ts'

export type Labels = Readonly<Record<string, string>>

/** Cells that agree in some factors. */
export type Group = { readonly labels: Labels; readonly cells: readonly DoneCell[] }

/** In the order of the grid. */
export function groupBy(cells: readonly DoneCell[], factors: readonly string[]): Group[] {
  const groups = Map.groupBy(cells, ({ cell }) =>
    JSON.stringify(factors.map((name) => cell.labels[name] ?? '')),
  )
  return [...groups.values()].map((own) => ({
    labels: Object.fromEntries(factors.map((name) => [name, own[0]?.cell.labels[name] ?? ''])),
    cells: own,
  }))
}

/** Factors with more than one level; the only factor if none has. */
function variedFactors({ factors }: Pick<Plan, 'factors'>): string[] {
  const varied = factors.filter(({ levels }) => levels.length > 1)
  return (varied.length > 0 ? varied : factors.slice(0, 1)).map(({ name }) => name)
}

/** All measures, in the order in which cells have them, with their units. */
export function measuresOf(cells: readonly DoneCell[]): (MeasureRef & { readonly unit: string })[] {
  const found = new Map<string, MeasureRef & { readonly unit: string }>()
  for (const { result } of cells) {
    for (const { value: _value, ...ref } of result.measures) {
      const key = refText(ref)
      if (!found.has(key)) found.set(key, ref)
    }
  }
  return [...found.values()]
}

function measuredValue({ result }: DoneCell, wanted: MeasureRef): Value {
  const found = result.measures.find(
    ({ measure, of, at }) => measure === wanted.measure && of === wanted.of && at === wanted.at,
  )
  return found?.value ?? null
}

type Summarised = Interval & {
  /** To the baseline, over pairs of cells that differ in nothing else; null where there is none. */
  readonly difference: Interval | null
}

/** A measure over the cells of a group. */
export function summarise(group: Group, ref: MeasureRef, baselines: Baselines): Summarised {
  const own = intervalOf(group.cells.map((cell) => measuredValue(cell, ref)))
  const pairs = group.cells.flatMap((cell): [Value, Value][] => {
    const other = baselines.of(cell)
    return other === undefined || other === cell
      ? []
      : [[measuredValue(cell, ref), measuredValue(other, ref)]]
  })
  return { ...own, difference: pairs.length === 0 ? null : pairedDifference(pairs) }
}

/** Which cell another one is compared with. */
export class Baselines {
  readonly #baseline: Labels
  readonly #names: readonly string[]
  readonly #cells: ReadonlyMap<string, DoneCell>

  constructor({ baseline, factors }: Pick<Plan, 'baseline' | 'factors'>, all: readonly DoneCell[]) {
    this.#baseline = baseline
    this.#names = factors.map(({ name }) => name)
    this.#cells = new Map(all.map((done) => [placeOf(done.cell, this.#names), done]))
  }

  /** The cell that differs from it in nothing but the baseline; undefined if there is none. */
  of({ cell }: DoneCell): DoneCell | undefined {
    if (Object.keys(this.#baseline).length === 0) return undefined
    const labels = { ...cell.labels, ...this.#baseline }
    return this.#cells.get(placeOf({ ...cell, labels }, this.#names))
  }
}

/** The same for cells with the same repeat and the same levels of these factors. */
function placeOf({ labels, repeat }: DoneCell['cell'], names: readonly string[]): string {
  return JSON.stringify([repeat, ...names.map((name) => labels[name] ?? '')])
}

type TableCell = Summarised & { readonly isBest: boolean }
type TableColumn = MeasureRef & {
  readonly unit: string
  /** The level of the factor that columns are grouped by; null: there is none. */
  readonly level: string | null
}
export type ResultTable = {
  readonly plan: TablePlan
  readonly columns: readonly TableColumn[]
  readonly rows: readonly { readonly labels: Labels; readonly cells: readonly TableCell[] }[]
}

/** Columns of a table that no plan describes, where they were measured. */
const USUAL_COLUMNS = [
  ...['pages', 'pages_per_second', 'virtual_pages_per_second', 'harvest', 'nauc20', 'jain'],
  ...['p_cs', 'p_st', 'p_bc', 'cpu_ms_per_page', 'memory_peak', 'stage_ms'],
]
const MAX_USUAL_COLUMNS = 12

export function tablesOf(plan: Plan, cells: readonly DoneCell[]): ResultTable[] {
  return (plan.tables ?? usualTables(plan, cells)).map((table) => tableOf(plan, table, cells))
}

function usualTables(plan: Plan, cells: readonly DoneCell[]): TablePlan[] {
  const usual = measuresOf(cells).filter(({ measure }) => USUAL_COLUMNS.includes(measure))
  const columns = usual.slice(0, MAX_USUAL_COLUMNS)
  const rows = variedFactors(plan)
  return [{ name: 'results', title: plan.title, rows, across: null, columns }]
}

function tableOf(plan: Plan, table: TablePlan, cells: readonly DoneCell[]): ResultTable {
  const known = new Map(measuresOf(cells).map((ref) => [refText(ref), ref.unit]))
  const levels =
    table.across === null
      ? [null]
      : groupBy(cells, [table.across]).map(({ labels }) => labels[table.across ?? ''] ?? '')
  const columns: TableColumn[] = levels.flatMap((level) =>
    table.columns.map((ref) => ({ ...ref, unit: known.get(refText(ref)) ?? '', level })),
  )
  const baselines = new Baselines(plan, cells)
  const rows = groupBy(cells, table.rows).map(({ labels, cells: own }) => ({
    labels,
    groups: columns.map(({ level }) => {
      const isIn = ({ cell }: DoneCell) => cell.labels[table.across ?? ''] === level
      return { labels, cells: level === null ? own : own.filter(isIn) }
    }),
  }))
  const others = plan.factors.map(({ name }) => name).filter((name) => !table.rows.includes(name))
  const best = columns.map((column, at) =>
    bestOf(
      column,
      rows.map(({ groups }) => groups[at]?.cells ?? []),
      others,
    ),
  )
  return {
    ...{ plan: table, columns },
    rows: rows.map(({ labels, groups }, row) => ({
      labels,
      cells: groups.map((group, at) => ({
        ...summarise(group, columns[at] ?? NO_MEASURE, baselines),
        isBest: best[at]?.has(row) === true,
      })),
    })),
  }
}

const NO_MEASURE: MeasureRef = { measure: '', of: '', at: '' }

/** Lower is better for what costs something; nothing is best where it is no merit. */
const COSTS = [
  ...['cpu_ms_per_page', 'memory_peak', 'memory_mean', 'memory_per_worker', 'stage_ms'],
  ...['virtual_seconds', 'failed'],
]
const NO_MERIT = [
  ...['reachable', 'seconds', 'cpu_cores', 'cpu_per_worker', 'queued', 'bytes', 'hosts'],
]

/**
 * The row with the best mean, and the next ones as long as their difference from it may be chance: the confidence
 * interval of the difference, pair by pair, has 0 in it. None if that is all of them.
 */
function bestOf(
  ref: MeasureRef,
  rows: readonly (readonly DoneCell[])[],
  others: readonly string[],
): ReadonlySet<number> {
  if (NO_MERIT.includes(ref.measure)) return new Set()
  const sign = COSTS.includes(ref.measure) ? -1 : 1
  const known = rows
    .map((cells, row) => ({ row, cells, mean: sign * meanValue(cells, ref) }))
    .filter(({ mean }) => Number.isFinite(mean))
  const [first, ...rest] = known.toSorted((a, b) => b.mean - a.mean || a.row - b.row)
  if (first === undefined) return new Set()
  const values = new Map(first.cells.map((done) => [placeOf(done.cell, others), done]))
  const differs = rest.findIndex(({ cells, mean }) => {
    const pairs = cells.map((done): [Value, Value] => {
      const other = values.get(placeOf(done.cell, others))
      return [measuredValue(done, ref), other === undefined ? null : measuredValue(other, ref)]
    })
    const difference = pairedDifference(pairs)
    return mean !== first.mean && !(Math.abs(difference.mean) <= difference.half)
  })
  if (differs < 0) return new Set()
  return new Set([first, ...rest.slice(0, differs)].map(({ row }) => row))
}

function meanValue(cells: readonly DoneCell[], ref: MeasureRef): number {
  return intervalOf(cells.map((cell) => measuredValue(cell, ref))).mean
}

type FigureLine = { readonly labels: Labels; readonly curve: MeanCurve }
type FigureBar = Interval & { readonly labels: Labels; readonly values: readonly number[] }
/** Lines or bars; the other list is empty. */
export type ResultFigure = {
  readonly plan: FigurePlan
  readonly xUnit: string
  readonly yUnit: string
  readonly lines: readonly FigureLine[]
  readonly bars: readonly FigureBar[]
  /** How many groups it leaves out: more cannot be told apart. */
  readonly omitted: number
}

type DrawnFigure = Omit<ResultFigure, 'omitted'>

/** What a figure consists of: lines or bars. */
const MAX_LINES = 28

/** What was not measured is left out. */
export function figuresOf(plan: Plan, cells: readonly DoneCell[]): ResultFigure[] {
  const figures = plan.figures ?? usualFigures(plan, cells)
  return figures
    .map((figure) => {
      const all = groupBy(cells, figure.lines)
      const groups = all.slice(0, MAX_LINES)
      const drawn =
        figure.bars === null ? lineFigure(figure, groups) : barFigure(figure, groups, figure.bars)
      return { ...drawn, omitted: all.length - groups.length }
    })
    .filter(({ lines, bars }) => lines.length + bars.length > 0)
}

function lineFigure(plan: FigurePlan, groups: readonly Group[]): DrawnFigure {
  const found = groups.flatMap(({ labels, cells }) => {
    const curves = cells.flatMap((cell) => curveOf(cell, plan) ?? [])
    return curves.length === 0 ? [] : [{ labels, curves }]
  })
  const { xUnit = '', yUnit = '' } = found[0]?.curves[0] ?? {}
  const lines = found.map(({ labels, curves }) => ({ labels, curve: meanCurve(curves) }))
  return { plan, xUnit, yUnit, lines, bars: [] }
}

function barFigure(plan: FigurePlan, groups: readonly Group[], ref: MeasureRef): DrawnFigure {
  const bars = groups.flatMap(({ labels, cells }) => {
    const values = cells.flatMap((cell) => measuredValue(cell, ref) ?? [])
    return values.length === 0 ? [] : [{ labels, values, ...intervalOf(values) }]
  })
  const [first] = groups.flatMap(({ cells }) => measuresOf(cells)).filter(isSame(ref))
  return { plan, xUnit: first?.unit ?? '', yUnit: '', lines: [], bars }
}

function isSame(wanted: MeasureRef): (ref: MeasureRef) => boolean {
  return (ref) => refText(ref) === refText(wanted)
}

function curveOf({ result }: DoneCell, figure: FigurePlan): MeasuredCurve | undefined {
  return result.curves.find(({ curve, of }) => curve === figure.curve && of === figure.of)
}

function usualFigures(plan: Plan, cells: readonly DoneCell[]): FigurePlan[] {
  const found = new Map<string, FigurePlan>()
  for (const { result } of cells) {
    for (const { curve, of } of result.curves) {
      const text = of === '' ? curve : `${curve}/${of}`
      const name = text.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
      found.set(text, { name, title: text, bars: null, curve, of, lines: variedFactors(plan) })
    }
  }
  return [...found.values()]
}

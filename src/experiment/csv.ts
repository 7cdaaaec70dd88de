// Results as tidy CSV: one row per value, and a column for each factor, so that other programs can group and
// plot them as they like.
import { csvCell } from '../export/csv.ts'
import type { DoneCell, Plan, Value } from './experiment.ts'
import { Baselines, type Group, groupBy, measuresOf, summarise } from './results.ts'

type Field = string | Value

/** One row per cell and measure. */
export function cellsCsv(plan: Plan, cells: readonly DoneCell[]): string {
  const head = ['cell', ...names(plan), 'repeat', 'seed', 'measure', 'of', 'at', 'value', 'unit']
  const rows = cells.flatMap(({ cell, result }) =>
    result.measures.map(({ measure, of, at, value, unit }) => [
      ...[cell.number, ...labels(plan, cell.labels), cell.repeat + 1, cell.seed],
      ...[measure, of, at, value, unit],
    ]),
  )
  return csv(head, rows)
}

/** One row per cell, curve and point. */
export function curvesCsv(plan: Plan, cells: readonly DoneCell[]): string {
  const ends = ['curve', 'of', 'x', 'y', 'x_unit', 'y_unit']
  const rows = cells.flatMap(({ cell, result }) =>
    result.curves.flatMap(({ curve, of, x, y, xUnit, yUnit }) =>
      x.map((place, at) => [
        ...[cell.number, ...labels(plan, cell.labels), cell.repeat + 1, cell.seed],
        ...[curve, of, place, y[at] ?? null, xUnit, yUnit],
      ]),
    ),
  )
  return csv(['cell', ...names(plan), 'repeat', 'seed', ...ends], rows)
}

/** One row per combination of levels and measure: the mean over repeats, and its 95 % confidence interval. */
export function summaryCsv(plan: Plan, cells: readonly DoneCell[]): string {
  const ends = ['measure', 'of', 'at', 'unit', 'n', 'mean', 'deviation', 'ci_low', 'ci_high']
  const difference = ['difference', 'difference_ci_low', 'difference_ci_high']
  const measures = measuresOf(cells)
  const groups = groupBy(cells, names(plan))
  const baselines = new Baselines(plan, cells)
  const rows = groups.flatMap((group: Group) =>
    measures.map((ref) => {
      const { mean, half, deviation, count, difference } = summarise(group, ref, baselines)
      return [
        ...labels(plan, group.labels),
        ...[ref.measure, ref.of, ref.at, ref.unit, count],
        ...[mean, deviation, mean - half, mean + half],
        difference?.mean ?? null,
        difference === null ? null : difference.mean - difference.half,
        difference === null ? null : difference.mean + difference.half,
      ]
    }),
  )
  return csv([...names(plan), ...ends, ...difference], rows)
}

/** One row per cell and site. */
export function sitesCsv(plan: Plan, cells: readonly DoneCell[]): string {
  const ends = ['host', 'seed_position', 'size', 'size_position', 'pages', 'half_at_seconds']
  const rows = cells.flatMap(({ cell, result }) => {
    const bySize = result.sites.toSorted((a, b) => b.size - a.size)
    return result.sites.map((site) => [
      ...[cell.number, ...labels(plan, cell.labels), cell.repeat + 1, cell.seed],
      ...[site.host, site.seedPosition, site.size, bySize.indexOf(site) + 1, site.pages],
      site.halfAt,
    ])
  })
  return csv(['cell', ...names(plan), 'repeat', 'seed', ...ends], rows)
}

function names({ factors }: Plan): string[] {
  return factors.map(({ name }) => name)
}

function labels(plan: Plan, of: Readonly<Record<string, string>>): string[] {
  return names(plan).map((name) => of[name] ?? '')
}

function csv(head: readonly string[], rows: readonly (readonly Field[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

/** Six digits: no figure has more that mean something. */
function cellText(value: Field): string {
  if (typeof value === 'string') return csvCell(value, 'text', true)
  if (value === null || !Number.isFinite(value)) return ''
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)))
}

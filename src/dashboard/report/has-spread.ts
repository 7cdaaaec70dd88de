import type { ReportFigure, ShownTable } from '../../experiment/report-data.ts'

/** Whether it shows confidence intervals: a list of sites has none, however many repeats there were. */
export function figureHasSpread({ lines, bars }: Pick<ReportFigure, 'lines' | 'bars'>): boolean {
  return lines.some(({ band }) => band.length > 0) || bars.some(({ half }) => half !== null)
}

export function tableHasSpread(table: Pick<ShownTable, 'rows'>): boolean {
  return cellsOf(table).some(({ half }) => half !== null)
}

export function tableHasBest(table: Pick<ShownTable, 'rows'>): boolean {
  return cellsOf(table).some(({ isBest }) => isBest)
}

function cellsOf({ rows }: Pick<ShownTable, 'rows'>): ShownTable['rows'][number]['cells'] {
  return rows.flatMap(({ cells }) => cells)
}

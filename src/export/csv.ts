// Comma-separated values by RFC 4180 in UTF-8, with a header: for spreadsheets, DuckDB and pandas.
import type { WholePage } from '../store/whole-pages.ts'
import { type Column, PAGE_COLUMNS, partColumns, rowsOfPart } from './columns.ts'
import { csvCell } from './csv-cell.ts'
import { type ExportChoices, type Exporter, STEP_NAMES, WHATS } from './exporter.ts'
import { type LineFile, lineOutput, namesOf, needsOf, writeLineFiles } from './line-files.ts'

export const csv: Exporter = {
  name: 'csv',
  about: 'comma-separated values with a header, safe to open in a spreadsheet',
  ends: ['csv'],
  whats: WHATS,
  takes: ['gzip', 'duplicates', 'formulaGuard'],
  steps: STEP_NAMES,
  output: lineOutput,
  async write(job) {
    const names = namesOf(job.choices.what)
    const files = names.map((name) => fileOf(name, job.choices))
    await writeLineFiles(job, files, { extension: 'csv', needs: needsOf(names) })
  },
}

function fileOf(name: LineFile['name'], { formulaGuard }: ExportChoices): LineFile {
  if (name === 'pages') {
    const linesOf = (page: WholePage) => [line(PAGE_COLUMNS, page, formulaGuard)]
    return { name, head: headOf(PAGE_COLUMNS), linesOf }
  }
  const columns = partColumns(name)
  return {
    name,
    head: headOf(columns),
    linesOf: (page) => rowsOfPart(page, name).map((row) => line(columns, row, formulaGuard)),
  }
}

function headOf<R>(columns: readonly Column<R>[]): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`
}

function line<R>(columns: readonly Column<R>[], row: R, guarded: boolean): string {
  return `${columns.map(({ type, of }) => csvCell(of(row), type, guarded)).join(',')}\r\n`
}

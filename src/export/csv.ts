// Comma-separated values by RFC 4180 in UTF-8, with a header: for spreadsheets, DuckDB and pandas.
import type { WholePage } from '../store/page-reader.ts'
import { type Column, type ColumnType, pageColumns, partColumns, rowsOfPart } from './columns.ts'
import { type ExportChoices, type Exporter, STEP_NAMES, WHATS } from './exporter.ts'
import { type LineFile, lineOutput, namesOf, needsOf, writeLineFiles } from './ndjson.ts'

export const csv: Exporter = {
  name: 'csv',
  about: 'comma-separated values with a header, safe to open in a spreadsheet',
  ends: ['csv'],
  whats: WHATS,
  takes: ['gzip', 'duplicates', 'formulaGuard', 'clusters', 'split'],
  steps: STEP_NAMES,
  output: lineOutput,
  async write(job) {
    const names = namesOf(job.choices.what)
    const files = names.map((name) => fileOf(name, job.choices))
    await writeLineFiles(job, files, { extension: 'csv', needs: needsOf(names) })
  },
}

function fileOf(
  name: LineFile['name'],
  { formulaGuard, clusters = false }: ExportChoices,
): LineFile {
  if (name === 'pages') {
    const columns = pageColumns(clusters)
    const linesOf = (page: WholePage) => [line(columns, page, formulaGuard)]
    return { name, head: headOf(columns), linesOf }
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

/**
 * A spreadsheet evaluates a cell that begins with one of these, also in their full-width forms, and may do so
 * after white space and quotes. Some split a cell that begins with a control character.
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\u0000-\u001f\u00a0\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"'`\u2018-\u201f\u00ab\u00bb\uff02\uff07]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b])/

/** True for texts that a spreadsheet would not show unchanged. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text)
}

/** `guarded`: put an apostrophe before anything that a spreadsheet would evaluate. */
export function csvCell(value: unknown, type: ColumnType, guarded: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return numberCell(value, type)
  if (typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Few CSV readers accept a NUL.
  const plain = text.replaceAll('\0', '\ufffd')
  const shown = guarded && isFormula(plain) ? `'${plain}` : plain
  return `"${shown.replaceAll('"', '""')}"`
}

function numberCell(value: number, type: ColumnType): string {
  if (!Number.isFinite(value)) return ''
  return type === 'time' ? timeCell(value) : String(value)
}

/** ISO 8601 in UTC; '' for a time outside the calendar. */
function timeCell(epochMs: number): string {
  const time = new Date(epochMs)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

// What tags of tables say that the outline does not keep: cells that span others, and tables that
// only lay out a page.
import type { Outline } from '../content/outline.ts'
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'

/** More columns than anybody reads; the standard allows 1000. */
export const MAX_COLUMNS = 100
/** As the standard has it: to the end of the table. */
const MAX_ROWS = 65_534

export type CellSpan = { readonly columns: number; readonly rows: number }
const ONE: CellSpan = { columns: 1, rows: 1 }

export class TableMarks {
  readonly #spans = new Map<number, CellSpan>()
  readonly #layouts = new Set<number>()

  /** The start tag of a table or a cell, which the outline has just noted. */
  take(tag: HtmlScanner, { containers }: Outline): void {
    const row = containers.count - 1
    if (containers.element[row] !== tag.element) return
    if (tag.element === ELEMENT.table) {
      if (isForLayout(tag)) this.#layouts.add(row)
    } else if (tag.has(ATTRIBUTE.colspan) || tag.has(ATTRIBUTE.rowspan)) {
      const columns = count(tag.value(ATTRIBUTE.colspan), MAX_COLUMNS)
      const rows = count(tag.value(ATTRIBUTE.rowspan), MAX_ROWS)
      // A rowspan of 0 goes to the end of the table.
      this.#spans.set(row, { columns: columns || 1, rows: rows || MAX_ROWS })
    }
  }

  /** How far the cell in this row of the outline's containers goes. */
  span(row: number): CellSpan {
    return this.#spans.get(row) ?? ONE
  }

  isForLayout(row: number): boolean {
    return this.#layouts.has(row)
  }
}

function isForLayout(tag: HtmlScanner): boolean {
  if (!tag.has(ATTRIBUTE.role)) return false
  const role = tag.value(ATTRIBUTE.role).trim().toLowerCase()
  return role === 'presentation' || role === 'none'
}

/** 1 when it is no number. */
function count(value: string, max: number): number {
  const digits = /^\s*\+?(\d+)/.exec(value.slice(0, 32))?.[1]
  return digits === undefined ? 1 : Math.min(Number(digits), max)
}

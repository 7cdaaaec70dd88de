// The data tables of a page, read from its outline: caption, headers, rows. A cell that spans
// others is repeated in each of them, so that every row has the same columns. Layout tables are
// left out; a table within a cell is a row of its own.
import type { Outline } from '../content/outline.ts'
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { TextPieces } from './text-pieces.ts'

/** Per page, with spanned cells counted each time. */
const MAX_CELLS = 10_000
const MAX_CHARACTERS = 300_000
const MAX_CELL = 500
const MAX_CAPTION = 500
/** A longer cell is prose, unless the table has headers. */
const MAX_BARE_CELL_BYTES = 600
/** Further rows are data, whatever their element. */
const MAX_HEADER_ROWS = 4

/** A row of the `tables` part. */
type TableRow = {
  readonly caption: string
  /** One per column; empty without headers. */
  readonly headers: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

type Cell = { readonly from: number; readonly to: number; readonly span: CellSpan }
type Line = { readonly cells: Cell[]; isHead: boolean }
type Shape = { caption: string; readonly lines: Line[]; isMarked: boolean; isLayout: boolean }

/** Page structure elements: a cell that contains them is not data. */
const PARTS_OF_PAGES = new Set([
  ...[ELEMENT.h1, ELEMENT.h2, ELEMENT.h3, ELEMENT.h4, ELEMENT.h5, ELEMENT.h6],
  ...[ELEMENT.form, ELEMENT.nav, ELEMENT.article, ELEMENT.section, ELEMENT.header],
  ...[ELEMENT.footer, ELEMENT.aside, ELEMENT.main, ELEMENT.blockquote],
])

export class TableReader {
  readonly #outline: Outline
  readonly #marks: TableAttributes
  readonly #text: TextPieces
  /** Index of the last descendant of each container. */
  #last: Int32Array = new Int32Array(0)
  #cells = MAX_CELLS
  #characters = MAX_CHARACTERS
  /** Some tables are incomplete. */
  cut = false

  constructor(outline: Outline, marks: TableAttributes, text: TextPieces) {
    this.#outline = outline
    this.#marks = marks
    this.#text = text
  }

  read(): readonly TableRow[] {
    const { count } = this.#outline.containers
    const element = this.#outline.containers.element.subarray(0, count)
    const rows: TableRow[] = []
    let at = element.indexOf(ELEMENT.table)
    if (at >= 0) this.#last = lastWithin(this.#outline)
    while (at >= 0 && !this.#isFull()) {
      const table = this.#marks.isForLayout(at) ? null : this.#readOne(at)
      if (table !== null) rows.push(table)
      at = element.indexOf(ELEMENT.table, at + 1)
    }
    return rows
  }

  #isFull(): boolean {
    const isFull = this.#cells <= 0 || this.#characters <= 0
    if (isFull) this.cut = true
    return isFull
  }

  #readOne(table: number): TableRow | null {
    const shape = this.#shapeOf(table)
    if (!holdsData(shape)) return null
    this.#text.cut = false
    const grid = this.#gridOf(shape.lines)
    if (this.#text.cut) this.cut = true
    const heads = headCount(shape.lines)
    const rows = grid.slice(heads).filter((row) => row.some((cell) => cell !== ''))
    if (rows.length === 0) return null
    return { caption: shape.caption, headers: joined(grid.slice(0, heads)), rows }
  }

  /** The table's own rows and cells, without those of nested tables. */
  #shapeOf(table: number): Shape {
    const { element, parent, textFrom, textTo } = this.#outline.containers
    const shape: Shape = { caption: '', lines: [], isMarked: false, isLayout: false }
    const end = this.#last[table] ?? table
    for (let row = table + 1; row <= end; row++) {
      const name = element[row] ?? 0
      if (name === ELEMENT.table) {
        shape.isLayout = true
        row = this.#last[row] ?? row
      } else if (name === ELEMENT.tr) {
        const isHead = element[parent[row] ?? 0] === ELEMENT.thead
        shape.lines.push({ cells: [], isHead })
      } else if (name === ELEMENT.td || name === ELEMENT.th) this.#addCell(shape, row, name)
      else if (name === ELEMENT.caption) {
        shape.caption ||= this.#text.line(textFrom[row] ?? 0, textTo[row] ?? 0, MAX_CAPTION)
        shape.isMarked = true
      } else if (name === ELEMENT.thead) shape.isMarked = true
      else if (PARTS_OF_PAGES.has(name)) shape.isLayout = true
    }
    return shape
  }

  #addCell(shape: Shape, row: number, name: number): void {
    const { textFrom, textTo } = this.#outline.containers
    const line = shape.lines.at(-1) ?? { cells: [], isHead: true }
    if (shape.lines.length === 0) shape.lines.push(line)
    if (name === ELEMENT.th) {
      shape.isMarked = true
      if (line.cells.length === 0) line.isHead = true
    } else if (!this.#isInHead(row)) line.isHead = false
    const from = textFrom[row] ?? 0
    const to = textTo[row] ?? 0
    if (to - from > MAX_BARE_CELL_BYTES) shape.isLayout = true
    line.cells.push({ from, to, span: this.#marks.span(row) })
  }

  #isInHead(cell: number): boolean {
    const { element, parent } = this.#outline.containers
    return element[parent[parent[cell] ?? 0] ?? 0] === ELEMENT.thead
  }

  /** The texts, with spanning cells repeated in every position they cover. */
  #gridOf(lines: readonly Line[]): string[][] {
    const grid: string[][] = []
    const above: { text: string; rows: number }[] = []
    for (const { cells } of lines) {
      if (this.#isFull()) break
      const row: string[] = []
      const takeAbove = (): void => {
        for (let held = above[row.length]; held !== undefined && held.rows > 0; ) {
          held.rows--
          this.#put(row, held.text)
          held = above[row.length]
        }
      }
      for (const { from, to, span } of cells) {
        takeAbove()
        const text = this.#text.line(from, to, MAX_CELL)
        for (let column = 0; column < span.columns && row.length < MAX_COLUMNS; column++) {
          above[row.length] = { text, rows: span.rows - 1 }
          this.#put(row, text)
        }
      }
      takeAbove()
      if (row.length >= MAX_COLUMNS) this.cut = true
      grid.push(row)
    }
    return grid
  }

  #put(row: string[], text: string): void {
    this.#cells--
    this.#characters -= text.length
    row.push(this.#characters > 0 ? text : '')
  }
}

/** For each container the index of its last descendant; its own without any. */
function lastWithin({ containers }: Outline): Int32Array {
  const { count, parent } = containers
  const last = new Int32Array(count)
  for (let row = count - 1; row > 0; row--) {
    if (last[row] === 0) last[row] = row
    const around = parent[row] ?? 0
    // Rows are in page order, so the first one visited from the end is the last descendant.
    if (last[around] === 0) last[around] = last[row] ?? row
  }
  return last
}

function holdsData({ lines, isMarked, isLayout }: Shape): boolean {
  if (isLayout && !isMarked) return false
  let widest = 0
  for (const { cells } of lines) {
    let columns = 0
    for (const { span } of cells) columns += span.columns
    widest = Math.max(widest, columns)
  }
  const full = lines.filter(({ cells }) => cells.length > 1).length
  return widest > 1 && full >= (isMarked ? 1 : 2)
}

/** The number of header rows at the top. */
function headCount(lines: readonly Line[]): number {
  let heads = 0
  while (heads < MAX_HEADER_ROWS && lines[heads]?.isHead) heads++
  // A table of headers alone lists things; the first column names them.
  return heads === lines.length && heads > 1 ? 1 : heads
}

/** Headers in several rows: the distinct ones of a column, from top to bottom. */
function joined(rows: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = rows
  if (others.length === 0) return first
  const columns = Math.max(...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) => {
    const texts = rows.map((row) => row[column] ?? '').filter((text) => text !== '')
    return [...new Set(texts)].join(' / ')
  })
}

/** More columns than anybody reads; the standard allows 1000. */
const MAX_COLUMNS = 100
/** From the standard: to the end of the table. */
const MAX_ROWS = 65_534

type CellSpan = { readonly columns: number; readonly rows: number }
const ONE: CellSpan = { columns: 1, rows: 1 }

/** Attributes of tables that the outline does not keep: cells that span others, and layout tables. */
export class TableAttributes {
  readonly #spans = new Map<number, CellSpan>()
  readonly #layouts = new Set<number>()

  /** The start tag of a table or a cell that the outline has just added. */
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

  /** The span of the cell with this container index. */
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

/** 1 when it is not a number. */
function count(value: string, max: number): number {
  const digits = /^\s*\+?(\d+)/.exec(value.slice(0, 32))?.[1]
  return digits === undefined ? 1 : Math.min(Number(digits), max)
}

// The cells of a table's chosen rows: their pieces of text, their spans, and whether the first row
// has headers.
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { type HtmlScanner, MARKUP } from '../html/html-scanner.ts'
import type { Inlines, Piece } from './markdown-units.ts'
import { NODE_KIND, type PageStructure } from './page-structure.ts'

const MAX_SPAN = 100
const CELL = '\x1f'

export type CellPieces = {
  readonly pieces: readonly Piece[]
  readonly columns: number
  readonly rows: number
}

type Sources = {
  readonly reading: Pick<HtmlReading, 'outline' | 'text'>
  readonly form: PageStructure
  readonly inlines: Inlines
  /** Open on the page. */
  readonly scanner: HtmlScanner
}

/** Takes the blocks of one table, in order. */
export class TableRows {
  readonly #reading: Sources['reading']
  readonly #form: PageStructure
  readonly #inlines: Inlines
  readonly #scanner: HtmlScanner
  /** Pieces by the container of their cell, by the node of their row. */
  readonly #rows = new Map<number, Map<number, Piece[]>>()
  /** Where the search for the next cell continues. */
  #container = 0

  constructor({ reading, form, inlines, scanner }: Sources) {
    this.#reading = reading
    this.#form = form
    this.#inlines = inlines
    this.#scanner = scanner
  }

  add(block: number, row: number): void {
    const cells = this.#rows.get(row) ?? new Map<number, Piece[]>()
    this.#rows.set(row, cells)
    const touched = new Set<number>()
    for (const piece of this.#inlines.pieces.get(block) ?? this.#plainPieces(block, row)) {
      const pieces = cells.get(piece.cell) ?? []
      cells.set(piece.cell, pieces)
      // Blocks within a cell are lines of it.
      if (!touched.has(piece.cell) && pieces.length > 0) pieces.push(lineEnd(piece.cell))
      touched.add(piece.cell)
      pieces.push({ ...piece, text: piece.text.replaceAll(CELL, '') })
    }
  }

  /** Every cell of the added rows, including empty ones. */
  cells(): readonly (readonly CellPieces[])[] {
    return Array.from(this.#rows, ([row, byCell]) => {
      const cells = this.#cellsOf(row).map((cell) => {
        const pieces = byCell.get(cell) ?? []
        byCell.delete(cell)
        return { pieces, ...this.#spanOf(cell) }
      })
      // Text between the cells of a broken table.
      const strays = [...byCell.values()].map((pieces) => ({ pieces, columns: 1, rows: 1 }))
      return [...strays, ...cells]
    })
  }

  get isHeaded(): boolean {
    const { element, parent } = this.#reading.outline.containers
    const [first = 0] = this.#rows.keys()
    if (element[parent[this.#form.row[first] ?? 0] ?? 0] === ELEMENT.thead) return true
    return this.#cellsOf(first).every((cell) => element[cell] === ELEMENT.th)
  }

  #cellsOf(row: number): readonly number[] {
    const { count, kind, row: containers, tableRow, up } = this.#form
    const cells: number[] = []
    for (let node = row + 1; node < count && tableRow[node] === row; node++) {
      if (kind[node] === NODE_KIND.cell && up[node] === row) cells.push(containers[node] ?? 0)
    }
    return cells
  }

  #spanOf(cell: number): Omit<CellPieces, 'pieces'> {
    const scanner = this.#scanner
    scanner.at = this.#reading.outline.containers.sourceFrom[cell] ?? 0
    if (scanner.read() !== MARKUP.startTag) return { columns: 1, rows: 1 }
    return { columns: spanIn(scanner, ATTRIBUTE.colspan), rows: spanIn(scanner, ATTRIBUTE.rowspan) }
  }

  /** The block's text without marks, cut at the edges of cells. */
  #plainPieces(block: number, row: number): readonly Piece[] {
    const { blocks, containers } = this.#reading.outline
    const { kind, nodeOf, row: containerOf } = this.#form
    const from = blocks.textFrom[block] ?? 0
    let at = from
    let cell = 0
    this.#container = Math.max(this.#container, containerOf[row] ?? 0)
    return this.#reading.text
      .slice(from, blocks.textTo[block] ?? 0)
      .split(CELL)
      .map((text) => {
        for (let next = this.#container; next < containers.count; next++) {
          if ((containers.textFrom[next] ?? 0) > at) break
          const node = nodeOf[next] ?? 0
          if (kind[node] === NODE_KIND.cell && containerOf[node] === next) cell = next
          this.#container = next
        }
        at += Buffer.byteLength(text) + 1
        return { text, marks: 0, href: '', src: '', cell }
      })
  }
}

function lineEnd(cell: number): Piece {
  return { text: '\n', marks: 0, href: '', src: '', cell }
}

function spanIn(tag: HtmlScanner, attribute: number): number {
  const span = tag.has(attribute) ? Number.parseInt(tag.value(attribute), 10) : 1
  return span >= 1 ? Math.min(span, MAX_SPAN) : 1
}

/** More columns than anybody reads. */
const MAX_COLUMNS = 100

type TableCell = {
  /** Inline Markdown in one line, pipes escaped. */
  readonly text: string
  readonly columns: number
  readonly rows: number
}

/**
 * Writes a table as lines of Markdown. Cells that span others leave the covered cells empty; a table
 * without headers gets empty ones, because Markdown has no other tables.
 */
export function tableLines(
  rows: readonly (readonly TableCell[])[],
  isHeaded: boolean,
): readonly string[] {
  const grid = gridOf(rows)
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 1)
  const [first = [], ...others] = isHeaded ? grid : [[], ...grid]
  const head = Array.from({ length: columns }, (_, column) => first[column] ?? '')
  return [lineOf(head), lineOf(head.map(() => '---')), ...others.map(lineOf)]
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Each text in its column; rows end with their last text. */
function gridOf(rows: readonly (readonly TableCell[])[]): string[][] {
  /** Per column: how many more rows a cell from above covers. */
  const covered: number[] = []
  return rows.map((cells) => {
    const row: string[] = []
    const skip = (): void => {
      while (row.length < MAX_COLUMNS && (covered[row.length] ?? 0) > 0) {
        covered[row.length] = (covered[row.length] ?? 0) - 1
        row.push('')
      }
    }
    for (const cell of cells) {
      skip()
      for (let place = 0; place < cell.columns && row.length < MAX_COLUMNS; place++) {
        covered[row.length] = cell.rows - 1
        row.push(place === 0 ? cell.text : '')
      }
    }
    skip()
    return withoutEmptyCells(row)
  })
}

function withoutEmptyCells(row: string[]): string[] {
  const end = row.findLastIndex((text) => text !== '')
  return row.slice(0, Math.max(1, end + 1))
}

// The cells of a table's chosen rows: which pieces of text stand in them, how far they span, and
// whether the first row holds headers.
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { type HtmlScanner, MARKUP } from '../html/html-scanner.ts'
import type { Inlines, Piece } from './inline-piece.ts'
import { FORM, type PageForm } from './page-form.ts'

const MAX_SPAN = 100
const CELL = '\x1f'

export type CellPieces = {
  readonly pieces: readonly Piece[]
  readonly columns: number
  readonly rows: number
}

type Sources = {
  readonly reading: Pick<HtmlReading, 'outline' | 'text'>
  readonly form: PageForm
  readonly inlines: Inlines
  /** Open on the page. */
  readonly scanner: HtmlScanner
}

/** Takes the blocks of one table, in order. */
export class TableRows {
  readonly #reading: Sources['reading']
  readonly #form: PageForm
  readonly #inlines: Inlines
  readonly #scanner: HtmlScanner
  /** Pieces by the container of their cell, by the node of their row. */
  readonly #rows = new Map<number, Map<number, Piece[]>>()
  /** Where the search for the next cell goes on. */
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

  /** Every cell of the rows that were added, also the empty ones. */
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

  /** The first of them holds headers. */
  get isHeaded(): boolean {
    const { element, parent } = this.#reading.outline.containers
    const [first = 0] = this.#rows.keys()
    if (element[parent[this.#form.row[first] ?? 0] ?? 0] === ELEMENT.thead) return true
    return this.#cellsOf(first).every((cell) => element[cell] === ELEMENT.th)
  }

  /** Containers of the cells of a row. */
  #cellsOf(row: number): readonly number[] {
    const { count, kind, row: containers, tableRow, up } = this.#form
    const cells: number[] = []
    for (let node = row + 1; node < count && tableRow[node] === row; node++) {
      if (kind[node] === FORM.cell && up[node] === row) cells.push(containers[node] ?? 0)
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
          if (kind[node] === FORM.cell && containerOf[node] === next) cell = next
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

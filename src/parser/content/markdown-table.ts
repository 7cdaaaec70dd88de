// A table as lines of Markdown. Cells that span others leave the places they cover empty; a table
// without headers gets empty ones, since Markdown has no other.

/** More columns than anybody reads. */
const MAX_COLUMNS = 100

export type TableCell = {
  /** Inline Markdown in one line, pipes escaped. */
  readonly text: string
  readonly columns: number
  readonly rows: number
}

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
    return withoutEmptyEnd(row)
  })
}

function withoutEmptyEnd(row: string[]): string[] {
  const end = row.findLastIndex((text) => text !== '')
  return row.slice(0, Math.max(1, end + 1))
}

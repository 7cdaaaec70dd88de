// Parquet: typed, compressed columns for DuckDB, pandas, Polars and Spark. Times are instants in UTC; arrays
// and objects are JSON text.
//
// Rows are saved in pieces of some megabytes, from which an interrupted export continues. The pieces are
// merged at the end.
import type { PageNeeds, WholePage } from '../store/page-reader.ts'
import { PAGE_COLUMNS, partColumns, rowsOfPart } from './columns.ts'
import { type Exporter, type ExportJob, STEP_NAMES, WHATS } from './exporter.ts'
import { type LineFile, lineOutput, namesOf, needsOf } from './ndjson.ts'
import { type Duck, DuckTable, openDuck } from './parquet/duck-table.ts'

/** Size of a piece, over all its tables. */
const PIECE_CHARS = 8_000_000

export const parquet = createParquet(PIECE_CHARS)

export function createParquet(pieceChars: number): Exporter {
  return {
    name: 'parquet',
    about: 'columns with types, compressed, for DuckDB, pandas, Polars and Spark',
    ends: ['parquet'],
    whats: WHATS,
    takes: ['duplicates'],
    steps: STEP_NAMES,
    output: lineOutput,
    async write(job) {
      const work = await job.target.workFolder()
      const names = namesOf(job.choices.what)
      // Comes first, so that a pipe is refused before any work is done.
      const paths = names.map((name) => job.target.path(`${name}.parquet`))
      await using duck = await openDuck(work)
      const fillings = names.map((name) => fillingOf(name, { duck, work }))
      const pieces = await fill(job, fillings, { pieceChars, needs: needsOf(names) })
      for (const [at, { table }] of fillings.entries()) await table.writeTo(paths[at] ?? '', pieces)
    },
  }
}

type Filling = {
  readonly name: LineFile['name']
  readonly table: Pick<DuckTable<never>, 'putAside' | 'writeTo'>
  /** Adds the rows of a page. */
  readonly add: (page: WholePage) => Promise<{ readonly rows: number; readonly chars: number }>
}

function fillingOf(
  name: LineFile['name'],
  place: { readonly duck: Duck; readonly work: string },
): Filling {
  if (name === 'pages') {
    const table = new DuckTable({ ...place, name, columns: PAGE_COLUMNS })
    return { name, table, add: async (page) => ({ rows: 1, chars: await table.add(page) }) }
  }
  const table = new DuckTable({ ...place, name, columns: partColumns(name) })
  const add = async (page: WholePage) => {
    const rows = rowsOfPart(page, name)
    let chars = 0
    for (const row of rows) chars += await table.add(row)
    return { rows: rows.length, chars }
  }
  return { name, table, add }
}

/** Saves all pages in pieces and returns the number of pieces. */
async function fill(
  job: ExportJob,
  fillings: readonly Filling[],
  { pieceChars, needs }: { readonly pieceChars: number; readonly needs: PageNeeds },
): Promise<number> {
  let pieces = piecesOf(job)
  let held = 0
  const putAside = async () => {
    for (const { table } of fillings) await table.putAside(pieces)
    pieces++
    held = 0
  }
  for await (const page of job.pages(needs)) {
    for (const { name, add } of fillings) {
      const { rows, chars } = await add(page)
      if (name !== 'pages') job.count(name, rows)
      held += chars
    }
    if (held >= pieceChars) await putAside()
    // Within a piece there is no checkpoint.
    await job.settle(page.id, async () => (held === 0 ? { pieces } : null))
  }
  if (held > 0 || pieces === 0) await putAside()
  return pieces
}

function piecesOf({ kept }: ExportJob): number {
  const pieces = kept?.pieces
  return typeof pieces === 'number' && Number.isSafeInteger(pieces) && pieces >= 0 ? pieces : 0
}

// The state of the index, as a search sees it. What was read is kept, and of what was written since then only that is
// read. States do not change: a search that began earlier goes on with its own.

import type { Queries, Row } from '../../db/postgres.ts'
import { wholeText } from '../../lib/column-text.ts'
import { pagesUpTo } from '../segments/doc-columns.ts'
import type { IndexView } from '../segments/index-view.ts'
import { PageSums } from '../segments/page-sums.ts'
import { SegmentReader } from '../segments/segment-reader.ts'
import { damaged } from '../segments/term-block.ts'
import { FetchedColumns } from './fetched-columns.ts'
import { SegmentRows } from './segment-rows.ts'

/** What all states since the same beginning share. */
class Shared {
  readonly rows = new SegmentRows()
  readonly reader = new SegmentReader(this.rows)
  readonly sums = new PageSums()
  /** Hosts, languages and kinds; none is ever called otherwise. */
  readonly values: string[] = []
  readonly numbers = new Map<string, number>()
}

export type IndexNow = {
  readonly batch: number
  readonly beginning: string
  readonly shared: Shared
  readonly columns: FetchedColumns
  readonly view: IndexView
}

export class IndexState {
  #last: IndexNow | null = null

  /** What a transaction sees, which has to see one moment. */
  async read(sql: Queries): Promise<IndexNow> {
    const [row] = await sql.unsafe<Row[]>(SQL.position)
    if (row === undefined) throw damaged()
    const [batch, beginning] = [Number(row.batch), String(row.beginning)]
    const last = this.#last?.beginning === beginning ? this.#last : null
    if (last?.batch === batch) return last
    // A search that began before the last one may see less.
    const before = last !== null && last.batch < batch ? last : null
    const shared = last?.shared ?? new Shared()
    const columns = new FetchedColumns(before?.columns)
    const [segments] = await Promise.all([
      sql.unsafe<Row[]>(SQL.segments),
      columns.read(sql, before?.batch ?? -1),
      readValues(sql, shared),
    ])
    const now = {
      batch,
      beginning,
      shared,
      columns,
      view: viewOf({ row, segments, shared, columns }),
    }
    if (this.#last?.beginning !== beginning || this.#last.batch < batch) this.#last = now
    return now
  }
}

async function readValues(sql: Queries, { values, numbers }: Shared): Promise<void> {
  const last = Math.max(0, values.length - 1)
  for (const row of await sql.unsafe<Row[]>(SQL.values, [String(last)])) {
    const [id, value] = [Number(row.id), String(row.value)]
    values[id] = value
    numbers.set(value, id)
  }
}

type ViewParts = Pick<IndexNow, 'shared' | 'columns'> & {
  readonly row: Row
  readonly segments: readonly Row[]
}

function viewOf({ row, segments, shared, columns }: ViewParts): IndexView {
  const { reader, sums, values, numbers } = shared
  const end = nextDocOf(row)
  return {
    segments: segmentsOf(segments, 'pages', end),
    links: segmentsOf(segments, 'links', Number(row.next_link)),
    end,
    pages: Number(row.pages),
    length: Number(row.length),
    gone: Number(row.gone),
    ...{ reader, columns, sums },
    textOf: (number) => values[number] ?? '',
    numberOf: (value) => numbers.get(wholeText(value)) ?? 0,
    counts: new Map(),
  }
}

/** The number of the next page. One that cannot be is noticed here: later, it would be a loop without end. */
export function nextDocOf({ next_doc, last_column }: Row): number {
  const next = Number(next_doc)
  const most = pagesUpTo(last_column === null ? null : Number(last_column))
  if (next >= 0 && next <= most) return next
  throw damaged()
}

function segmentsOf(rows: readonly Row[], kind: string, end: number): IndexView['segments'] {
  const segments = rows
    .filter((row) => row.kind === kind)
    .map((row) => ({
      id: Number(row.id),
      base: Number(row.base),
      end: Number(row.end_doc),
      meanLength: Number(row.mean_length),
    }))
  if (segments.every(({ base, end: own }) => base >= 0 && base <= own && own <= end))
    return segments
  throw damaged()
}

export const POSITION = `SELECT *, (SELECT max(key) FROM search.page_columns) AS last_column
  FROM search.search_position`

const SQL = {
  position: POSITION,
  segments: `SELECT id, kind, base, end_doc, mean_length FROM search.segments
    WHERE state = 'live' ORDER BY base`,
  values: 'SELECT id, value FROM search.shared_values WHERE id > $1::bigint',
} as const

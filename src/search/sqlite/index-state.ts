// The state of an index, as one connection sees it. What was read is kept until somebody writes.
import type { DatabaseSync } from 'node:sqlite'
import { type CommonWords, commonWordsFrom } from '../segments/common-words.ts'
import { KeptBits } from '../segments/doc-bits.ts'
import { type ChangedColumns, pagesUpTo } from '../segments/doc-columns.ts'
import type { IndexView } from '../segments/index-view.ts'
import { PageSums } from '../segments/page-sums.ts'
import type { SegmentRange, SegmentReader } from '../segments/segment-reader.ts'
import { damaged } from '../segments/term-block.ts'

type Row = Readonly<Record<string, unknown>>

export const POSITION_SQL = `SELECT *, (SELECT max(key) FROM page_columns) AS last_column
  FROM search_position`

/** The number of the next page. One that cannot be is noticed here: later, it would be a loop without end. */
export function nextDocOf({ next_doc, last_column }: Row): number {
  const next = Number(next_doc ?? 0)
  const most = pagesUpTo(last_column === null ? null : Number(last_column))
  if (next >= 0 && next <= most) return next
  throw damaged()
}

export class IndexState {
  readonly #db: DatabaseSync
  readonly #reader: SegmentReader
  readonly #columns: ChangedColumns
  readonly #sql: ReturnType<typeof prepare>
  readonly #values: string[] = []
  readonly #sums = new PageSums()
  #version = -1
  #batch = -1
  #beginning = -1
  #view: IndexView | null = null

  constructor(db: DatabaseSync, reader: SegmentReader, columns: ChangedColumns) {
    this.#db = db
    this.#reader = reader
    this.#columns = columns
    this.#sql = prepare(db)
  }

  /** What is there now, for a caller who reads in one transaction. */
  view(): IndexView {
    const version = Number(this.#sql.version.get()?.data_version)
    if (this.#view !== null && version === this.#version) return this.#view
    this.#view = this.#read()
    this.#version = version
    return this.#view
  }

  /** This connection has written. */
  isOver(): void {
    this.#view = null
  }

  #read(): IndexView {
    const row: Row = this.#sql.position.get() ?? {}
    const [batch, beginning] = [Number(row.batch), Number(row.beginning)]
    if (beginning !== this.#beginning) {
      this.#columns.forgetAll()
      this.#values.length = 0
    } else {
      this.#columns.forget(this.#sql.changed.all(this.#batch).map(({ key }) => Number(key)))
    }
    this.#batch = batch
    this.#beginning = beginning
    const end = nextDocOf(row)
    return {
      segments: this.#segments('pages', end),
      links: this.#segments('links', Number(row.next_link ?? 0)),
      end,
      pages: Number(row.pages ?? 0),
      length: Number(row.length ?? 0),
      gone: Number(row.gone ?? 0),
      reader: this.#reader,
      common: readCommonWords(this.#db),
      columns: this.#columns,
      sums: this.#sums,
      textOf: (number) => this.#textOf(number),
      numberOf: (value) => Number(this.#sql.number.get(value)?.id ?? 0),
      counts: new Map(),
      bits: new KeptBits(),
    }
  }

  #segments(kind: 'pages' | 'links', end: number): IndexView['segments'] {
    const segments = this.#sql.segments.all(kind).map(segmentFrom)
    const fits = ({ base, end: own }: SegmentRange) => base >= 0 && base <= own && own <= end
    if (!segments.every(fits)) throw damaged()
    return segments
  }

  #textOf(number: number): string {
    const known = this.#values[number]
    if (known !== undefined) return known
    const value = String(this.#sql.value.get(number)?.value ?? '')
    this.#values[number] = value
    return value
  }
}

export function readCommonWords(db: DatabaseSync): CommonWords {
  return commonWordsFrom(db.prepare('SELECT word, level, since FROM common_words').all())
}

function segmentFrom(row: Row): IndexView['segments'][number] {
  return {
    id: Number(row.id),
    base: Number(row.base),
    end: Number(row.end_doc),
    meanLength: Number(row.mean_length),
  }
}

function prepare(db: DatabaseSync) {
  return {
    version: db.prepare('PRAGMA data_version'),
    position: db.prepare(POSITION_SQL),
    segments: db.prepare("SELECT * FROM segments WHERE kind = ? AND state = 'live' ORDER BY base"),
    changed: db.prepare('SELECT key FROM page_columns WHERE changed > ?'),
    value: db.prepare('SELECT value FROM shared_values WHERE id = ?'),
    number: db.prepare('SELECT id FROM shared_values WHERE value = ?'),
  }
}

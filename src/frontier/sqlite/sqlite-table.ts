// One table of a frontier's file: rows in, rows out. Columns and fields correspond by name; a few columns
// hold several values in one.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { ChangedKeys, Table } from '../engine/rows.ts'
import { packIds, packNumbers, unpackIds, unpackNumbers } from '../packing.ts'
import { type Row, type RowValue, TABLES } from '../storage.ts'

const SHAPES = { ...TABLES, parked: { key: 1, columns: ['name', 'id', 'facts'] } } as const

type Codec = {
  readonly encode: (value: never) => RowValue
  readonly decode: (column: never) => unknown
}

const IDS: Codec = {
  encode: (ids: readonly number[]) => (ids.length === 0 ? null : packIds(ids)),
  decode: (blob: Uint8Array | null) => (blob === null ? [] : Array.from(unpackIds(blob))),
}

const CODECS: ReadonlyMap<string, Codec> = new Map<string, Codec>([
  [
    'url.signals',
    {
      encode: (signals: readonly number[] | null) =>
        signals === null ? null : packNumbers(signals),
      decode: (blob: Uint8Array | null) => (blob === null ? null : unpackNumbers(blob)),
    },
  ],
  ['edge.to_ids', { encode: packIds, decode: unpackIds }],
  ['template.likes', IDS],
  ['template.pairs', IDS],
  ['robots.sitemaps', { encode: (urls: unknown) => JSON.stringify(urls), decode: JSON.parse }],
])

/** Rows of one statement when many are loaded. */
const LOADED_AT_ONCE = 16
/** Rows that are read at once when all of them are. */
const PORTION = 2000

/** A row between its columns and its fields. The tables are strict, so columns have the types they should. */
type Values = Record<string, SQLInputValue>

/** Statements by the fields that they change. */
type Update = {
  readonly statement: StatementSync
  readonly codecs: readonly (Codec | undefined)[]
}

export class SqliteTable<R extends object, Key extends RowValue | Row = number>
  implements Table<R, Key>
{
  protected readonly db: DatabaseSync
  protected readonly changes: ChangedKeys | null
  /** The columns under the names of their fields, for SELECT. */
  protected readonly selected: string
  readonly #name: keyof typeof SHAPES
  readonly #columns: readonly string[]
  readonly #fields: readonly string[]
  readonly #codecs: readonly (Codec | undefined)[]
  readonly #isKey: string
  readonly #updates = new Map<string, Update>()
  #get: StatementSync | null = null
  #put: StatementSync | null = null
  #drop: StatementSync | null = null
  #read: StatementSync | null = null

  constructor(db: DatabaseSync, name: keyof typeof SHAPES, changes: ChangedKeys | null = null) {
    const { columns, key } = SHAPES[name]
    this.db = db
    this.changes = changes
    this.#name = name
    this.#columns = columns
    this.#fields = columns.map(fieldOf)
    this.#codecs = columns.map((column) => CODECS.get(`${name}.${column}`))
    this.#isKey = columns
      .slice(0, key)
      .map((column) => `${column} = ?`)
      .join(' AND ')
    this.selected = columns.map((column) => `${column} AS ${fieldOf(column)}`).join(', ')
  }

  get(key: Key): R | undefined {
    this.#get ??= this.db.prepare(`SELECT ${this.selected} FROM ${this.#name} WHERE ${this.#isKey}`)
    const row = this.#get.get(...valuesOf(key))
    return row === undefined ? undefined : this.decoded(row)
  }

  put(row: R): void {
    this.#put ??= this.db.prepare(`INSERT OR REPLACE INTO ${this.inserted(1)}`)
    const values = this.encoded(row)
    this.#put.run(...values)
    this.#noteRow(values)
  }

  update(key: Key, fields: Partial<R>): void {
    const names = Object.keys(fields)
    const shape = names.join()
    const { statement, codecs } = this.#updates.get(shape) ?? this.#newUpdate(shape, names)
    const values: SQLInputValue[] = []
    for (let at = 0; at < names.length; at += 1) {
      const value = (fields as Values)[names[at] ?? ''] ?? null
      const codec = codecs[at]
      values.push(codec === undefined ? value : codec.encode(value as never))
    }
    if (isWhole(key)) values.push(...key)
    else values.push(key)
    statement.run(...values)
    this.note(key)
  }

  drop(key: Key): void {
    this.#drop ??= this.db.prepare(`DELETE FROM ${this.#name} WHERE ${this.#isKey}`)
    this.#drop.run(...valuesOf(key))
    this.note(key)
  }

  all(): Iterable<R> {
    return this.select(`ORDER BY ${this.#keyColumns()}`)
  }

  clear(): void {
    if (this.changes !== null) {
      const keys = this.db.prepare(`SELECT ${this.#keyColumns()} FROM ${this.#name}`)
      keys.setReturnArrays(true)
      for (const key of keys.all() as unknown as Row[]) this.note(key)
    }
    this.db.exec(`DELETE FROM ${this.#name}`)
  }

  /** Whole rows, in the order of their table's columns; those that do not exist are left out. */
  read(keys: readonly Row[]): readonly Row[] {
    if (this.#read === null) {
      const from = `FROM ${this.#name} WHERE ${this.#isKey}`
      this.#read = this.db.prepare(`SELECT ${this.#columns.join(', ')} ${from}`)
      this.#read.setReturnArrays(true)
    }
    const rows: Row[] = []
    for (const key of keys) {
      const row = this.#read.get(...key) as Row | undefined
      if (row !== undefined) rows.push(row)
    }
    return rows
  }

  /** All rows, in order of their keys, some at a time. The table may change between two portions. */
  *portions(): Generator<readonly Row[]> {
    const { key } = SHAPES[this.#name]
    const columns = this.#keyColumns()
    const after = `(${columns}) > (${Array(key).fill('?').join(', ')})`
    const select = (where: string): StatementSync => {
      const from = `SELECT ${this.#columns.join(', ')} FROM ${this.#name}`
      const statement = this.db.prepare(`${from} ${where} ORDER BY ${columns} LIMIT ${PORTION}`)
      statement.setReturnArrays(true)
      return statement
    }
    let rows = select('').all() as unknown as Row[]
    const next = select(`WHERE ${after}`)
    while (rows.length > 0) {
      yield rows
      const last = rows.at(-1)?.slice(0, key) ?? []
      rows = next.all(...last) as unknown as Row[]
    }
  }

  /** Adds whole rows that were read elsewhere. They are not noted as changed. */
  load(rows: readonly Row[]): void {
    const many = this.db.prepare(`INSERT INTO ${this.inserted(LOADED_AT_ONCE)}`)
    const one = this.db.prepare(`INSERT INTO ${this.inserted(1)}`)
    let at = 0
    for (; at + LOADED_AT_ONCE <= rows.length; at += LOADED_AT_ONCE) {
      many.run(...rows.slice(at, at + LOADED_AT_ONCE).flat())
    }
    for (const row of rows.slice(at)) one.run(...row)
  }

  /** Writes whole rows, over those with the same keys. */
  replace(rows: readonly Row[]): void {
    const put = this.db.prepare(`INSERT OR REPLACE INTO ${this.inserted(1)}`)
    for (const row of rows) put.run(...row)
  }

  /** Deletes the row with that key. */
  remove(key: Row): void {
    this.db.prepare(`DELETE FROM ${this.#name} WHERE ${this.#isKey}`).run(...key)
  }

  /** Rows one at a time. A new statement each time: two readers must not share one. */
  protected *select(where: string, ...values: SQLInputValue[]): Generator<R> {
    const statement = this.db.prepare(`SELECT ${this.selected} FROM ${this.#name} ${where}`)
    for (const row of statement.iterate(...values)) yield this.decoded(row)
  }

  /** Table, columns and placeholders, as INSERT has them. */
  protected inserted(rows: number): string {
    const row = `(${this.#columns.map(() => '?').join(', ')})`
    return `${this.#name} (${this.#columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`
  }

  /** The values of a row, in the order of the columns, at the end of a list. */
  protected encoded(row: R, values: SQLInputValue[] = []): SQLInputValue[] {
    for (let at = 0; at < this.#fields.length; at += 1) {
      const value = (row as Values)[this.#fields[at] ?? ''] ?? null
      const codec = this.#codecs[at]
      values.push(codec === undefined ? value : codec.encode(value as never))
    }
    return values
  }

  protected decoded(row: Record<string, unknown>): R {
    for (let at = 0; at < this.#codecs.length; at += 1) {
      const codec = this.#codecs[at]
      const field = this.#fields[at] ?? ''
      if (codec !== undefined) row[field] = codec.decode(row[field] as never)
    }
    return row as R
  }

  protected note(key: RowValue | Row, row?: Row): void {
    if (this.changes !== null && this.#name !== 'parked') this.changes.note(this.#name, key, row)
  }

  #newUpdate(shape: string, names: readonly string[]): Update {
    const set = names.map((name) => `${columnOf(name)} = ?`).join(', ')
    const statement = this.db.prepare(`UPDATE ${this.#name} SET ${set} WHERE ${this.#isKey}`)
    const update = {
      statement,
      codecs: names.map((name) => this.#codecs[this.#fields.indexOf(name)]),
    }
    this.#updates.set(shape, update)
    return update
  }

  #noteRow(values: readonly SQLInputValue[]): void {
    if (this.changes === null) return
    const { key } = SHAPES[this.#name]
    const row = values as RowValue[]
    this.note(key === 1 ? (row[0] ?? null) : row.slice(0, key), row)
  }

  #keyColumns(): string {
    return this.#columns.slice(0, SHAPES[this.#name].key).join(', ')
  }
}

function valuesOf(key: RowValue | Row): readonly RowValue[] {
  return isWhole(key) ? key : [key]
}

function isWhole(key: RowValue | Row): key is Row {
  return Array.isArray(key)
}

function fieldOf(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

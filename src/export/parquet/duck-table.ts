// Rows on their way into a Parquet file. They are collected, saved as pieces, and merged at the end, so an
// interrupted export keeps its pieces, and memory holds only one.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import type { Column, ColumnType } from '../columns.ts'
import { orOutError } from '../out-error.ts'
import { type Duck, quoted, quotedPattern, run } from './duck.ts'

/** Readers read this much of a file at once. */
const ROW_GROUP_BYTES = '32MB'

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP WITH TIME ZONE',
  text: 'VARCHAR',
  json: 'VARCHAR',
}

export type DuckTableOptions<R> = {
  readonly duck: Duck
  /** A single word; also the name of its pieces. */
  readonly name: string
  readonly columns: readonly Column<R>[]
  /** The folder for pieces. */
  readonly work: string
}

export class DuckTable<R> {
  readonly #options: DuckTableOptions<R>
  #appender: DuckDBAppender | null = null

  constructor(options: DuckTableOptions<R>) {
    this.#options = options
  }

  /** Returns its approximate number of characters. */
  async add(row: R): Promise<number> {
    const { duck, columns } = this.#options
    this.#appender ??= await this.#begin()
    let chars = 0
    for (const { type, of } of columns) chars += append(this.#appender, type, of(row), duck)
    this.#appender.endRow()
    return chars
  }

  /** Writes the rows added since the last call to a file and syncs it. */
  async putAside(piece: number): Promise<void> {
    const { duck, name } = this.#options
    this.#appender ??= await this.#begin()
    this.#appender.closeSync()
    this.#appender = null
    const path = this.#pathOf(piece)
    await run(
      duck,
      `COPY ${name} TO ${quoted(path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
    )
    await run(duck, `DROP TABLE ${name}`)
    await orOutError(path, () => sync(path))
  }

  /** Merges all pieces into one file. */
  async writeTo(path: string, pieces: number): Promise<void> {
    const { duck } = this.#options
    const from = Array.from({ length: pieces }, (_, piece) => quotedPattern(this.#pathOf(piece)))
    const rows = `SELECT * FROM read_parquet([${from.join(', ')}], hive_partitioning = false)`
    const how = `FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE_BYTES '${ROW_GROUP_BYTES}'`
    await run(duck, `COPY (${rows}) TO ${quoted(path)} (${how})`)
  }

  async #begin(): Promise<DuckDBAppender> {
    const { duck, name, columns } = this.#options
    // One table per piece: deleted rows would stay in memory.
    const list = columns.map((column) => `"${column.name}" ${SQL_TYPES[column.type]}`)
    await run(duck, `CREATE TABLE ${name} (${list.join(', ')})`)
    return duck.connection.createAppender(name)
  }

  #pathOf(piece: number): string {
    const { work, name } = this.#options
    return join(work, `${name}-${String(piece).padStart(6, '0')}.parquet`)
  }
}

/** A value of another type becomes NULL. Returns the characters it took. */
function append(to: DuckDBAppender, type: ColumnType, value: unknown, { api }: Duck): number {
  if (type === 'text' && typeof value === 'string') to.appendVarchar(value)
  else if (type === 'integer' && Number.isSafeInteger(value)) to.appendBigInt(BigInt(Number(value)))
  else if (type === 'double' && Number.isFinite(value)) to.appendDouble(Number(value))
  else if (type === 'boolean' && typeof value === 'boolean') to.appendBoolean(value)
  else if (type === 'time' && Number.isSafeInteger(value)) to.appendTimestampTZ(timeOf(value, api))
  else if (type === 'json' && value != null) return appendJson(to, value)
  else to.appendNull()
  return typeof value === 'string' ? value.length : 8
}

function appendJson(to: DuckDBAppender, value: unknown): number {
  const text = JSON.stringify(value)
  to.appendVarchar(text)
  return text.length
}

function timeOf(ms: unknown, { DuckDBTimestampTZValue }: Duck['api']) {
  return new DuckDBTimestampTZValue(BigInt(Number(ms)) * 1000n)
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

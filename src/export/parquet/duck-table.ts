// Rows on their way into a Parquet file. They are collected, saved as pieces, and merged at the end, so an
// interrupted export keeps its pieces, and memory holds only one.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'
import { CrawlerError, InvalidInput } from '../../core/errors.ts'
import type { Column, ColumnType } from '../columns.ts'
import { orOutError } from '../part-target.ts'

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

type DuckTableOptions<R> = {
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

export type Duck = AsyncDisposable & {
  readonly connection: DuckDBConnection
  readonly api: DuckApi
}

type DuckApi = typeof import('@duckdb/node-api')

/** It needs far less, but a page may be large. */
const MEMORY_LIMIT = '1GB'

/**
 * DuckDB writes Parquet for us. The package has seventy megabytes; it is loaded only here, and may be
 * missing from an installation. `work`: a folder for data that does not fit into memory.
 */
export async function openDuck(work: string): Promise<Duck> {
  const api = await loadDuck()
  const instance = await api.DuckDBInstance.create(':memory:', {
    ...{ threads: '1', memory_limit: MEMORY_LIMIT, temp_directory: work },
    // With one thread, rows stay in order anyway, and row groups can be limited by size.
    preserve_insertion_order: 'false',
    // Loads nothing from the network, and reads nothing else.
    ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' },
  })
  const connection = await instance.connect()
  return {
    ...{ connection, api },
    async [Symbol.asyncDispose]() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function loadDuck(): Promise<DuckApi> {
  try {
    return await import('@duckdb/node-api')
  } catch {
    const message =
      'needs the package @duckdb/node-api (70 MB), which is not installed. Install it as jelajah is: ' +
      'npm install -g @duckdb/node-api, without -g in a project, npm install in a checkout'
    throw new InvalidInput('--format parquet', message)
  }
}

async function run(duck: Duck, sql: string): Promise<void> {
  try {
    await duck.connection.run(sql)
  } catch (error) {
    throw duckError(error)
  }
}

function duckError(error: unknown): unknown {
  const text = error instanceof Error ? error.message : String(error)
  if (/no space left|disk quota|file too large/i.test(text)) {
    const message =
      'there is no room for the export. What is written so far stays: the same command goes on with it ' +
      'once there is.'
    return new CrawlerError('disk-full', message, { cause: error })
  }
  return error
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Quotes a path where patterns are allowed, so that it matches only itself. */
function quotedPattern(path: string): string {
  return quoted(path.replaceAll(/[*?[]/g, '[$&]'))
}

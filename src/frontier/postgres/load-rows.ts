// The rows of a partition in PostgreSQL: how all of them are read, a chunk at a time, and how those of most
// tables are packed, under a key, in `frontier_rows`. Each chunk begins after the last key of the one before,
// so nothing is held on the server in between, and a lost connection costs one chunk.
import { createHash } from 'node:crypto'
import type { Postgres, Row as SqlRow } from '../../db/postgres.ts'
import {
  MAX_CHUNK_ROWS,
  type Ownership,
  type Row,
  type RowsOfTable,
  type RowValue,
  TABLES,
  type TableName,
} from '../storage.ts'

export type PartitionKey = Pick<Ownership, 'crawlId' | 'partition'>

export async function* loadRows(db: Postgres, of: PartitionKey): AsyncGenerator<RowsOfTable> {
  yield* loadKept(db, of)
  for (const table of TYPED) {
    for await (const rows of typedRows(db, of, table)) yield { table, rows }
  }
}

/** In order of ids; only those above `after`. */
export async function* typedRows(
  db: Postgres,
  { crawlId, partition }: PartitionKey,
  table: TypedTable,
  after = Number.MIN_SAFE_INTEGER,
): AsyncGenerator<readonly Row[]> {
  const text = `
    SELECT ${TABLES[table].columns.join(', ')} FROM frontier_${table}s
    WHERE crawl_id = $1 AND partition = $2 AND id > $3 ORDER BY id LIMIT ${MAX_CHUNK_ROWS}`
  for (let [last, isLast] = [after, false]; !isLast; ) {
    const values = [crawlId, partition, last]
    const found = await db.run(async (sql) => sql.unsafe(text, values, { prepare: true }).values())
    const rows: readonly Row[] = found.map((row) => row.map(rowValue))
    if (rows.length > 0) yield rows
    last = Number(rows.at(-1)?.[0])
    isLast = rows.length < MAX_CHUNK_ROWS
  }
}

const KEPT = `
  SELECT kind, key_number, key_text, "values" FROM frontier_rows
  WHERE crawl_id = $1 AND partition = $2 AND (kind, key_number, key_text) > ($3, $4, $5)
  ORDER BY kind, key_number, key_text LIMIT ${MAX_CHUNK_ROWS}`

/** All of them, or from a table on. */
export async function* loadKept(
  db: Postgres,
  { crawlId, partition }: PartitionKey,
  from = '',
): AsyncGenerator<RowsOfTable> {
  let after: readonly (string | number)[] = [from, Number.MIN_SAFE_INTEGER, '']
  for (let isLast = false; !isLast; ) {
    const values = [crawlId, partition, ...after]
    const found: readonly SqlRow[] = await db.run(async (sql) =>
      sql.unsafe(KEPT, values, { prepare: true }),
    )
    yield* byTable(found)
    const last = found.at(-1)
    after = [String(last?.kind), Number(last?.key_number), String(last?.key_text)]
    isLast = found.length < MAX_CHUNK_ROWS
  }
}

function* byTable(found: readonly SqlRow[]): Generator<RowsOfTable> {
  for (let from = 0; from < found.length; ) {
    const table = String(found[from]?.kind)
    const rows: Row[] = []
    for (; found[from]?.kind === table; from++) rows.push(unpackRow(String(found[from]?.values)))
    if (isTable(table)) yield { table, rows }
  }
}

function isTable(name: string): name is TableName {
  return Object.hasOwn(TABLES, name)
}

export function rowValue(value: unknown): RowValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return value instanceof Uint8Array ? value : Number(value)
}

/** Tables that have one of their own in PostgreSQL. */
export const TYPED = ['url', 'host'] as const satisfies readonly TableName[]
export type TypedTable = (typeof TYPED)[number]

export function isTyped(table: TableName): table is TypedTable {
  return table === 'url' || table === 'host'
}

/** An entry of an index has an end, at about 2,700 bytes. */
const MAX_KEY_CHARS = 500

/** The columns `key_number` and `key_text` of a row, or of a key alone. */
export function keyOf(table: TableName, row: Row): readonly [number, string] {
  const parts = row.slice(0, TABLES[table].key)
  const number = parts.find((part) => typeof part === 'number') ?? 0
  const text = parts.find((part) => typeof part === 'string') ?? ''
  return [Number(number), shortKey(String(text))]
}

function shortKey(text: string): string {
  if (text.length <= MAX_KEY_CHARS) return text
  const hash = createHash('sha256').update(text).digest('base64url')
  return `${text.slice(0, MAX_KEY_CHARS).toWellFormed()} ${hash}`
}

export function packRow(row: Row): string {
  return `[${row.map(packed).join(',')}]`
}

function packed(value: RowValue): string {
  if (value === null) return 'null'
  // `JSON.stringify` would make 0 of -0.
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return `["${base64Of(value)}"]`
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

export function unpackRow(text: string): Row {
  const values: unknown = JSON.parse(text)
  return Array.isArray(values) ? values.map(unpacked) : []
}

function unpacked(value: unknown): RowValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return Buffer.from(Array.isArray(value) ? String(value[0]) : '', 'base64')
}

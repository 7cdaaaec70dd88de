// Rows of the tables that are kept as they are, under a key: see `frontier_rows` in
// src/store/postgres/migrations.
import { createHash } from 'node:crypto'
import { type Row, type RowValue, TABLES, type TableName } from '../storage.ts'

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

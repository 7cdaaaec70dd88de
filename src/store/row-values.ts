// The edge between the values of a row, from any database, and ours.
import { CrawlerError } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'

export type Row = Readonly<Record<string, unknown>>

/** A URL we wrote ourselves, and only ever in its one spelling. */
export function urlOf(row: Row, column: string): CanonicalUrl {
  return textOf(row, column) as CanonicalUrl
}

/** The same for a JSON array of them. */
export function urlsOf(row: Row, column: string): CanonicalUrl[] {
  const urls = jsonOf(row, column, '[]')
  return Array.isArray(urls) ? urls.map((url) => String(url) as CanonicalUrl) : []
}

/** What we wrote there; `empty` stands for a column with nothing in it. */
export function jsonOf(row: Row, column: string, empty = ''): unknown {
  try {
    return JSON.parse(textOf(row, column) || empty)
  } catch (cause) {
    const message = `the column ${column} of a row in the store cannot be read: the store is damaged`
    throw new CrawlerError('store-damaged', `${message}; 'jelajah doctor' says more`, { cause })
  }
}

/** Empty where there are none. */
export function bytesOf(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (!(value instanceof Uint8Array)) return new Uint8Array()
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

export function textOf(row: Row, column: string): string {
  return String(row[column] ?? '')
}

export function numberOf(row: Row, column: string): number {
  return Number(row[column] ?? 0)
}

export function numberOrNull(row: Row, column: string): number | null {
  const value = row[column]
  return value === null || value === undefined ? null : Number(value)
}

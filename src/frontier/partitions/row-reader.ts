// How the rows of a divided frontier are read for people, where the storage cannot answer questions itself.
import type { CanonicalUrl } from '../../core/url.ts'
import type { RobotsRecord } from '../frontier.ts'
import { type Row, type RowValue, TABLES, type TableName } from '../storage.ts'

export interface RowReader {
  /** Rows of a table in order of their keys, in chunks; of tables with a number as key only those above it. */
  rows(partition: number, table: TableName, after?: number): AsyncIterable<readonly Row[]>
  /** Rows of `url` that are leased or unreachable, where they are found without reading all. */
  unsettled?(partition: number): AsyncIterable<readonly Row[]>
  /** The row with that key; null if there is none. */
  row(partition: number, table: TableName, key: RowValue): Promise<Row | null>
  /** The id of a URL in its partition; null if it is unknown. */
  idOf(partition: number, url: string): Promise<number | null>
}

/** A row by names of columns. */
export function namedRow(table: TableName, row: Row): Record<string, RowValue> {
  const named: Record<string, RowValue> = {}
  for (const [at, name] of TABLES[table].columns.entries()) named[name] = row[at] ?? null
  return named
}

export function robotsFrom(row: Readonly<Record<string, RowValue>>): RobotsRecord {
  const { status } = row
  return {
    origin: String(row.origin),
    status: status === 'fetched' || status === 'unavailable' ? status : 'unreachable',
    body: String(row.body),
    fetchedAt: Number(row.fetched_at),
    expiresAt: Number(row.expires_at),
    attempts: Number(row.attempts),
    sitemaps: JSON.parse(String(row.sitemaps)) as CanonicalUrl[],
  }
}

/** The id of a URL, by reading all rows of its partition. */
export async function scanForUrl(
  reader: Pick<RowReader, 'rows'>,
  partition: number,
  url: string,
): Promise<number | null> {
  const at = TABLES.url.columns.indexOf('url')
  for await (const rows of reader.rows(partition, 'url')) {
    const found = rows.find((row) => row[at] === url)
    if (found !== undefined) return Number(found[0])
  }
  return null
}

// Statements that are sent one after the other without waiting for answers, in the order of the calls.
import type { Queries, Row } from '../../db/postgres.ts'

export type SentValue = string | number | null | Uint8Array

export function send(
  sql: Queries,
  text: string,
  values: readonly SentValue[] = [],
): Promise<readonly Row[]> {
  return sql.unsafe<Row[]>(text, [...values], { prepare: true }).execute()
}

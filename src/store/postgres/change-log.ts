// What is told of pages: rows of `page_changes`. A cursor is given while the row of `page_log` is held,
// which is taken last and kept to the commit: whoever reads a cursor can read all before it.
import type { Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import type { Change } from '../change-feed.ts'
import { send } from './send.ts'

export type Told = {
  readonly pageId: number
  readonly change: Extract<Change, 'add' | 'change' | 'delete'>
  readonly at: number
  /** Of delete; '' otherwise. */
  readonly url: string
  readonly reason: string
}

const TELL = `
  WITH log AS (
    UPDATE page_log SET last_cursor = last_cursor + cardinality($2::bigint[]) RETURNING last_cursor
  )
  INSERT INTO page_changes (cursor, crawl_id, page_id, change, at, url, reason)
  SELECT last_cursor - cardinality($2::bigint[]) + nth, $1::bigint, page_id, change, at,
    CASE change WHEN 'delete' THEN url END, CASE change WHEN 'delete' THEN reason END
  FROM log, unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])
    WITH ORDINALITY AS told (page_id, change, at, url, reason, nth)`

/** In their order. The last but the commit of a transaction. */
export async function tell(
  sql: Transaction,
  crawlId: number,
  told: readonly Told[],
): Promise<void> {
  if (told.length === 0) return
  await send(sql, TELL, [
    crawlId,
    numberArray(told.map(({ pageId }) => pageId)),
    textArray(told.map(({ change }) => change)),
    numberArray(told.map(({ at }) => Math.round(at))),
    textArray(told.map(({ url }) => url)),
    textArray(told.map(({ reason }) => reason)),
  ])
}

// Receipts that wait, as they are told again: as the page was saved; where it, or who moved because of it,
// has moved on since, as it is now.
import type { Standing } from '../../core/visit.ts'
import type { Row, Transaction } from '../../db/postgres.ts'
import { textArray } from '../../db/postgres-array.ts'
import type { Undelivered } from '../page-store.ts'
import { bytesOf, numberOf, numberOrNull, textOf, urlOf, urlsOf } from '../row-values.ts'

export type HeldReceipt = Undelivered & { readonly pageId: number }

/** Of one holder, oldest first. */
export async function undeliveredFrom(
  sql: Transaction,
  crawlId: number,
  holder: string,
): Promise<readonly HeldReceipt[]> {
  const rows = await sql<Row[]>`
    SELECT u.url_id, u.receipt, u.round, u.outcome, u.reason, u.moved, u.page_id AS id,
      first.url AS of, u.url, p.depth
    FROM undelivered u
    LEFT JOIN pages p ON p.crawl_id = ${crawlId} AND p.id = u.page_id
    LEFT JOIN pages first ON first.crawl_id = ${crawlId} AND first.id = p.duplicate_of
    WHERE u.crawl_id = ${crawlId} AND u.holder = ${holder} ORDER BY u.page_id`
  const moved = rows.flatMap((row) => (row.moved === null ? [] : urlsOf(row, 'moved')))
  const standings = moved.length === 0 ? new Map() : await standingsOf(sql, crawlId, moved)
  return rows.map((row) => ({
    pageId: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    urlId: numberOf(row, 'url_id'),
    depth: numberOrNull(row, 'depth'),
    round: numberOf(row, 'round'),
    saved: savedFrom(row, standings),
    receipt: bytesOf(row, 'receipt'),
  }))
}

function savedFrom(row: Row, standings: ReadonlyMap<string, Standing>): Undelivered['saved'] {
  const id = numberOf(row, 'id')
  const to = textOf(row, 'outcome')
  const moves =
    row.moved === null
      ? {}
      : { moved: urlsOf(row, 'moved').flatMap((url) => standings.get(url) ?? []) }
  if (to === 'unchanged') return { outcome: 'unchanged', id }
  if (to === 'failed' || to === 'refused' || to === 'redirected') {
    return { outcome: 'gone', came: { to, reason: textOf(row, 'reason') }, ...moves }
  }
  return row.of === null
    ? { outcome: 'stored', id, ...moves }
    : { outcome: 'duplicate', id, of: urlOf(row, 'of'), ...moves }
}

async function standingsOf(
  sql: Transaction,
  crawlId: number,
  urls: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await sql<Row[]>`
    SELECT p.url, first.url AS of
    FROM unnest(${textArray([...new Set(urls)])}::text[]) asked (url)
    JOIN pages p ON p.crawl_id = ${crawlId} AND p.url = asked.url
      AND hashtextextended(p.url, 0) = hashtextextended(asked.url, 0)
    LEFT JOIN pages first ON first.crawl_id = ${crawlId} AND first.id = p.duplicate_of`
  return new Map(
    rows.map((row) => [
      textOf(row, 'url'),
      { url: urlOf(row, 'url'), of: row.of === null ? null : urlOf(row, 'of') },
    ]),
  )
}

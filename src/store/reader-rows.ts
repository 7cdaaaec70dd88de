// The edge between rows and what readers tell of crawls beside their pages: the same for every database.
import type { PageHistory } from '../core/page.ts'
import type { FeedCrawl, PageTotals } from './page-reader.ts'
import { numberOf, numberOrNull, type Row, textOf } from './row-values.ts'

/** Of `host_totals`, those with most pages first. */
export function totalsFromRows(rows: Iterable<Row>): PageTotals {
  const hosts = new Map<string, number>()
  const sum = { stored: 0, duplicates: 0, bytes: 0, judged: 0, hot: 0 }
  for (const row of rows) {
    const stored = numberOf(row, 'stored')
    if (stored > 0) hosts.set(textOf(row, 'host'), stored)
    sum.stored += stored
    sum.duplicates += numberOf(row, 'duplicates')
    sum.bytes += numberOf(row, 'bytes')
    sum.judged += numberOf(row, 'judged')
    sum.hot += numberOf(row, 'hot')
  }
  return { ...sum, hosts }
}

/** Of `page_checks`. */
export function looksFromRow(row: Row): PageHistory['looks'] {
  const checkedAt = numberOf(row, 'checked_at')
  return {
    checks: numberOf(row, 'checks'),
    changes: numberOf(row, 'changes'),
    checkedAt,
    round: numberOf(row, 'round'),
    dueAt: checkedAt + numberOf(row, 'interval_ms'),
  }
}

export function goneFromRow(row: Row): PageHistory['gone'] {
  return {
    at: numberOf(row, 'at'),
    round: numberOf(row, 'round'),
    reason: textOf(row, 'reason'),
    pageId: numberOf(row, 'page_id'),
  }
}

/** Of `crawls`, with how many hot pages each has. */
export function feedCrawlFromRow(row: Row): FeedCrawl {
  const endedAt = numberOrNull(row, 'ended_at')
  const hotMark = endedAt === null ? null : `${endedAt}:${numberOf(row, 'hot')}`
  return { id: numberOf(row, 'id'), hotMark }
}

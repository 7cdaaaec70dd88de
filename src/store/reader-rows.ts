// The edge between rows and what readers tell of crawls beside their pages: the same for every database.
import type { PageHistory } from '../core/page.ts'
import { CHANGES, type Change, type PageChange } from './change-feed.ts'
import type { GraphPage, LinkedPage } from './graph-reader.ts'
import { eachVouchedUrl } from './link-columns.ts'
import type { FeedCrawl } from './page-feed.ts'
import type { PageTotals } from './page-store.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from './row-values.ts'

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

/** Of `page_changes`, with the page's columns; null for one that is gone: another change tells of that. */
export function changeFromRow(row: Row): PageChange | null {
  const change = changeNamed(textOf(row, 'change'))
  const removed = change === 'crawl-removed'
  if (!removed && row.url === null) return null
  return {
    cursor: numberOf(row, 'cursor'),
    change,
    crawlId: numberOf(row, 'crawl_id'),
    pageId: removed ? null : numberOf(row, 'page_id'),
    url: removed ? null : urlOf(row, 'url'),
    at: numberOf(row, 'at'),
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    noindex: row.noindex === 1,
    reason: textOf(row, 'reason'),
  }
}

function changeNamed(name: string): Change {
  return CHANGES.find((change) => change === name) ?? 'change'
}

/** Of `crawls`, with how many hot pages each has. */
export function feedCrawlFromRow(row: Row): FeedCrawl {
  const endedAt = numberOrNull(row, 'ended_at')
  const hotMark = endedAt === null ? null : `${endedAt}:${numberOf(row, 'hot')}`
  return { id: numberOf(row, 'id'), hotMark }
}

export function graphPageFromRow(row: Row): GraphPage {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    relevance: numberOrNull(row, 'relevance'),
  }
}

export function linkedPageFromRow(row: Row): LinkedPage {
  return {
    ...graphPageFromRow(row),
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    links: { each: (visit) => row.links !== null && eachVouchedUrl(textOf(row, 'links'), visit) },
  }
}

/** The page that a page stands for: itself, or the one it repeats. */
export function originalOf(row: Row): number {
  return numberOrNull(row, 'duplicate_of') ?? numberOf(row, 'id')
}

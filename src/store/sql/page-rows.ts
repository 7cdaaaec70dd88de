// Rows of the store as pages, totals and histories.
import {
  PAGE_KINDS,
  type PageHistory,
  type PageKind,
  type PageParts,
  type Part,
  type StoredPage,
} from '../../core/page.ts'
import { linkColumns } from '../link-columns.ts'
import type { FeedCrawl, PageSummary, PageTotals, PageWithLinks } from '../page-reader.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'

export function pageFromRow(row: Row): StoredPage {
  return {
    id: numberOf(row, 'id'),
    crawlId: numberOf(row, 'crawl_id'),
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    url: urlOf(row, 'url'),
    canonicalUrl: row.canonical_url === null ? null : urlOf(row, 'canonical_url'),
    statusCode: numberOf(row, 'status_code'),
    contentType: textOf(row, 'content_type'),
    charset: textOf(row, 'charset'),
    title: textOf(row, 'title'),
    description: textOf(row, 'description'),
    keywords: textOf(row, 'keywords'),
    language: textOf(row, 'language'),
    author: textOf(row, 'author'),
    publishedAt: numberOrNull(row, 'published_at'),
    publishedDay: typeof row.published_day === 'string' ? row.published_day : null,
    contentText: textOf(row, 'content_text'),
    kind: kindOf(row),
    html5: row.html5 === 1,
    hot: row.hot === 1,
    relevance: numberOrNull(row, 'relevance'),
    depth: numberOf(row, 'depth'),
    sizeBytes: numberOf(row, 'size_bytes'),
    truncated: row.truncated === 1,
    noindex: row.noindex === 1,
    contentHash: textOf(row, 'content_hash'),
    fetchedAt: numberOf(row, 'fetched_at'),
    fetchMs: numberOf(row, 'fetch_ms'),
    parseMs: numberOf(row, 'parse_ms'),
    etag: textOf(row, 'etag'),
    lastModified: textOf(row, 'last_modified'),
    about: textOf(row, 'about'),
  }
}

export function summaryFromRow(row: Row): PageSummary {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    title: textOf(row, 'title'),
    statusCode: numberOf(row, 'status_code'),
    contentType: textOf(row, 'content_type'),
    kind: kindOf(row),
    language: textOf(row, 'language'),
    depth: numberOf(row, 'depth'),
    sizeBytes: numberOf(row, 'size_bytes'),
    hot: row.hot === 1,
    relevance: numberOrNull(row, 'relevance'),
    noindex: row.noindex === 1,
    truncated: row.truncated === 1,
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    fetchedAt: numberOf(row, 'fetched_at'),
  }
}

export function withLinksFromRow(row: Row): PageWithLinks {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    statusCode: numberOf(row, 'status_code'),
    title: textOf(row, 'title'),
    fetchedAt: numberOf(row, 'fetched_at'),
    links: row.links === null ? [] : linkColumns(textOf(row, 'links')).urls,
  }
}

/** Those of `parts` that were kept. */
export function partsFromRow(row: Row, parts: readonly Part[]): PageParts {
  const kept = parts.filter((part) => typeof row[part] === 'string')
  return Object.fromEntries(kept.map((part) => [part, textOf(row, part)]))
}

function kindOf(row: Row): PageKind {
  return PAGE_KINDS.find((known) => known === row.kind) ?? 'other'
}

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

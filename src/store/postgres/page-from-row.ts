// The edge between a row of `pages` and a page, on the way out.
import { PAGE_KINDS, type PageKind, type StoredPage } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Row } from '../../db/postgres.ts'

export type { Row }

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
    contentText: textOf(row, 'content_text'),
    kind: kindOf(row),
    html5: isTrue(row, 'html5'),
    hot: isTrue(row, 'hot'),
    relevance: numberOrNull(row, 'relevance'),
    depth: numberOf(row, 'depth'),
    sizeBytes: numberOf(row, 'size_bytes'),
    truncated: isTrue(row, 'truncated'),
    noindex: isTrue(row, 'noindex'),
    contentHash: textOf(row, 'content_hash'),
    fetchedAt: numberOf(row, 'fetched_at'),
    fetchMs: numberOf(row, 'fetch_ms'),
    parseMs: numberOf(row, 'parse_ms'),
    etag: textOf(row, 'etag'),
    lastModified: textOf(row, 'last_modified'),
    about: textOf(row, 'about'),
  }
}

export function kindOf(row: Row): PageKind {
  return PAGE_KINDS.find((known) => known === row.kind) ?? 'other'
}

/** A URL we wrote ourselves, and only ever in its one spelling. */
export function urlOf(row: Row, column: string): CanonicalUrl {
  return textOf(row, column) as CanonicalUrl
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

export function isTrue(row: Row, column: string): boolean {
  return numberOf(row, column) === 1
}

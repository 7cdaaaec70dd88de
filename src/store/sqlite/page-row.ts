// The edge between a row of `pages` and a page: both directions, in one place.
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { PAGE_KINDS, type PageFields, type StoredPage } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { withoutNul } from './text.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

/** In the order of `pageToRow`. */
export const PAGE_COLUMNS = [
  'crawl_id',
  'duplicate_of',
  'url',
  'canonical_url',
  'status_code',
  'content_type',
  'charset',
  'title',
  'description',
  'keywords',
  'language',
  'author',
  'published_at',
  'kind',
  'html5',
  'hot',
  'relevance',
  'depth',
  'size_bytes',
  'truncated',
  'noindex',
  'content_hash',
  'fetched_at',
  'fetch_ms',
  'parse_ms',
  'etag',
  'last_modified',
  'about',
  'content_text',
] as const

export function pageToRow(
  crawlId: number,
  duplicateOf: number | null,
  page: PageFields,
): SQLInputValue[] {
  return [
    crawlId,
    duplicateOf,
    page.url,
    page.canonicalUrl,
    page.statusCode,
    withoutNul(page.contentType),
    withoutNul(page.charset),
    withoutNul(page.title),
    withoutNul(page.description),
    withoutNul(page.keywords),
    withoutNul(page.language),
    withoutNul(page.author),
    whole(page.publishedAt),
    page.kind,
    Number(page.html5),
    Number(page.hot),
    page.relevance,
    page.depth,
    page.sizeBytes,
    Number(page.truncated),
    Number(page.noindex),
    page.contentHash,
    Math.round(page.fetchedAt),
    Math.round(page.fetchMs),
    page.parseMs,
    withoutNul(page.etag),
    withoutNul(page.lastModified),
    page.about,
    withoutNul(page.contentText),
  ]
}

export function pageFromRow(row: Row): StoredPage {
  const kind = textOf(row, 'kind')
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
    kind: PAGE_KINDS.find((known) => known === kind) ?? 'other',
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

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value)
}

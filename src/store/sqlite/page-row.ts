// The edge between a row of `pages` and a page, on the way out.
import type { SQLOutputValue } from 'node:sqlite'
import { PAGE_KINDS, type StoredPage } from '../../core/page.ts'
import { numberOf, numberOrNull, textOf, urlOf } from '../row-values.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

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

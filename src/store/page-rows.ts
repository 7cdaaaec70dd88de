// The edge between rows of `pages` and pages, on the way out: the same for every database.
import {
  PAGE_KINDS,
  type PageKind,
  type PageParts,
  type Part,
  type StoredPage,
} from '../core/page.ts'
import { linkColumns } from './link-columns.ts'
import type { PageSummary, PageWithLinks } from './page-reader.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from './row-values.ts'

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

// Pages in the shapes of the API.

import { hostOf } from '../core/url.ts'
import type { PageSummary, PageWithLinks } from '../store/page-reader.ts'
import type { FetchedPage } from './shapes/job.ts'
import type { PageRow } from './shapes/page.ts'

export function pageRow(page: PageSummary): PageRow {
  return {
    id: page.id,
    url: page.url,
    host: hostOf(page.url),
    title: page.title,
    status_code: page.statusCode,
    content_type: page.contentType,
    kind: page.kind,
    language: page.language,
    depth: page.depth,
    size_bytes: page.sizeBytes,
    hot: page.hot,
    relevance: page.relevance,
    noindex: page.noindex,
    truncated: page.truncated,
    duplicate_of: page.duplicateOf,
    fetched_at: page.fetchedAt,
  }
}

export function fetchedPage(page: PageWithLinks): FetchedPage & { readonly id: number } {
  return {
    id: page.id,
    url: page.url,
    status_code: page.statusCode,
    title: page.title,
    links: [...page.links],
    crawled_at: page.fetchedAt,
  }
}

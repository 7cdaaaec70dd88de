// Converts a page into what a database keeps: a row of `pages` and its compressed body.
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { type PageFields, type PageParts, STORED_PARTS } from '../core/page.ts'
import { jsonWithoutNul, withoutNul } from '../lib/column-text.ts'
import type { PageCheck, PageToSave } from './page-store.ts'

export type PageColumn = (typeof PAGE_COLUMNS)[number]

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
  'markdown',
] as const

/** Texts without a limit of a few hundred characters; the order is that of PAGE_COLUMNS. */
export const LONG_COLUMNS = [
  'about',
  'content_text',
  'markdown',
] as const satisfies readonly PageColumn[]

/** What no reader sees of a page that is otherwise as it was. */
export const UNSEEN_COLUMNS = [
  'status_code',
  'charset',
  'size_bytes',
  'truncated',
  'content_hash',
  'fetch_ms',
  'parse_ms',
  'etag',
  'last_modified',
] as const satisfies readonly PageColumn[]

export function pageToRow(
  crawlId: number,
  duplicateOf: number | null,
  page: PageFields,
): (string | number | null)[] {
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
    jsonWithoutNul(page.about),
    withoutNul(page.contentText),
    withoutNul(page.markdown),
  ]
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value)
}

const compress = promisify(zstdCompress)
/** The fastest level: it shrinks HTML to a fifth, and a parser has other work. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** The body of a page as it is kept; null if the crawl keeps none, or there is no new page. */
export async function keptHtml(entry: PageToSave | PageCheck): Promise<Uint8Array | null> {
  return 'came' in entry || entry.page.html === null ? null : compress(entry.page.html, LEVEL)
}

/** In the order of STORED_PARTS; null: the page has none. */
export function partTexts(parts: PageParts): (string | null)[] {
  return STORED_PARTS.map((part) => {
    const json = parts[part]
    return json === undefined ? null : jsonWithoutNul(json)
  })
}

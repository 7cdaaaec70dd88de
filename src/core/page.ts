// A page as it is stored: one row of `pages` and the parts that belong to it.
import type { Link } from './link.ts'
import type { CanonicalUrl } from './url.ts'

export const PARTS = ['links', 'images', 'tables', 'forms', 'lists', 'scripts', 'styles'] as const
export type Part = (typeof PARTS)[number]

export const PAGE_KINDS = [
  'article',
  'thread',
  'listing',
  'product',
  'documentation',
  'front-page',
  'other',
] as const
export type PageKind = (typeof PAGE_KINDS)[number]

/** The columns of `pages` that the parser fills; times in epoch milliseconds. */
export type PageFields = {
  readonly url: CanonicalUrl
  readonly canonicalUrl: CanonicalUrl | null
  readonly statusCode: number
  readonly contentType: string
  readonly charset: string
  readonly title: string
  readonly description: string
  readonly keywords: string
  readonly language: string
  readonly author: string
  readonly publishedAt: number | null
  /** The main content, as clean text. */
  readonly contentText: string
  readonly kind: PageKind
  readonly html5: boolean
  readonly hot: boolean
  readonly relevance: number | null
  readonly depth: number
  /** Of the decoded body, before it was cut. */
  readonly sizeBytes: number
  readonly truncated: boolean
  readonly noindex: boolean
  /** Hex; equal for two pages exactly when their decoded bodies are equal. */
  readonly contentHash: string
  readonly fetchedAt: number
  readonly fetchMs: number
  readonly parseMs: number
  /** Validators for a later conditional request; '' when the server gave none. */
  readonly etag: string
  readonly lastModified: string
  /** A JSON object: what the page says of itself beyond the columns, and how sure its kind is. */
  readonly about: string
}

/** The parts of a page, each as the JSON text of an array: written once, never re-encoded. */
export type PageParts = Readonly<Partial<Record<Part, string>>>

/** A page on its way into the store. */
export type NewPage = {
  readonly fields: PageFields
  readonly parts: PageParts
  /** The decoded body, when the job keeps HTML. */
  readonly html: Uint8Array | null
}

/** A page read back. */
export type StoredPage = PageFields & {
  readonly id: number
  readonly crawlId: number
  readonly duplicateOf: number | null
  /**
   * The day it was published as the page writes it, `2026-01-12`: `publishedAt` may be on another one
   * in UTC. Null where that is null.
   */
  readonly publishedDay: string | null
}

/** What search wants to know of a page. */
export type SearchedPage = Pick<
  StoredPage,
  | 'id'
  | 'crawlId'
  | 'url'
  | 'title'
  | 'description'
  | 'keywords'
  | 'language'
  | 'kind'
  | 'hot'
  | 'fetchedAt'
  | 'contentText'
>

export type PageLink = Link & { readonly pageId: number }

/** What rounds after the first crawl made of a URL. */
export type PageHistory = {
  /** Of a stored page; null: it was never looked at again. */
  readonly looks: {
    readonly checks: number
    /** Of these looks, those that found it other than before. */
    readonly changes: number
    readonly checkedAt: number
    /** The last one that looked at it. */
    readonly round: number
    /** When it is likely to have changed, by experience. */
    readonly dueAt: number
  } | null
  /** Of a URL that has no page any more; null: it never had one. */
  readonly gone: {
    readonly at: number
    readonly round: number
    /** As in `urls`. */
    readonly reason: string
    /** The id it had. */
    readonly pageId: number
  } | null
}

/** The column `about` as what it holds. */
export function aboutObject(about: string): Readonly<Record<string, unknown>> {
  const known: unknown = JSON.parse(about)
  return typeof known === 'object' && known !== null ? { ...known } : {}
}

// Rows of a page's parts by name. A page has hundreds of them, so they are kept as arrays whose empty
// ends are left out: what stands where is said here once, in the words of the views `page_links` and so
// on. A row that is an object names its fields itself.

/** In the order of the row's entries. */
export const PART_COLUMNS: Readonly<Partial<Record<Part, readonly string[]>>> = {
  links: ['url', 'anchor', 'rel', 'context'],
  images: ['src', 'alt', 'width', 'height', 'best'],
  lists: ['kind', 'depth', 'links', 'entries'],
  scripts: ['src', 'type', 'load', 'length', 'text'],
  styles: ['href', 'media', 'length'],
}

export type PartRow = Readonly<Record<string, unknown>>

/** The rows of a part, from the JSON text that the parser made of them. */
export function partRows(part: Part, json: string): readonly PartRow[] {
  const rows: unknown = JSON.parse(json)
  return Array.isArray(rows) ? rows.map((row: unknown) => named(part, row)) : []
}

function named(part: Part, row: unknown): PartRow {
  if (!Array.isArray(row)) return typeof row === 'object' && row !== null ? { ...row } : { row }
  const columns = PART_COLUMNS[part] ?? []
  const length = Math.max(columns.length, row.length)
  const entries = Array.from({ length }, (_, at): [string, unknown] => [
    columns[at] ?? `column_${at + 1}`,
    row[at] ?? null,
  ])
  return Object.fromEntries(entries)
}

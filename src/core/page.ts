// A stored page: one row of `pages` and its parts.
import type { Link } from './link.ts'
import type { CanonicalUrl } from './url.ts'

export const PARTS = ['links', 'images', 'tables', 'forms', 'lists', 'scripts', 'styles'] as const
export type Part = (typeof PARTS)[number]

/** What a crawl may ask for: a part, or a part with the text of its code. */
export const PART_CHOICES = [...PARTS, 'scripts=text', 'styles=text'] as const
export type PartChoice = (typeof PART_CHOICES)[number]

export function isPart(choice: string): choice is Part {
  return PARTS.some((part) => part === choice)
}

/** What is stored like a part, but asked for in another way: see field-rules.ts. */
export const STORED_PARTS = [...PARTS, 'fields'] as const
export type StoredPart = (typeof STORED_PARTS)[number]

/** What is kept of a page only if a crawl says so. */
export const KEPT = ['html', 'markdown'] as const
export type Kept = (typeof KEPT)[number]

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
  /** The main content as Markdown; '' unless the job keeps it. */
  readonly markdown: string
  readonly kind: PageKind
  readonly html5: boolean
  readonly hot: boolean
  readonly relevance: number | null
  readonly depth: number
  /** Size of the decoded body before it was cut. */
  readonly sizeBytes: number
  readonly truncated: boolean
  readonly noindex: boolean
  /** Hex; equal for two pages if and only if their decoded bodies are equal. */
  readonly contentHash: string
  readonly fetchedAt: number
  readonly fetchMs: number
  readonly parseMs: number
  /** Validators for a later conditional request; '' if the server sent none. */
  readonly etag: string
  readonly lastModified: string
  /** A JSON object with further facts about the page, and the confidence of its kind. */
  readonly about: string
}

/** The parts of a page, each as the JSON text of an array: written once, never re-encoded. */
export type PageParts = Readonly<Partial<Record<StoredPart, string>>>

/** A page on its way into the store. */
export type NewPage = {
  readonly fields: PageFields
  readonly parts: PageParts
  /** The decoded body, if the job keeps HTML. */
  readonly html: Uint8Array | null
}

/** A page read back. */
export type StoredPage = PageFields & {
  readonly id: number
  readonly crawlId: number
  readonly duplicateOf: number | null
  /**
   * The publication day as the page writes it, `2026-01-12`; in UTC `publishedAt` may fall on another day.
   * Null if `publishedAt` is null.
   */
  readonly publishedDay: string | null
}

/** The fields of a page that search needs. */
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
  | 'publishedAt'
  | 'contentType'
  | 'contentText'
>

export type PageLink = Link & { readonly pageId: number }

/** The history of a URL over recrawls. */
export type PageHistory = {
  /** For a stored page; null if it was never revisited. */
  readonly looks: {
    readonly checks: number
    /** Revisits that found a change. */
    readonly changes: number
    readonly checkedAt: number
    /** The last recrawl that visited it. */
    readonly round: number
    /** When it is expected to have changed. */
    readonly dueAt: number
  } | null
  /** For a URL whose page is gone; null otherwise. */
  readonly gone: {
    readonly at: number
    readonly round: number
    /** As in `urls`. */
    readonly reason: string
    /** The id of the page that is gone. */
    readonly pageId: number
  } | null
}

/** The column `about`, parsed. */
export function aboutObject(about: string): Readonly<Record<string, unknown>> {
  const known: unknown = JSON.parse(about)
  return typeof known === 'object' && known !== null ? { ...known } : {}
}

/** The text of `<title>` as it is in the page, beside the cleaned one; '' without one. */
export function rawTitleOf({ raw_title: title }: Readonly<Record<string, unknown>>): string {
  return typeof title === 'string' ? title : ''
}

/** In the order of the row's values. */
export const PART_COLUMNS: Readonly<Partial<Record<Part, readonly string[]>>> = {
  links: ['url', 'anchor', 'rel', 'context'],
  images: ['src', 'alt', 'width', 'height', 'best'],
  lists: ['kind', 'depth', 'links', 'entries'],
  scripts: ['src', 'type', 'load', 'length', 'text'],
  styles: ['href', 'media', 'length', 'text'],
}

export type PartRow = Readonly<Record<string, unknown>>

/**
 * The rows of a part, parsed from its JSON, with their names. A page has hundreds of rows, so they are
 * stored as arrays without names and without trailing empty values. The names are those of the views
 * (`page_links` …). A row that is an object has its own names.
 */
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

// Whether two pages are one: fetched again and unchanged, repeated under another URL, or nearly equal.
import type { NewPage, StoredPart } from '../core/page.ts'
import { jsonWithoutNul } from '../lib/column-text.ts'
import { PAGE_COLUMNS, type PageColumn, pageToRow } from './page-columns.ts'
import type { Row } from './row-values.ts'

/** What people and programs read a page for. */
const TOLD_COLUMNS = [
  'canonical_url',
  'title',
  'description',
  'keywords',
  'language',
  'author',
  'published_at',
  'kind',
  'noindex',
  'content_text',
] as const satisfies readonly PageColumn[]
/** For a page whose text is kept with the page it duplicates. */
const HASHED_COLUMNS = TOLD_COLUMNS.map((column) =>
  column === 'content_text' ? 'content_hash' : column,
)
/** Scripts and styles carry build numbers and nonces: they differ where nothing else does. */
const TOLD_PARTS = [
  'links',
  'images',
  'tables',
  'forms',
  'lists',
  'fields',
] as const satisfies readonly StoredPart[]

/** `before`: the page's row, with its parts. */
export function differs(before: Row, { fields, parts }: NewPage): boolean {
  const now = pageToRow(0, null, fields)
  const isTextUnknown = isTextElsewhere(before)
  const columns = isTextUnknown ? HASHED_COLUMNS : TOLD_COLUMNS
  const isOther = columns.some(
    (column) => (before[column] ?? null) !== now[PAGE_COLUMNS.indexOf(column)],
  )
  // Parts are those of the page it repeats.
  if (isOther || (before.duplicate_of ?? null) !== null) return isOther
  return TOLD_PARTS.some((part) => (before[part] ?? null) !== textOf(parts[part]))
}

function textOf(json: string | undefined): string | null {
  return json === undefined ? null : jsonWithoutNul(json)
}

/** A page with its body as it is kept; null if the crawl keeps none. */
export type SavedPage = { readonly page: NewPage; readonly html: Uint8Array | null }

/**
 * A duplicate keeps its row. Parts and HTML are kept with its original only, and so is the text if the
 * contents are equal. A page of ten thousand links under a thousand addresses is stored once. `isEqual`:
 * its content equals that of its original; otherwise that is its canonical form.
 */
export function withoutContent({ page }: SavedPage, isEqual: boolean): SavedPage {
  const fields = isEqual ? { ...page.fields, contentText: '', markdown: '' } : page.fields
  return { page: { ...page, fields, parts: {} }, html: null }
}

/** True if the text of a stored page is kept with its original. */
function isTextElsewhere(row: Row): boolean {
  return (row.duplicate_of ?? null) !== null && row.content_text === ''
}

/** Words per shingle, a usual value in the literature on duplicate detection. */
const SHINGLE = 3
/** Share of common shingles (Jaccard) from which two texts count as one. */
const RESEMBLANCE = 0.9
/** Longer texts are cut here to bound the time. */
const MAX_LENGTH = 100_000

/** Whether two texts are equal except for small differences: a date, a counter, a name in the header. */
export function nearEqual(a: string, b: string): boolean {
  if (a === b) return true
  // The common shingles cannot be more than those of the smaller text.
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < RESEMBLANCE * long.length * 0.8) return false
  const [left, right] = [shinglesOf(a), shinglesOf(b)]
  let common = 0
  for (const shingle of left) if (right.has(shingle)) common++
  return common >= RESEMBLANCE * (left.size + right.size - common)
}

function shinglesOf(text: string): Set<string> {
  const words =
    text
      .slice(0, MAX_LENGTH)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const shingles = new Set<string>()
  for (let at = 0; at === 0 || at + SHINGLE <= words.length; at++) {
    shingles.add(words.slice(at, at + SHINGLE).join(' '))
  }
  return shingles
}

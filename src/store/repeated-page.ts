// What is kept of a page that repeats another: its row, and what only it can say. Parts and HTML are
// those of the first, and so is the text where the contents are equal. A page of ten thousand links
// under a thousand addresses is stored once.
import type { NewPage } from '../core/page.ts'
import type { Row } from './row-values.ts'

type Whole = { readonly page: NewPage; readonly html: Uint8Array | null }

/** `isEqual`: its content is that of the first, byte by byte; else it calls that one canonical. */
export function withoutContent({ page }: Whole, isEqual: boolean): Whole {
  const fields = isEqual ? { ...page.fields, contentText: '' } : page.fields
  return { page: { ...page, fields, parts: {} }, html: null }
}

/** Whether the text of a stored page is kept with the one it repeats. */
export function isTextElsewhere(row: Row): boolean {
  return (row.duplicate_of ?? null) !== null && row.content_text === ''
}

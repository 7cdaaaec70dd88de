// Rows of a page's parts by name. A page has hundreds of them, so they are kept as arrays whose empty
// ends are left out: what stands where is said here once, in the words of the views `page_links` and so
// on. A row that is an object names its fields itself.
import type { Part } from './page.ts'

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

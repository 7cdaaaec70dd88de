// Pages and their parts as rows: the names, types and order of the columns. The names are those of the
// store's tables and views.
import { fieldRows, fieldsObject } from '../core/field-rules.ts'
import { PARTS, type PartRow, partRows, rawTitleOf, type StoredPart } from '../core/page.ts'
import type { WholePage } from '../store/page-reader.ts'

/** `time` is epoch ms, `json` an array or an object. */
export type ColumnType = 'integer' | 'double' | 'boolean' | 'time' | 'text' | 'json'

export type Column<R> = {
  readonly name: string
  readonly type: ColumnType
  /** Null or undefined if the row has no value. */
  readonly of: (row: R) => unknown
}

export const PAGE_COLUMNS: readonly Column<WholePage>[] = [
  { name: 'id', type: 'integer', of: ({ id }) => id },
  { name: 'crawl_id', type: 'integer', of: ({ crawlId }) => crawlId },
  { name: 'url', type: 'text', of: ({ url }) => url },
  { name: 'duplicate_of', type: 'integer', of: ({ duplicateOf }) => duplicateOf },
  { name: 'canonical_url', type: 'text', of: ({ canonicalUrl }) => canonicalUrl },
  { name: 'status_code', type: 'integer', of: ({ statusCode }) => statusCode },
  { name: 'content_type', type: 'text', of: ({ contentType }) => contentType },
  { name: 'charset', type: 'text', of: ({ charset }) => charset },
  { name: 'title', type: 'text', of: ({ title }) => title },
  { name: 'raw_title', type: 'text', of: ({ about }) => rawTitleOf(Object(jsonOf(about))) },
  { name: 'description', type: 'text', of: ({ description }) => description },
  { name: 'keywords', type: 'text', of: ({ keywords }) => keywords },
  { name: 'language', type: 'text', of: ({ language }) => language },
  { name: 'author', type: 'text', of: ({ author }) => author },
  { name: 'published_at', type: 'time', of: ({ publishedAt }) => publishedAt },
  { name: 'published_day', type: 'text', of: ({ publishedDay }) => publishedDay },
  { name: 'content_text', type: 'text', of: ({ contentText }) => contentText },
  { name: 'kind', type: 'text', of: ({ kind }) => kind },
  { name: 'html5', type: 'boolean', of: ({ html5 }) => html5 },
  { name: 'hot', type: 'boolean', of: ({ hot }) => hot },
  { name: 'relevance', type: 'double', of: ({ relevance }) => relevance },
  { name: 'depth', type: 'integer', of: ({ depth }) => depth },
  { name: 'size_bytes', type: 'integer', of: ({ sizeBytes }) => sizeBytes },
  { name: 'truncated', type: 'boolean', of: ({ truncated }) => truncated },
  { name: 'noindex', type: 'boolean', of: ({ noindex }) => noindex },
  { name: 'content_hash', type: 'text', of: ({ contentHash }) => contentHash },
  { name: 'fetched_at', type: 'time', of: ({ fetchedAt }) => fetchedAt },
  { name: 'fetch_ms', type: 'integer', of: ({ fetchMs }) => fetchMs },
  { name: 'parse_ms', type: 'double', of: ({ parseMs }) => parseMs },
  { name: 'etag', type: 'text', of: ({ etag }) => etag },
  { name: 'last_modified', type: 'text', of: ({ lastModified }) => lastModified },
  { name: 'about', type: 'json', of: ({ about }) => jsonOf(about) ?? {} },
  {
    name: 'fields',
    type: 'json',
    of: ({ parts: { fields } }) => (fields === undefined ? undefined : fieldsObject(fields)),
  },
]

/** Added if they are asked for. */
const CLUSTER_COLUMNS: readonly Column<WholePage>[] = [
  { name: 'cluster', type: 'integer', of: ({ clustered }) => clustered?.cluster ?? null },
  { name: 'cluster_score', type: 'double', of: ({ clustered }) => clustered?.score ?? null },
  { name: 'cluster_terms', type: 'json', of: ({ clustered }) => clustered?.label ?? null },
  { name: 'top_terms', type: 'json', of: ({ clustered }) => clustered?.terms ?? null },
]

export function pageColumns(withClusters: boolean): readonly Column<WholePage>[] {
  return withClusters ? [...PAGE_COLUMNS, ...CLUSTER_COLUMNS] : PAGE_COLUMNS
}

/** One row of a part, and its page. */
type RowOfPart = {
  readonly page: Pick<WholePage, 'id' | 'url'>
  /** Counts from 0, in page order; of a field, among its values. */
  readonly position: number
  readonly row: PartRow
}

type Typed = readonly [name: string, type: ColumnType]

const OF_PART: Readonly<Record<StoredPart, readonly Typed[]>> = {
  links: [
    ['url', 'text'],
    ['anchor', 'text'],
    ['rel', 'text'],
    ['context', 'text'],
  ],
  images: [
    ['src', 'text'],
    ['alt', 'text'],
    ['width', 'integer'],
    ['height', 'integer'],
    ['best', 'text'],
  ],
  tables: [
    ['caption', 'text'],
    ['headers', 'json'],
    ['rows', 'json'],
  ],
  forms: [
    ['action', 'text'],
    ['method', 'text'],
    ['fields', 'json'],
  ],
  lists: [
    ['kind', 'text'],
    ['depth', 'integer'],
    ['links', 'boolean'],
    ['entries', 'json'],
  ],
  scripts: [
    ['src', 'text'],
    ['type', 'text'],
    ['load', 'text'],
    ['length', 'integer'],
    ['text', 'text'],
  ],
  styles: [
    ['href', 'text'],
    ['media', 'text'],
    ['length', 'integer'],
    ['text', 'text'],
  ],
  fields: [
    ['name', 'text'],
    ['value', 'text'],
    ['number', 'double'],
  ],
}

/** Every row has the page's URL, so that a file of links alone says which page links where. */
export function partColumns(part: StoredPart): readonly Column<RowOfPart>[] {
  return [
    { name: 'page_id', type: 'integer', of: ({ page }) => page.id },
    { name: 'page_url', type: 'text', of: ({ page }) => page.url },
    { name: 'position', type: 'integer', of: ({ position }) => position },
    ...OF_PART[part].map(([name, type]) => ({
      name,
      type,
      of: ({ row }: RowOfPart) => row[name],
    })),
  ]
}

/** The rows of a part of a page, in order; none if the crawl does not keep the part. */
export function rowsOfPart(page: WholePage, part: StoredPart): readonly RowOfPart[] {
  const json = page.parts[part]
  if (json === undefined) return []
  if (part === 'fields') return rowsOfFields(page, json)
  return partRows(part, json).map((row, position) => ({ page, position, row }))
}

/** A row for each value, as in the view `page_fields`. */
function rowsOfFields(page: WholePage, json: string): readonly RowOfPart[] {
  return fieldRows(json).flatMap(({ name, value, many }) => {
    const values: readonly unknown[] = many && Array.isArray(value) ? value : [value]
    return values.map((one, position) => ({ page, position, row: { name, ...written(one) } }))
  })
}

function written(value: unknown): { readonly value: string; readonly number: number | null } {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { value: text, number: typeof value === 'number' ? value : null }
}

/** All parts of a page by name, each an array of objects. */
export function allParts(page: WholePage): Record<string, readonly PartRow[]> {
  const kept = PARTS.filter((part) => page.parts[part] !== undefined)
  return Object.fromEntries(kept.map((part) => [part, partRows(part, page.parts[part] ?? '[]')]))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

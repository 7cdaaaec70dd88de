// Chosen fields of many pages at once, for programs that want texts in bulk.
import { fieldsObject } from '../core/field-rules.ts'
import { aboutObject, partRows, rawTitleOf } from '../core/page.ts'
import type { WholePage, WholePageFilter } from '../store/page-reader.ts'
import { namedLink } from './pages.ts'
import type { CrawlHere } from './workspace-files.ts'

/** By the name that a request uses. */
const FIELDS = {
  id: ({ id }) => id,
  url: ({ url }) => url,
  canonical_url: ({ canonicalUrl }) => canonicalUrl,
  title: ({ title }) => title,
  description: ({ description }) => description,
  keywords: ({ keywords }) => keywords,
  raw_title: ({ about }) => rawTitleOf(aboutObject(about)),
  author: ({ author }) => author,
  language: ({ language }) => language,
  kind: ({ kind }) => kind,
  published_at: ({ publishedAt }) => publishedAt,
  published_day: ({ publishedDay }) => publishedDay,
  fetched_at: ({ fetchedAt }) => fetchedAt,
  status_code: ({ statusCode }) => statusCode,
  content_type: ({ contentType }) => contentType,
  content_hash: ({ contentHash }) => contentHash,
  depth: ({ depth }) => depth,
  size_bytes: ({ sizeBytes }) => sizeBytes,
  hot: ({ hot }) => hot,
  relevance: ({ relevance }) => relevance,
  duplicate_of: ({ duplicateOf }) => duplicateOf,
  about: ({ about }) => aboutObject(about),
  text: ({ contentText }) => contentText,
  markdown: ({ markdown }) => markdown,
  fields: ({ parts }) => fieldsObject(parts.fields ?? '[]'),
  links: ({ parts }) => partRows('links', parts.links ?? '[]').map(namedLink),
} as const satisfies Record<string, (page: WholePage) => unknown>

export type BulkField = keyof typeof FIELDS
export const BULK_FIELDS: readonly BulkField[] = Object.keys(FIELDS).filter(isBulkField)

export function isBulkField(name: string): name is BulkField {
  return Object.hasOwn(FIELDS, name)
}

export type BulkQuery = {
  readonly after: number
  readonly limit: number
  readonly fields: readonly BulkField[]
  readonly filter: Omit<WholePageFilter, 'crawlIds' | 'among'>
}

/** Lines of JSON in the order of ids. `last`: the id to go on after; null when that was all. */
export type BulkPages = { readonly lines: readonly string[]; readonly last: number | null }

/** Some of them: at most `limit`, and no more than a few megabytes. Pages that say noindex are left out. */
export async function readBulk(
  { job, store }: CrawlHere,
  { after, limit, fields, filter }: BulkQuery,
): Promise<BulkPages> {
  const upTo = await store.pages.lastIdOf(job.id)
  const pages = await store.pages.wholePages(
    { filter: { ...filter, crawlIds: [job.id] }, after, upTo },
    {
      text: fields.includes('text'),
      markdown: fields.includes('markdown'),
      parts: (['links', 'fields'] as const).filter((part) => fields.includes(part)),
    },
    limit,
  )
  const lines = pages.map((page) =>
    JSON.stringify(Object.fromEntries(fields.map((name) => [name, FIELDS[name](page)]))),
  )
  return { lines, last: pages.at(-1)?.id ?? null }
}

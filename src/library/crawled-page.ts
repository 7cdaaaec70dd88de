// A stored page as programs get it: with its fields as an object.
import { fieldsObject } from '../core/field-rules.ts'
import type { PageParts, StoredPage } from '../core/page.ts'

export type CrawledPage = StoredPage & {
  /** Taken by the rules of the crawl, by name; empty without rules, and of pages that repeat another. */
  readonly fields: Readonly<Record<string, unknown>>
}

export function withFields<P extends StoredPage>(
  page: P,
  { fields = '[]' }: PageParts,
): P & Pick<CrawledPage, 'fields'> {
  return { ...page, fields: fieldsObject(fields) }
}

// What is searched for, kept in the address.

export type SearchQuery = {
  readonly q: string
  /** `crawl_1`; '': all crawls. */
  readonly crawl: string
  readonly host: string
  readonly language: string
  readonly kind: string
  readonly hot: boolean
  /** From 1. */
  readonly page: number
}

type Texts = Readonly<Record<string, string>>

export const HITS_PER_PAGE = 20
/** The server looks no deeper. */
const MAX_OFFSET = 10_000
const MAX_QUERY = 256
const CRAWL = /^crawl_[1-9][0-9]{0,14}$/

/** The facets by which results are narrowed, and the field of the query each of them sets. */
export const FACETS = [
  { facet: 'hosts', field: 'host' },
  { facet: 'languages', field: 'language' },
  { facet: 'kinds', field: 'kind' },
  { facet: 'crawls', field: 'crawl' },
] as const
export type FacetField = (typeof FACETS)[number]['field']

export function readSearchQuery(query: Texts): SearchQuery {
  const text = (name: string): string => (query[name] ?? '').slice(0, MAX_QUERY)
  const page = Math.trunc(Number(query.page ?? 1))
  const crawl = text('crawl')
  return {
    q: text('q'),
    crawl: CRAWL.test(crawl) ? crawl : '',
    host: text('host'),
    language: text('language'),
    kind: text('kind'),
    hot: query.hot === 'true',
    page: page >= 1 && page <= lastPage(Number.MAX_SAFE_INTEGER) ? page : 1,
  }
}

export function searchQueryTexts({ page, hot, ...texts }: SearchQuery): Texts {
  const given = Object.entries(texts).filter(([, text]) => text !== '')
  return {
    ...Object.fromEntries(given),
    ...(hot && { hot: 'true' }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** The same as a request to the API. */
export function searchRequest({ page, ...query }: SearchQuery): Texts {
  const offset = String((page - 1) * HITS_PER_PAGE)
  return { ...searchQueryTexts({ ...query, page: 1 }), limit: String(HITS_PER_PAGE), offset }
}

/** True when it only says what is not wanted, which nothing can be found by. */
export function onlyExcludes(q: string): boolean {
  const parts = q.match(/-?"[^"]*"?|\S+/g) ?? []
  return parts.length > 0 && parts.every((part) => /^-./.test(part))
}

/** The last page of so many hits that can be asked for; at least 1. */
export function lastPage(total: number): number {
  const pages = Math.ceil(total / HITS_PER_PAGE)
  return Math.max(1, Math.min(pages, Math.floor(MAX_OFFSET / HITS_PER_PAGE) + 1))
}

/** Sets a facet, or takes it away when it was set to this; from the first page of results. */
export function toggled(query: SearchQuery, field: FacetField, value: string): SearchQuery {
  return { ...query, [field]: query[field] === value ? '' : value, page: 1 }
}

// What the table of pages shows, kept in the address: a bookmark or the way back brings it again.
// Whatever stands there may have been typed by anybody; what makes no sense is left out.

const SORTS = ['id', 'url', 'title', 'depth', 'relevance', 'size_bytes'] as const
export type Sort = (typeof SORTS)[number]

export type PageQuery = {
  readonly text: string
  readonly host: string
  readonly kind: string
  readonly language: string
  readonly hot: boolean
  /** From 0 to 1; null: any, also pages that no topic judged. */
  readonly minRelevance: number | null
  readonly duplicates: boolean
  readonly sort: Sort
  readonly descending: boolean
}

type Texts = Readonly<Record<string, string>>

export const EVERY_PAGE: PageQuery = {
  text: '',
  host: '',
  kind: '',
  language: '',
  hot: false,
  minRelevance: null,
  duplicates: false,
  sort: 'id',
  descending: false,
}

/** The server takes no longer ones. */
const MAX_TEXT = 200

export function readPageQuery(query: Texts): PageQuery {
  const text = (name: string): string => (query[name] ?? '').slice(0, MAX_TEXT)
  const relevance = Number(query.min_relevance || Number.NaN)
  return {
    text: text('text'),
    host: text('host'),
    kind: text('kind'),
    language: text('language'),
    hot: query.hot === 'true',
    minRelevance: relevance >= 0 && relevance <= 1 ? relevance : null,
    duplicates: query.duplicates === 'true',
    sort: SORTS.find((sort) => sort === query.sort) ?? 'id',
    descending: query.descending === 'true',
  }
}

/** The filters as both the address and the API write them; what is as usual is left out. */
export function filterTexts(query: PageQuery): Texts {
  return {
    ...(query.text !== '' && { text: query.text }),
    ...(query.host !== '' && { host: query.host }),
    ...(query.kind !== '' && { kind: query.kind }),
    ...(query.language !== '' && { language: query.language }),
    ...(query.hot && { hot: 'true' }),
    ...(query.minRelevance !== null && { min_relevance: String(query.minRelevance) }),
    ...(query.duplicates && { duplicates: 'true' }),
  }
}

export function pageQueryTexts(query: PageQuery): Texts {
  return {
    ...filterTexts(query),
    ...(query.sort !== 'id' && { sort: query.sort }),
    ...(query.descending && { descending: 'true' }),
  }
}

/** How many filters narrow the table; showing duplicates widens it. */
export function filterCount(query: PageQuery): number {
  return Object.keys(filterTexts(query)).filter((name) => name !== 'duplicates').length
}

export function withoutFilters({ sort, descending }: PageQuery): PageQuery {
  return { ...EVERY_PAGE, sort, descending }
}

/** Figures are most telling from the top, texts from A. */
const LARGEST_FIRST: readonly Sort[] = ['relevance', 'size_bytes']

/** A click on a column's header: sorts by it, or turns the order round. */
export function sortedBy(query: PageQuery, sort: Sort): PageQuery {
  const descending = query.sort === sort ? !query.descending : LARGEST_FIRST.includes(sort)
  return { ...query, sort, descending }
}

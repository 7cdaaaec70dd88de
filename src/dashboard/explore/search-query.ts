// What is searched for, kept in the address, and where a text matches it.

/** As the API takes it. */
export const SINCES = ['1d', '7d', '30d', '365d'] as const
type Since = (typeof SINCES)[number]
export const SORTED = ['published', 'fetched'] as const
type SortedBy = (typeof SORTED)[number]

export type SearchQuery = {
  readonly q: string
  /** Pages like the one with this URL, instead of `q`; '': not asked for. */
  readonly like: string
  /** `crawl_1`; '': all crawls. */
  readonly crawl: string
  readonly host: string
  readonly language: string
  readonly kind: string
  /** What a crawl is about. */
  readonly topic: string
  /** How long ago a page was fetched at most; '': any time. */
  readonly since: Since | ''
  /** The same for the day that a page gives as its own. */
  readonly published: Since | ''
  /** ''; the best first. */
  readonly sort: SortedBy | ''
  readonly hot: boolean
  /** Also pages that say nearly the same as another one. */
  readonly all: boolean
  /** Only what is new in a saved search: what changed after this cursor, and its name; '': everything. */
  readonly after: string
  readonly saved: string
  /** From 1. */
  readonly page: number
}

type Texts = Readonly<Record<string, string>>

const HITS_PER_PAGE = 20
/** The server looks no deeper. */
const MAX_OFFSET = 10_000
export const MAX_QUERY = 10_000
const CRAWL = /^crawl_[1-9][0-9]{0,14}$/

/** The facets by which results are narrowed, and the field of the query each of them sets. */
export const FACETS = [
  { facet: 'hosts', field: 'host' },
  { facet: 'languages', field: 'language' },
  { facet: 'kinds', field: 'kind' },
  { facet: 'crawls', field: 'crawl' },
  { facet: 'topics', field: 'topic' },
] as const
export type FacetField = (typeof FACETS)[number]['field']

export function readSearchQuery(query: Texts): SearchQuery {
  const text = (name: string): string => (query[name] ?? '').slice(0, MAX_QUERY)
  const page = Math.trunc(Number(query.page ?? 1))
  const crawl = text('crawl')
  return {
    q: text('q'),
    like: text('like'),
    crawl: CRAWL.test(crawl) ? crawl : '',
    host: text('host'),
    language: text('language'),
    kind: text('kind'),
    topic: text('topic'),
    since: SINCES.find((since) => since === query.since) ?? '',
    published: SINCES.find((since) => since === query.published) ?? '',
    sort: SORTED.find((by) => by === query.sort) ?? '',
    hot: query.hot === 'true',
    all: query.all === 'true',
    after: /^[0-9]{1,15}$/.test(text('after')) ? text('after') : '',
    saved: text('saved'),
    page: page >= 1 && page <= lastPage(Number.MAX_SAFE_INTEGER) ? page : 1,
  }
}

export function searchQueryTexts({ page, hot, all, ...texts }: SearchQuery): Texts {
  const given = Object.entries(texts).filter(([, text]) => text !== '')
  return {
    ...Object.fromEntries(given),
    ...(hot && { hot: 'true' }),
    ...(all && { all: 'true' }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** The same as a request to the API. */
export function searchRequest({ page, ...query }: SearchQuery): Texts {
  const offset = String((page - 1) * HITS_PER_PAGE)
  const { published, after, saved: _, ...texts } = searchQueryTexts({ ...query, page: 1 })
  const since = published === undefined ? {} : { published_since: published }
  const news = after === undefined ? {} : { changed_after: after }
  return { q: query.q, ...texts, ...since, ...news, limit: String(HITS_PER_PAGE), offset }
}

/** The same as a search to keep. */
export function savedBody({ hot, all, ...query }: SearchQuery): Readonly<Record<string, unknown>> {
  const asked = { ...query, hot: false, all: false, after: '', saved: '', like: '', page: 1 }
  const { limit: _, offset: __, ...texts } = searchRequest(asked)
  return { ...texts, ...(hot && { hot }), ...(all && { all }) }
}

/** A kept search as texts of an address; what the form does not have is left out. */
export function searchTextsOf(request: Readonly<Record<string, unknown>>): Texts {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(request)) texts[name] = String(value)
  const { published_since: published = '' } = texts
  return searchQueryTexts(readSearchQuery({ ...texts, published }))
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

type Piece = { readonly text: string; readonly marked: boolean }

/** More marks than anybody reads. */
const MAX_MARKS = 200

/**
 * Where a text matches a query, told by offsets, turned into pieces that are shown one after the other:
 * nothing of the text is ever read as markup. Offsets come from a server that may be of another version, so
 * none of them is taken on trust.
 */
export function markedPieces(text: string, marks: readonly (readonly number[])[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const add = (to: number, marked: boolean): void => {
    if (to > at) pieces.push({ text: text.slice(at, to), marked })
    at = Math.max(at, to)
  }
  for (const [start, end] of inOrder(text, marks)) {
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return pieces
}

function inOrder(text: string, marks: readonly (readonly number[])[]): [number, number][] {
  return marks
    .slice(0, MAX_MARKS)
    .map(([start = 0, end = 0]): [number, number] => [inText(start, text), inText(end, text)])
    .filter(([start, end]) => start < end)
    .sort(([a], [b]) => a - b)
}

/** The offset within the text, and not between the halves of one character. */
function inText(offset: number, text: string): number {
  const at = Number.isInteger(offset) ? Math.min(text.length, Math.max(0, offset)) : 0
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  const afterHigh = at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return isLow && afterHigh ? at - 1 : at
}

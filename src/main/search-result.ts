// What the API asks of search, and what search found, each in the words of the other.
import { jobId } from '../api/job-id.ts'
import type { SearchRequest } from '../api/place-reads.ts'
import type { SearchResult } from '../api/shapes/page.ts'
import { hostOf } from '../core/url.ts'
import type { Found, Hit, Search, SearchFilter } from '../search/search-index.ts'

export function searchFrom(request: SearchRequest): Search {
  const { query, limit, offset } = request
  return { text: query, filter: filterFrom(request), limit, offset }
}

function filterFrom({ crawlId, host, language, kind, hot }: SearchRequest): SearchFilter {
  return {
    ...(crawlId === undefined ? {} : { crawlId }),
    ...(host === undefined ? {} : { host }),
    ...(language === undefined ? {} : { language }),
    ...(kind === undefined ? {} : { kind }),
    ...(hot === undefined ? {} : { hot }),
  }
}

export function nothingFound({ query }: SearchRequest, behind: number): SearchResult {
  const facets = { hosts: [], languages: [], kinds: [], crawls: [] }
  return { query, total: 0, hits: [], facets, behind }
}

export function resultFrom({ used, total, hits, facets }: Found, behind: number): SearchResult {
  const crawls = facets.crawls.map(({ value, count }) => ({ value: jobId(Number(value)), count }))
  const copied = {
    hosts: [...facets.hosts],
    languages: [...facets.languages],
    kinds: [...facets.kinds],
    crawls,
  }
  return { query: used, total, hits: hits.map(hitFrom), facets: copied, behind }
}

function hitFrom({ page, score, title, snippet }: Hit): SearchResult['hits'][number] {
  return {
    id: page.id,
    crawl: jobId(page.crawlId),
    url: page.url,
    host: hostOf(page.url),
    title: page.title,
    snippet: snippet.text,
    title_marks: title.marks.map((mark) => [...mark]),
    snippet_marks: snippet.marks.map((mark) => [...mark]),
    score,
    language: page.language,
    kind: page.kind,
    hot: page.hot,
    fetched_at: page.fetchedAt,
  }
}

// What search found, in the words of the API.
import { jobId } from '../core/job-id.ts'
import { hostOf } from '../core/url.ts'
import type { Found, Hit } from '../search/search-index.ts'
import type { SearchResult } from './shapes/page.ts'

/** Where there is no index, nor anything to make one of. */
export function nothingFound(query: string, behind: number): SearchResult {
  const facets = { hosts: [], languages: [], kinds: [], crawls: [], topics: [] }
  const nothing = { cut: false, total: 0, pages: 0, whole: 0, suggestion: null, hits: [] }
  return { query, ...nothing, facets, behind }
}

export function resultFrom(found: Found, behind: number): SearchResult {
  const { used, cut, total, pages, whole, suggestion, hits, facets } = found
  const crawls = facets.crawls.map(({ value, count }) => ({ value: jobId(Number(value)), count }))
  const copied = {
    hosts: [...facets.hosts],
    languages: [...facets.languages],
    kinds: [...facets.kinds],
    crawls,
    topics: [...facets.topics],
  }
  const shown = hits.map(hitFrom)
  return { query: used, cut, total, pages, whole, suggestion, hits: shown, facets: copied, behind }
}

function hitFrom({ page, score, title, snippet, others }: Hit): SearchResult['hits'][number] {
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
    others,
    language: page.language,
    kind: page.kind,
    hot: page.hot,
    fetched_at: page.fetchedAt,
  }
}

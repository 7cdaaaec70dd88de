// What the readers of a workspace answer, under names that stay.
import type { StoredPage } from '../core/page.ts'
import type { UrlRecord } from '../core/visit.ts'
import type { Explanation } from '../reads/explanation.ts'
import type { PageGraph, SearchResult, SiteGraph } from '../reads/shapes/page.ts'

/** What became of one URL, and why. */
export type UrlStory = {
  readonly url: string
  /** Null if the crawl has never seen the URL. */
  readonly row: UrlRecord | null
  /** From the page it was found on back to a seed. */
  readonly path: readonly string[]
  /** How the first of the path led to it; null if that is not known. */
  readonly via: 'link' | 'redirect' | 'sitemap' | null
  readonly page: StoredPage | null
  /** By the ordering, now; null if it never waited. */
  readonly score: number | null
  readonly scoreParts: Readonly<Record<string, number>>
  /** URLs of its host that go before it; null if it does not wait. */
  readonly ahead: number | null
}

export function storyOf(told: Omit<Explanation, 'now'>): UrlStory {
  const { url, row, path, via, page, score, ahead } = told
  const scoreParts = Object.fromEntries(
    (score?.parts ?? []).map(({ name, value }) => [name, value]),
  )
  return { url, row, path, via, page, score: score?.score ?? null, scoreParts, ahead }
}

export type SearchHit = {
  readonly id: number
  /** Such as `crawl_3`. */
  readonly crawl: string
  readonly url: string
  readonly title: string
  /** Plain text around the words. */
  readonly snippet: string
  /** Where the words are: [start, end) in UTF-16 units of `title` and of `snippet`. */
  readonly titleMarks: readonly (readonly number[])[]
  readonly snippetMarks: readonly (readonly number[])[]
  /** Texts of links to the page with words that it does not have itself. */
  readonly linkTexts: readonly {
    readonly text: string
    readonly marks: readonly (readonly number[])[]
  }[]
  readonly score: number
  /** Further matches with nearly the same text, or of the same URL in other crawls. */
  readonly others: number
  readonly language: string
  readonly kind: string
  readonly hot: boolean
  readonly fetchedAt: number
}

export type FacetValue = { readonly value: string; readonly count: number }

export type SearchAnswer = {
  /** Hits that can be paged through. */
  readonly total: number
  /** Another query that finds more, where next to nothing was found. */
  readonly suggestion: string | null
  readonly hits: readonly SearchHit[]
  /** How many hits there are of each value. */
  readonly facets: Readonly<
    Record<'hosts' | 'languages' | 'kinds' | 'crawls' | 'topics', readonly FacetValue[]>
  >
  /** Changes of the store that cannot be searched yet. */
  readonly behind: number
}

export function answerOf({ total, suggestion, hits, facets, behind }: SearchResult): SearchAnswer {
  const shown = hits.map((hit) => {
    const { title_marks: titleMarks, snippet_marks: snippetMarks, host: _, ...rest } = hit
    const { fetched_at: fetchedAt, link_texts: linkTexts, ...facts } = rest
    return { ...facts, titleMarks, snippetMarks, linkTexts, fetchedAt }
  })
  return { total, suggestion, hits: shown, facets, behind }
}

export type LinkGraph<Node, Edge> = {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  /** Of the whole crawl. */
  readonly totalNodes: number
  readonly totalEdges: number
}

type Degrees = {
  readonly pagerank: number
  /** Links to it and from it. */
  readonly in: number
  readonly out: number
}

export type PageNode = Degrees & {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly host: string
  readonly depth: number
  readonly hot: boolean
  readonly relevance: number | null
}

export type PageEdge = { readonly source: number; readonly target: number }

export type SiteNode = Degrees & {
  readonly id: number
  readonly host: string
  /** Its registrable domain. */
  readonly site: string
  readonly pages: number
  readonly hot: number
  /** The mean of its pages; null where no topic judged them. */
  readonly relevance: number | null
}

/** `links`: how many links of pages there to pages here. */
export type SiteEdge = PageEdge & { readonly links: number }

export function pageGraphOf(graph: PageGraph): LinkGraph<PageNode, PageEdge> {
  const { nodes, edges, total_nodes: totalNodes, total_edges: totalEdges } = graph
  return { nodes, edges, totalNodes, totalEdges }
}

export function siteGraphOf(graph: SiteGraph): LinkGraph<SiteNode, SiteEdge> {
  const { nodes, edges, total_nodes: totalNodes, total_edges: totalEdges } = graph
  return { nodes, edges, totalNodes, totalEdges }
}

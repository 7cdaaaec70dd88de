// The best pages and hosts of a crawl by its link graph.
import { weightsOf } from '../core/importance.ts'
import { hostOf } from '../core/url.ts'
import { importanceOf } from '../graph/importance.ts'
import type { PageImportance } from '../store/importance-store.ts'
import type { CrawlGraph } from './crawl-graph.ts'
import { countSites, degreeOf, hotPages, type Sites, siteFacts } from './maps.ts'
import type { Ranked } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

export const RANKED_BY = ['pagerank', 'backlinks', 'importance', 'out'] as const
export type RankedBy = (typeof RANKED_BY)[number]

/** A line of `rank --json`. */
export type RankedPage = {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly host: string
  readonly pagerank: number
  /** Other pages of the crawl that link here; `in` is the same under the name that graphs use. */
  readonly backlinks: number
  readonly in: number
  /** Other pages of the crawl that it links to; null: not known. */
  readonly out: number | null
  readonly importance: number
  readonly relevance: number | null
}

/** A line of `rank --hosts --json`. */
export type RankedHost = {
  readonly host: string
  readonly site: string
  readonly pages: number
  readonly hot: number
  /** The sum over its pages. */
  readonly pagerank: number
  /** Links of pages elsewhere to pages here. */
  readonly backlinks: number
  /** Other hosts that link here, and that it links to. */
  readonly in: number
  readonly out: number
  /** Mean over its pages; null where no topic judged them. */
  readonly relevance: number | null
}

/** Which of them, and how many. */
type Wish = { readonly by: RankedBy; readonly host: string | null; readonly top: number }

/** Pages are read by so many ids at once. */
const ROWS_AT_ONCE = 500

/** From the graph as it was read just now. */
export async function pagesByGraph(
  here: CrawlHere,
  crawl: CrawlGraph,
  { by, host, top }: Wish,
): Promise<readonly RankedPage[]> {
  const { graph, ids, metrics, hosts, hostAt } = crawl
  const importance = importanceOf(metrics, weightsOf(here.job.settings))
  const measures: Readonly<Record<RankedBy, (node: number) => number>> = {
    pagerank: (node) => metrics.pagerank[node] ?? 0,
    backlinks: (node) => metrics.backlinks[node] ?? 0,
    importance: (node) => importance[node] ?? 0,
    out: (node) => degreeOf(graph, node),
  }
  const place = host === null ? null : hosts.indexOf(host)
  const own = crawl.ranked.filter((node) => place === null || hostAt[node] === place)
  // They come by PageRank, which a stable sort keeps where they are equal.
  const best = own.sort((a, b) => measures[by](b) - measures[by](a)).subarray(0, top)
  return withPages(
    here,
    Array.from(best, (node) => {
      const backlinks = metrics.backlinks[node] ?? 0
      return {
        id: ids[node] ?? 0,
        pagerank: metrics.pagerank[node] ?? 0,
        ...{ backlinks, in: backlinks, out: degreeOf(graph, node) },
        importance: importance[node] ?? 0,
      }
    }),
  )
}

/** As it was computed when the crawl ended; none where it was not. */
export async function pagesAsKept(
  here: CrawlHere,
  { by, host, top }: Wish,
): Promise<readonly RankedPage[]> {
  const kept = await here.store.importance.best(here.job.id, top, {
    ...(by === 'out' ? {} : { by }),
    ...(host === null ? {} : { host }),
  })
  return withPages(
    here,
    kept.map(({ pageId, pagerank, backlinks, importance }) => {
      return { id: pageId, pagerank, backlinks, in: backlinks, out: null, importance }
    }),
  )
}

type Figures = Omit<RankedPage, 'url' | 'title' | 'host' | 'relevance'>

/** Those that are gone since are left out. */
async function withPages(
  { job, store }: CrawlHere,
  rows: readonly Figures[],
): Promise<readonly RankedPage[]> {
  const ranked: RankedPage[] = []
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const some = rows.slice(first, first + ROWS_AT_ONCE)
    const pages = await store.pages.summariesOf(
      job.id,
      some.map(({ id }) => id),
    )
    const found = new Map(pages.map((page) => [page.id, page]))
    for (const { id, ...figures } of some) {
      const page = found.get(id)
      if (page === undefined) continue
      const { url, title, relevance } = page
      ranked.push({ id, url, title, host: hostOf(url), ...figures, relevance })
    }
  }
  return ranked
}

export async function hostsByGraph(
  { job, store }: CrawlHere,
  crawl: CrawlGraph,
  { by, host, top }: Wish,
): Promise<readonly RankedHost[]> {
  const sites = countSites(crawl)
  const hot = hotPages(await store.pages.hosts(job.id))
  const backlinks = linksToHosts(sites)
  const rows = Array.from(sites.ranked, (place): RankedHost => {
    const { id: _, relevance, pagerank, ...facts } = siteFacts(sites, hot, place)
    return { ...facts, pagerank, backlinks: backlinks[place] ?? 0, relevance }
  })
  const measure = by === 'out' ? 'out' : by === 'backlinks' ? 'backlinks' : 'pagerank'
  return rows
    .filter((row) => host === null || row.host === host)
    .sort(
      (a, b) => b[measure] - a[measure] || b.pagerank - a.pagerank || (a.host < b.host ? -1 : 1),
    )
    .slice(0, top)
}

function linksToHosts({ graph, links }: Sites): Float64Array {
  const counts = new Float64Array(graph.nodes)
  for (let source = 0; source < graph.nodes; source++) {
    for (let at = graph.offsets[source] ?? 0; at < (graph.offsets[source + 1] ?? 0); at++) {
      const target = graph.targets[at] ?? 0
      counts[target] = (counts[target] ?? 0) + links(source, target)
    }
  }
  return counts
}

/** As computed when the crawl ended, else from its graph now. */
export async function readRank(
  { job, store }: CrawlHere,
  limit: number,
  graph: () => Promise<CrawlGraph | null>,
): Promise<Ranked> {
  const kept = await store.importance.best(job.id, limit)
  const best = kept.length > 0 ? kept : bestNow(await graph(), weightsOf(job.settings), limit)
  const rows = await store.pages.summariesOf(
    job.id,
    best.map(({ pageId }) => pageId),
  )
  const shown = new Map(rows.map((row) => [row.id, row]))
  return {
    pages: best.flatMap(({ pageId, ...figures }) => {
      const row = shown.get(pageId)
      return row === undefined ? [] : [{ id: pageId, url: row.url, title: row.title, ...figures }]
    }),
  }
}

function bestNow(
  crawl: CrawlGraph | null,
  weights: ReturnType<typeof weightsOf>,
  limit: number,
): readonly PageImportance[] {
  if (crawl === null) return []
  const { ids, metrics } = crawl
  const importance = importanceOf(metrics, weights)
  const nodes = Uint32Array.from(ids.keys()).sort(
    (a, b) => (importance[b] ?? 0) - (importance[a] ?? 0) || a - b,
  )
  return Array.from(nodes.subarray(0, limit), (node) => {
    const similarity = metrics.similarity[node] ?? Number.NaN
    return {
      pageId: ids[node] ?? 0,
      similarity: Number.isNaN(similarity) ? null : similarity,
      backlinks: metrics.backlinks[node] ?? 0,
      pagerank: metrics.pagerank[node] ?? 0,
      location: metrics.location[node] ?? 0,
      importance: importance[node] ?? 0,
    }
  })
}

// Maps of a crawl: its best pages, or its hosts, and the links among them; and the links to one page.
import { hostOf, siteOf } from '../core/url.ts'
import { type Graph, GraphBuilder, reversed } from '../graph/graph.ts'
import type { HostPages, PageSummary } from '../store/page-reader.ts'
import type { CrawlGraph } from './crawl-graph.ts'
import type { PageGraph, PageInFull, SiteGraph } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

/** What a browser draws fluently; more lines would only be a grey area. */
export const MAX_EDGES = 50_000

type PageMapOptions = { readonly top: number; readonly host?: string }

export async function pageMap(
  { job, store }: CrawlHere,
  crawl: CrawlGraph,
  { top, host }: PageMapOptions,
): Promise<PageGraph> {
  const { ids } = crawl
  const { ranked, nodes, edges } = chosenNodes(crawl, host)
  const best = ranked.subarray(0, top)
  const rows = await store.pages.summariesOf(
    job.id,
    Array.from(best, (node) => ids[node] ?? 0),
  )
  const shown = new Map(rows.map((row) => [row.id, row]))
  const drawn = best.filter((node) => shown.has(ids[node] ?? 0))
  return {
    nodes: Array.from(drawn).flatMap((node) => {
      const row = shown.get(ids[node] ?? 0)
      if (row === undefined) return []
      return [pageFacts(crawl, node, row)]
    }),
    edges: Array.from(edgesAmong(crawl, drawn), ([from, to]) => ({
      source: ids[from] ?? 0,
      target: ids[to] ?? 0,
    })),
    total_nodes: nodes,
    total_edges: edges,
  }
}

/** What maps tell of a page. */
export function pageFacts(
  { graph, back, metrics }: Pick<CrawlGraph, 'graph' | 'back' | 'metrics'>,
  node: number,
  { id, url, title, depth, hot, relevance }: PageSummary,
) {
  const pagerank = metrics.pagerank[node] ?? 0
  const degrees = { in: degreeOf(back, node), out: degreeOf(graph, node) }
  return { id, url, title, host: hostOf(url), depth, hot, relevance, pagerank, ...degrees }
}

/** All nodes of a crawl or of one host by rank, and how many edges there are among them. */
function chosenNodes({ graph, ranked, hosts, hostAt }: CrawlGraph, host: string | undefined) {
  if (host === undefined) return { ranked, nodes: graph.nodes, edges: graph.edges }
  const place = hosts.indexOf(host)
  const own = ranked.filter((node) => hostAt[node] === place)
  let edges = 0
  for (const node of own) {
    for (const target of targetsOf(graph, node)) if (hostAt[target] === place) edges++
  }
  return { ranked: own, nodes: own.length, edges }
}

type Pair = readonly [from: number, to: number]

/**
 * Edges among nodes that come best first, at most so many. Where not all may come, each node first has its share
 * of those with better nodes, so that none is drawn without lines; what is left goes to the best.
 */
export function* edgesAmong(
  crawl: Pick<CrawlGraph, 'graph' | 'back'>,
  best: Uint32Array,
  most = MAX_EDGES,
): Generator<Pair> {
  const isWhole = crawl.graph.edges <= most
  const share = isWhole ? crawl.graph.edges : Math.max(1, Math.floor(most / (best.length || 1)))
  let count = 0
  for (const isFirstTurn of isWhole ? [true] : [true, false]) {
    const better = new Uint8Array(crawl.graph.nodes)
    for (const node of best) {
      const own = edgesWith(crawl, node, better)
      if (own.length > share) own.sort((a, b) => linkedIn(crawl, a) - linkedIn(crawl, b))
      for (const pair of isFirstTurn ? own.slice(0, share) : own.slice(share)) {
        if (count++ >= most) return
        yield pair
      }
      better[node] = 1
    }
  }
}

function edgesWith(
  { graph, back }: Pick<CrawlGraph, 'graph' | 'back'>,
  node: number,
  better: Uint8Array,
): Pair[] {
  const pairs: Pair[] = []
  for (const target of targetsOf(graph, node)) if (better[target]) pairs.push([node, target])
  for (const source of targetsOf(back, node)) if (better[source]) pairs.push([source, node])
  return pairs
}

/** A link that every page has tells least. */
function linkedIn({ back }: Pick<CrawlGraph, 'back'>, [, to]: Pair): number {
  return degreeOf(back, to)
}

export function targetsOf({ offsets, targets }: Graph, node: number): Uint32Array {
  return targets.subarray(offsets[node] ?? 0, offsets[node + 1] ?? 0)
}

export function degreeOf({ offsets }: Graph, node: number): number {
  return (offsets[node + 1] ?? 0) - (offsets[node] ?? 0)
}

export type Sites = ReturnType<typeof countSites>

/** What is shown of them: the best `top` hosts and the links among them. */
export function siteMap(
  sites: Sites,
  counted: readonly HostPages[],
  { top }: { readonly top: number },
): SiteGraph {
  const { graph, links, ranked } = sites
  const hot = hotPages(counted)
  const best = ranked.subarray(0, top)
  return {
    nodes: Array.from(best, (place) => siteFacts(sites, hot, place)),
    edges: Array.from(edgesAmong(sites, best), ([source, target]) => ({
      source,
      target,
      links: links(source, target),
    })),
    total_nodes: graph.nodes,
    total_edges: graph.edges,
  }
}

/** By host. */
export function hotPages(counted: readonly HostPages[]): ReadonlyMap<string, number> {
  return new Map(counted.map(({ host, hot }) => [host, hot]))
}

/** What maps tell of a host. */
export function siteFacts(
  { hosts, sums, graph, back }: Sites,
  hot: ReadonlyMap<string, number>,
  place: number,
) {
  const host = hosts[place] ?? ''
  const judged = sums.judged[place] ?? 0
  return {
    ...{ id: place, host, site: siteOf(host) },
    pages: sums.pages[place] ?? 0,
    hot: hot.get(host) ?? 0,
    relevance: judged === 0 ? null : (sums.relevance[place] ?? 0) / judged,
    pagerank: sums.pagerank[place] ?? 0,
    in: degreeOf(back, place),
    out: degreeOf(graph, place),
  }
}

const counted = new WeakMap<CrawlGraph, Sites>()

/** Counted once for each graph, and gone with it. */
export function sitesOf(graph: CrawlGraph): Sites {
  const sites = counted.get(graph) ?? countSites(graph)
  counted.set(graph, sites)
  return sites
}

/** All that maps of a crawl's hosts have in common. */
export function countSites(crawl: CrawlGraph) {
  const { graph, links } = hostGraph(crawl)
  const { hosts } = crawl
  const sums = hostSums(crawl)
  // Best first, equal ones in the order they came.
  const ranked = Uint32Array.from(hosts.keys()).sort(
    (a, b) => (sums.pagerank[b] ?? 0) - (sums.pagerank[a] ?? 0) || a - b,
  )
  return { hosts, sums, graph, back: reversed(graph), links, ranked }
}

/** Over the pages of each host. */
function hostSums({ hosts, hostAt, metrics }: CrawlGraph) {
  const pages = new Uint32Array(hosts.length)
  const judged = new Uint32Array(hosts.length)
  const relevance = new Float64Array(hosts.length)
  const pagerank = new Float64Array(hosts.length)
  for (const [node, place] of hostAt.entries()) {
    pages[place] = (pages[place] ?? 0) + 1
    pagerank[place] = (pagerank[place] ?? 0) + (metrics.pagerank[node] ?? 0)
    const known = metrics.similarity[node] ?? Number.NaN
    if (Number.isNaN(known)) continue
    judged[place] = (judged[place] ?? 0) + 1
    relevance[place] = (relevance[place] ?? 0) + known
  }
  return { pages, judged, relevance, pagerank }
}

/** Which host links to which other one, and from how many pages to how many: each pair of pages once. */
function hostGraph({ graph, hosts, hostAt }: CrawlGraph) {
  const builder = new GraphBuilder()
  const counts = new Map<number, number>()
  const keyOf = (source: number, target: number): number => source * hosts.length + target
  for (let node = 0; node < graph.nodes; node++) {
    const source = hostAt[node] ?? 0
    for (const targetNode of targetsOf(graph, node)) {
      const target = hostAt[targetNode] ?? 0
      if (target === source) continue
      const key = keyOf(source, target)
      const before = counts.get(key) ?? 0
      if (before === 0) builder.add(source, target)
      counts.set(key, before + 1)
    }
  }
  const sites: Graph = builder.build(hosts.length)
  const links = (source: number, target: number): number => counts.get(keyOf(source, target)) ?? 0
  return { graph: sites, links }
}

const SHOWN = 200

/**
 * How many pages link to a page, and the first of them with the words of their links. A page that repeats another
 * has the links to that one.
 */
export async function linksIn(
  { job, store }: CrawlHere,
  { back, ids, names, nodeOf }: CrawlGraph,
  pageId: number,
): Promise<PageInFull['links_in']> {
  const [page] = await store.pages.summariesOf(job.id, [pageId])
  const original = page?.duplicateOf ?? pageId
  const node = nodeOf(original)
  if (page === undefined || node === undefined) return { total: 0, pages: [] }
  const sources = targetsOf(back, node)
  const first = Array.from(sources.subarray(0, SHOWN), (source) => ids[source] ?? 0)
  const rows = await store.pages.summariesOf(job.id, first)
  const pages = []
  for (const { id, url, title } of rows) {
    const links = await store.pages.linksOf(id)
    const link = links.find((link) => names.find(link.url) === original)
    pages.push({ id, url, title, anchor: link?.anchor ?? '' })
  }
  return { total: sources.length, pages }
}

// The site map: hosts instead of pages. A host's rank is that of its pages together.

import { siteOf } from '../core/url.ts'
import { type Graph, GraphBuilder, reversed } from '../graph/graph.ts'
import type { HostPages } from '../store/page-reader.ts'
import type { CrawlGraph } from './crawl-graph.ts'
import { degreeOf, edgesAmong, targetsOf } from './page-map.ts'
import type { SiteGraph } from './shapes/page.ts'

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

// The page map: the best pages of a crawl and the links among them.

import { hostOf } from '../core/url.ts'
import type { Graph } from '../graph/graph.ts'
import type { PageSummary } from '../store/page-reader.ts'
import type { CrawlGraph } from './crawl-graph.ts'
import type { PageGraph } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

/** What a browser draws fluently; more lines would only be a grey area. */
export const MAX_EDGES = 50_000

export type PageMapOptions = { readonly top: number; readonly host?: string }

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

/** Edges among nodes that come best first: those between the best come first, too. At most so many. */
export function* edgesAmong(
  { graph, back }: Pick<CrawlGraph, 'graph' | 'back'>,
  best: Uint32Array,
  most = MAX_EDGES,
): Generator<readonly [from: number, to: number]> {
  const better = new Uint8Array(graph.nodes)
  let count = 0
  for (const node of best) {
    for (const target of targetsOf(graph, node))
      if (better[target] && count++ < most) yield [node, target]
    for (const source of targetsOf(back, node))
      if (better[source] && count++ < most) yield [source, node]
    if (count >= most) return
    better[node] = 1
  }
}

export function targetsOf({ offsets, targets }: Graph, node: number): Uint32Array {
  return targets.subarray(offsets[node] ?? 0, offsets[node + 1] ?? 0)
}

export function degreeOf({ offsets }: Graph, node: number): number {
  return (offsets[node + 1] ?? 0) - (offsets[node] ?? 0)
}

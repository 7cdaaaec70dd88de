// A map inside a saved page. `html.ts` writes it; the dashboard's code reads it in the browser.
import type { DrawnMap } from './drawn-map.ts'
import type { MapKind, MapSource, MapSubject } from './map-format.ts'
import { createMap, type MapGraph, type MapNode } from './map-graph.ts'

/** Nodes are ordered by rank and identified by their index. */
export type SavedMap = {
  readonly kind: MapKind
  readonly subject: MapSubject
  readonly totalNodes: number
  readonly totalEdges: number
  readonly nodes: readonly SavedNode[]
  /** x and y of each node, in tenths. */
  readonly positions: readonly number[]
  /** Source and target of each edge. */
  readonly edges: readonly number[]
  /** Number of links of each edge; empty if it is always one. */
  readonly links: readonly number[]
}

type SavedNode = readonly [
  label: string,
  url: string,
  host: string,
  group: string,
  rank: number,
  relevance: number | null,
  hot: 0 | 1,
  linksIn: number,
  linksOut: number,
  pages: number | null,
]

export function saveMap(source: MapSource, { graph, edges, positions }: DrawnMap): SavedMap {
  const { kind, subject, totalNodes, totalEdges } = source
  return {
    ...{ kind, subject, totalNodes, totalEdges },
    nodes: graph.nodes.map(savedNode),
    positions: Array.from(positions, (value) => Math.round(value * 10)),
    edges: Array.from(edges).flatMap((edge) => [
      graph.sources[edge] ?? 0,
      graph.targets[edge] ?? 0,
    ]),
    links: kind === 'sites' ? Array.from(edges, (edge) => graph.weights[edge] ?? 1) : [],
  }
}

function savedNode({ label, url, host, group, rank, relevance, hot, ...node }: MapNode): SavedNode {
  const short = Number(rank.toPrecision(6))
  return [label, url, host, group, short, relevance, hot ? 1 : 0, node.in, node.out, node.pages]
}

export function readSavedMap({ nodes, positions, edges, links }: SavedMap): {
  readonly graph: MapGraph
  readonly positions: Float32Array
} {
  const named = nodes.map(
    ([label, url, host, group, rank, relevance, hot, linksIn, linksOut, pages], id): MapNode => ({
      ...{ id, label, url, host, group, rank, relevance, pages },
      ...{ hot: hot === 1, in: linksIn, out: linksOut },
    }),
  )
  const joined = Array.from({ length: edges.length / 2 }, (_, at) => ({
    source: edges[at * 2] ?? 0,
    target: edges[at * 2 + 1] ?? 0,
    links: links[at] ?? 1,
  }))
  return { graph: createMap(named, joined), positions: Float32Array.from(positions) }
}

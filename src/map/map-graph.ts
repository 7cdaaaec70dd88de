// A map: pages or sites, and the links between them, by node number. Nodes are ordered by rank, most
// important first.

export type MapNode = {
  readonly id: number
  readonly label: string
  /** The URL of a page; '' for a site, which is identified by its host. */
  readonly url: string
  readonly host: string
  /** Nodes of a group start together: the host of a page, the site of a host. */
  readonly group: string
  /** PageRank; for a site, the sum over its pages. */
  readonly rank: number
  readonly relevance: number | null
  readonly hot: boolean
  readonly in: number
  readonly out: number
  /** Number of pages of a site; 0 for one that the crawl leads to and does not enter; null for a page. */
  readonly pages: number | null
}

/** A host that the crawl leads to and does not enter. */
export function isOutside({ pages }: Pick<MapNode, 'pages'>): boolean {
  return pages === 0
}

export type MapEdge = {
  readonly source: number
  readonly target: number
  /** Number of links from pages of the source to pages of the target; 1 between two pages. */
  readonly links?: number
}

export type MapGraph = {
  readonly nodes: readonly MapNode[]
  /** The node numbers of each edge. There are no self-links and no duplicates. */
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float32Array
  /** Largest group first; ties by the more important node. */
  readonly groups: readonly { readonly group: string; readonly nodes: number }[]
}

export function createMap(nodes: readonly MapNode[], edges: readonly MapEdge[]): MapGraph {
  const ranked = nodes.toSorted((a, b) => b.rank - a.rank || a.id - b.id)
  const numbers = new Map(ranked.map(({ id }, number) => [id, number]))
  const weights = new Map<number, number>()
  for (const { source, target, links = 1 } of edges) {
    const from = numbers.get(source)
    const to = numbers.get(target)
    if (from === undefined || to === undefined || from === to) continue
    const key = from * ranked.length + to
    weights.set(key, (weights.get(key) ?? 0) + links)
  }
  const keys = [...weights.keys()]
  return {
    nodes: ranked,
    sources: Uint32Array.from(keys, (key) => Math.floor(key / ranked.length)),
    targets: Uint32Array.from(keys, (key) => key % ranked.length),
    weights: Float32Array.from(weights.values()),
    groups: groupsOf(ranked),
  }
}

function groupsOf(nodes: readonly MapNode[]): MapGraph['groups'] {
  const counts = new Map<string, number>()
  for (const { group } of nodes) counts.set(group, (counts.get(group) ?? 0) + 1)
  const groups = Array.from(counts, ([group, count]) => ({ group, nodes: count }))
  return groups.sort((a, b) => b.nodes - a.nodes)
}

/** The neighbours of a node, by number, most important first. */
export class Neighbours {
  readonly #starts: Uint32Array
  readonly #others: Uint32Array

  constructor(nodes: number, from: Uint32Array, to: Uint32Array) {
    const starts = new Uint32Array(nodes + 1)
    for (const node of from) starts[node + 1] = (starts[node + 1] ?? 0) + 1
    for (let node = 0; node < nodes; node++) {
      starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0)
    }
    const next = starts.slice()
    const others = new Uint32Array(from.length)
    for (let edge = 0; edge < from.length; edge++) {
      const node = from[edge] ?? 0
      const at = next[node] ?? 0
      others[at] = to[edge] ?? 0
      next[node] = at + 1
    }
    this.#starts = starts
    this.#others = others
  }

  of(node: number): Uint32Array {
    return this.#others.slice(this.#starts[node], this.#starts[node + 1]).sort()
  }
}

/** The number of nodes of the map that link to each node. */
export function linksIn({ nodes, targets }: Pick<MapGraph, 'nodes' | 'targets'>): Uint32Array {
  const linked = new Uint32Array(nodes.length)
  for (const target of targets) linked[target] = (linked[target] ?? 0) + 1
  return linked
}

/** The most edges of a picture; more take too long to draw and only make a grey area. */
const MAX_EDGES = 25_000
/** Links per node that shape the layout; with more, hosts become dense balls. */
const SHAPING_PER_NODE = 4
/** So many lines are drawn in any case. */
const MIN_DRAWN = 1000

export type PictureEdges = {
  /** Edge numbers, most informative first. */
  readonly edges: Uint32Array
  /** This many edges are always drawn; the others only beside a selected node. */
  readonly alwaysDrawn: number
  /** This many edges shape the layout. */
  readonly shaping: number
}

export function pictureEdges(graph: MapGraph): PictureEdges {
  const edges = informativeEdges(graph, MAX_EDGES)
  const shaping = Math.min(edges.length, graph.nodes.length * SHAPING_PER_NODE)
  return { edges, shaping, alwaysDrawn: Math.min(edges.length, Math.max(MIN_DRAWN, shaping)) }
}

/** The radius of each node. */
export function nodeSizes({ nodes }: Pick<MapGraph, 'nodes'>): Float32Array {
  const highest = nodes[0]?.rank ?? 0
  return Float32Array.from(nodes, ({ rank }) => nodeSize(rank, highest, nodes.length))
}

/**
 * At most `most` edge numbers, most informative first: one edge of each node, then a second of each, and so
 * on. For each node, links to another group come first, then links to nodes with few incoming links. A link
 * that every page has, such as a menu entry, says nothing and would pull all nodes into one ball.
 */
export function informativeEdges(graph: MapGraph, most: number): Uint32Array {
  const { sources, targets, nodes } = graph
  const all = Uint32Array.from(sources, (_, edge) => edge)
  const linked = linksIn(graph)
  const isWithin = (edge: number): number =>
    nodes[sources[edge] ?? 0]?.group === nodes[targets[edge] ?? 0]?.group ? 1 : 0
  const rank = (edge: number): number =>
    isWithin(edge) * 1e6 + Math.min(999_999, linked[targets[edge] ?? 0] ?? 0)
  const best = all.toSorted((a, b) => rank(a) - rank(b) || a - b)
  const turn = new Uint32Array(nodes.length)
  const turns = new Uint32Array(all.length)
  for (const edge of best) {
    const source = sources[edge] ?? 0
    turn[source] = (turn[source] ?? 0) + 1
    turns[edge] = turn[source] ?? 0
  }
  return best.sort((a, b) => (turns[a] ?? 0) - (turns[b] ?? 0) || rank(a) - rank(b)).slice(0, most)
}

/** In pixels. The area grows with the rank, and the fewer nodes there are, the larger they are. */
export function nodeSize(rank: number, highest: number, nodes: number): number {
  const few = 1 / (1 + nodes / 100)
  const least = 1.5 + 3 * few
  const largest = 9 + 10 * few
  const share = highest > 0 ? Math.max(0, Math.min(1, rank / highest)) : 0
  return least + (largest - least) * Math.sqrt(share)
}

/** From 1 for a few lines, each of which is to be seen, to 0 where thousands make an area. */
export function lineClarity(lines: number): number {
  const [few, many] = [Math.log(200), Math.log(6000)]
  return Math.max(0, Math.min(1, (many - Math.log(Math.max(1, lines))) / (many - few)))
}

export const EDGE_STRENGTHS = 4

/** 0 for one link, then some, tens, hundreds. */
export function edgeStrength(links: number): number {
  return Math.min(EDGE_STRENGTHS - 1, Math.floor(Math.log2(links) / 2.3))
}

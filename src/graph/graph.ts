// Links between pages as numbers, for computing importance. Pages are nodes 0, 1, 2 …, and an edge is one
// page that links to another. Two pages have at most one edge in each direction, however many links there are
// between them, and no page has an edge to itself: a site cannot raise a page by repeating a link, nor a page
// itself.
//
// A graph does not change once it is built. It contains no URLs and knows nothing about stores; a PageGraph
// maps nodes to pages.

/**
 * The targets of node n are `targets[offsets[n]]` to `targets[offsets[n + 1]]`, exclusive, in the order they
 * were added: 4 bytes an edge and 4 a node.
 */
export type Graph = {
  readonly nodes: number
  readonly edges: number
  /** Length is nodes + 1. */
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
}

/** Edges per chunk: 4 MiB, so that growing copies nothing and wastes little. */
const CHUNK = 2 ** 19

/** Takes edges in any order, with repeats. */
export class GraphBuilder {
  /** Source and target of each edge in turn. */
  readonly #chunks: Uint32Array[] = []
  #last = new Uint32Array(0)
  #used = 0
  #nodes = 0

  add(source: number, target: number): void {
    if (this.#used === this.#last.length) this.#openChunk()
    this.#last[this.#used++] = source
    this.#last[this.#used++] = target
    this.#nodes = Math.max(this.#nodes, source + 1, target + 1)
  }

  addAll(source: number, targets: ArrayLike<number>): void {
    for (let at = 0; at < targets.length; at++) this.add(source, targets[at] ?? source)
  }

  /** The graph of all edges so far. `nodes` is the number of nodes, including those without edges. */
  build(nodes = 0): Graph {
    const count = Math.max(nodes, this.#nodes)
    const offsets = this.#countSources(count)
    const targets = this.#placeTargets(offsets)
    return foldRepeats(count, offsets, targets)
  }

  /** The start of each node's targets, repeats included. */
  #countSources(nodes: number): Uint32Array {
    const offsets = new Uint32Array(nodes + 1)
    this.#forEach((source) => {
      offsets[source + 1] = (offsets[source + 1] ?? 0) + 1
    })
    for (let node = 0; node < nodes; node++) {
      offsets[node + 1] = (offsets[node + 1] ?? 0) + (offsets[node] ?? 0)
    }
    return offsets
  }

  #placeTargets(offsets: Uint32Array): Uint32Array {
    const next = offsets.slice()
    const targets = new Uint32Array(offsets.at(-1) ?? 0)
    this.#forEach((source, target) => {
      const at = next[source] ?? 0
      targets[at] = target
      next[source] = at + 1
    })
    return targets
  }

  #forEach(visit: (source: number, target: number) => void): void {
    for (const chunk of this.#chunks) {
      const end = chunk === this.#last ? this.#used : chunk.length
      for (let at = 0; at < end; at += 2) visit(chunk[at] ?? 0, chunk[at + 1] ?? 0)
    }
  }

  #openChunk(): void {
    // The first one is small, since most graphs are.
    this.#last = new Uint32Array(this.#chunks.length === 0 ? 2048 : 2 * CHUNK)
    this.#chunks.push(this.#last)
    this.#used = 0
  }
}

/** Compacts the targets in place, each once, without the node itself; the graph takes over both arrays. */
export function foldRepeats(nodes: number, offsets: Uint32Array, targets: Uint32Array): Graph {
  // The last source with this target, counted from 1.
  const seenBy = new Uint32Array(nodes)
  let kept = 0
  let start = 0
  for (let node = 0; node < nodes; node++) {
    const end = offsets[node + 1] ?? 0
    for (let at = start; at < end; at++) {
      const target = targets[at] ?? node
      if (target === node || seenBy[target] === node + 1) continue
      seenBy[target] = node + 1
      targets[kept++] = target
    }
    offsets[node + 1] = kept
    start = end
  }
  // Copies only if that frees more than it costs.
  const tight = kept < targets.length * 0.9 ? targets.slice(0, kept) : targets.subarray(0, kept)
  return { nodes, edges: kept, offsets, targets: tight }
}

/** Backlinks: the number of other pages that link to each page. */
export function inDegrees({ nodes, edges, targets }: Graph): Uint32Array {
  const degrees = new Uint32Array(nodes)
  for (let at = 0; at < edges; at++) {
    const target = targets[at] ?? 0
    degrees[target] = (degrees[target] ?? 0) + 1
  }
  return degrees
}

/** The same edges reversed; the sources of a node are in ascending order. */
export function reversed({ nodes, edges, offsets, targets }: Graph): Graph {
  const starts = new Uint32Array(nodes + 1)
  for (let at = 0; at < edges; at++) {
    const target = targets[at] ?? 0
    starts[target + 1] = (starts[target + 1] ?? 0) + 1
  }
  for (let node = 0; node < nodes; node++) {
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0)
  }
  const next = starts.slice()
  const sources = new Uint32Array(edges)
  for (let node = 0; node < nodes; node++) {
    for (let at = offsets[node] ?? 0; at < (offsets[node + 1] ?? 0); at++) {
      const target = targets[at] ?? 0
      const place = next[target] ?? 0
      sources[place] = node
      next[target] = place + 1
    }
  }
  return { nodes, edges, offsets: starts, targets: sources }
}

/** One page and the pages it links to, by id. */
export type PageEdges = { readonly from: number; readonly to: ArrayLike<number> }

export type PageGraph = {
  readonly graph: Graph
  /** The page of each node. */
  readonly ids: readonly number[]
}

/**
 * The graph of stored pages. Numbers the pages in their order, as page ids have gaps and nodes have none,
 * and reads the edges between them; an edge to an unknown page is skipped. `note` is called once for each
 * page, with its node: columns hold data of a million pages better than a million objects.
 */
export async function collectGraph<Page extends { readonly id: number }>(
  pages: AsyncIterable<Page>,
  edges: AsyncIterable<PageEdges>,
  note: (page: Page, node: number) => void = () => {},
): Promise<PageGraph> {
  const ids: number[] = []
  const nodes = new Map<number, number>()
  for await (const page of pages) {
    note(page, ids.length)
    nodes.set(page.id, ids.length)
    ids.push(page.id)
  }
  const builder = new GraphBuilder()
  for await (const { from, to } of edges) {
    const source = nodes.get(from)
    if (source === undefined) continue
    for (let at = 0; at < to.length; at++) {
      const target = nodes.get(to[at] ?? 0)
      if (target !== undefined) builder.add(source, target)
    }
  }
  return { graph: builder.build(ids.length), ids }
}

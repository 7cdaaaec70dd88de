// What a layout begins with: where nodes are, how large they are, and how strongly their links pull.
import type { LayoutStart } from './layout.ts'
import { linksIn, type MapGraph } from './map-graph.ts'
import { startPositions } from './start-positions.ts'

/** `edges`: numbers of those that pull. `sizes`: by number of node. */
export function layoutStart(graph: MapGraph, edges: Uint32Array, sizes: Float32Array): LayoutStart {
  const linked = linksIn(graph)
  return {
    positions: startPositions(graph),
    sizes,
    sources: edges.map((edge) => graph.sources[edge] ?? 0),
    targets: edges.map((edge) => graph.targets[edge] ?? 0),
    weights: Float32Array.from(edges, (edge) =>
      pull(graph.weights[edge] ?? 1, linked[graph.targets[edge] ?? 0] ?? 1),
    ),
  }
}

/**
 * A thousand links between two sites pull more than one, but not a thousand times as much; and what
 * many link to pulls each of them less, or all would sit in one heap around it.
 */
function pull(links: number, linked: number): number {
  return (1 + Math.log2(Math.max(1, links))) / Math.sqrt(Math.max(1, linked))
}

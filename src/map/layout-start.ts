// The input of a layout: positions and sizes of nodes, and the pull of their links.
import type { LayoutStart } from './layout.ts'
import { linksIn, type MapGraph } from './map-graph.ts'
import { startPositions } from './start-positions.ts'

/** `edges`: numbers of the edges that pull. `sizes`: by node number. */
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
 * A thousand links between two sites pull more than one, but not a thousand times as much. A node with many
 * incoming links pulls each source less; otherwise all would form one heap around it.
 */
function pull(links: number, linked: number): number {
  return (1 + Math.log2(Math.max(1, links))) / Math.sqrt(Math.max(1, linked))
}

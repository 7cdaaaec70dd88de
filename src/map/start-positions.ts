// The positions of nodes before the layout: nodes of a host together, hosts on a spiral with the largest in
// the middle. The same map always starts the same, so it also ends the same. Hosts start near their final
// place, so the layout ends sooner.
import type { LayoutStart } from './layout.ts'
import { linksIn, type MapGraph } from './map-graph.ts'

/** The angle between neighbours in a sunflower: nothing lines up, and all have equal room. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** x and y of each node, interleaved. */
export function startPositions({
  nodes,
  groups,
}: Pick<MapGraph, 'nodes' | 'groups'>): Float32Array {
  const positions = new Float32Array(nodes.length * 2)
  const centres = groupCentres(groups.map((group) => group.nodes))
  const places = new Map(
    groups.map(({ group }, at) => [group, { ...centre(centres, at), taken: 0 }]),
  )
  for (const [number, { group }] of nodes.entries()) {
    const place = places.get(group) ?? { x: 0, y: 0, taken: 0 }
    const radius = Math.sqrt(place.taken + 0.5)
    const angle = place.taken * GOLDEN_ANGLE
    positions[number * 2] = place.x + radius * Math.cos(angle)
    positions[number * 2 + 1] = place.y + radius * Math.sin(angle)
    place.taken++
  }
  return positions
}

function centre(centres: Float32Array, at: number): { x: number; y: number } {
  return { x: centres[at * 2] ?? 0, y: centres[at * 2 + 1] ?? 0 }
}

/** Each group gets room for its nodes; the spiral grows by the room of the groups before. */
function groupCentres(sizes: readonly number[]): Float32Array {
  const centres = new Float32Array(sizes.length * 2)
  let room = 0
  for (const [at, size] of sizes.entries()) {
    const radius = at === 0 ? 0 : 2 * Math.sqrt(room + size / 2)
    const angle = at * GOLDEN_ANGLE
    centres[at * 2] = radius * Math.cos(angle)
    centres[at * 2 + 1] = radius * Math.sin(angle)
    room += size
  }
  return centres
}

/**
 * The input of a layout: positions and sizes of nodes, and the pull of their links. `edges`: numbers of the
 * edges that pull. `sizes`: by node number.
 */
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

// A map laid out as a picture: position and size of each node, and the links worth a line. Everything is
// computed here, the same for the same map, so that a picture opens finished.
import { inRoom } from './in-room.ts'
import { Layout } from './layout.ts'
import type { MapSource } from './map-format.ts'
import {
  createMap,
  type MapGraph,
  type MapNode,
  nodeSizes,
  type PictureEdges,
  pictureEdges,
} from './map-graph.ts'
import { layoutStart } from './start-positions.ts'

export type DrawnMap = PictureEdges & {
  readonly graph: MapGraph
  /** x and y of each node, from 0 to `width` and `height`. */
  readonly positions: Float32Array
  readonly width: number
  readonly height: number
  /** Radius of each node. */
  readonly sizes: Float32Array
}

/** Size of a picture. */
const SIDE = 1000
const HEIGHT = 640
/** Ten thousand nodes settle after some two hundred steps; larger maps get fewer steps. */
const MAX_STEPS = 400
const MAX_NODE_STEPS = 1_500_000
/** Space around the outermost nodes, for their labels. */
const MARGIN = 24

export async function drawMap(source: MapSource): Promise<DrawnMap> {
  const nodes: MapNode[] = []
  for await (const row of source.nodes()) nodes.push(row)
  const graph = createMap(nodes, [...source.edges()])
  const chosen = pictureEdges(graph)
  const sizes = nodeSizes(graph)
  const laidOut = layOut(graph, chosen.edges.subarray(0, chosen.shaping), sizes)
  return { graph, ...chosen, sizes, ...fitted(laidOut, sizes) }
}

function layOut(graph: MapGraph, edges: Uint32Array, sizes: Float32Array): Float32Array {
  const layout = new Layout(layoutStart(graph, edges, sizes))
  const most = Math.min(MAX_STEPS, Math.ceil(MAX_NODE_STEPS / Math.max(1, graph.nodes.length)))
  while (layout.steps < most && !layout.settled) layout.step()
  return layout.positions()
}

function fitted(
  laidOut: Float32Array,
  sizes: Float32Array,
): Pick<DrawnMap, 'positions' | 'width' | 'height'> {
  const room = { width: SIDE - 2 * MARGIN, height: HEIGHT - 2 * MARGIN }
  const positions = inRoom(laidOut, sizes, room).map((value) => value + MARGIN)
  return { positions, width: SIDE, height: HEIGHT }
}

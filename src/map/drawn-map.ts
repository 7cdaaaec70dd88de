// A map laid out as a picture: position and size of each node, and the links worth a line. Everything is
// computed here, the same for the same map, so that a picture opens finished.
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
  /** x and y of each node, from 0 to `width` and `height`; one of these is `SIDE`. */
  readonly positions: Float32Array
  readonly width: number
  readonly height: number
  /** Radius of each node. */
  readonly sizes: Float32Array
}

/** The longer side of a picture. */
const SIDE = 1000
/** Ten thousand nodes settle after some two hundred steps; larger maps get fewer steps. */
const MAX_STEPS = 400
const MAX_NODE_STEPS = 1_500_000
/** Space around the outermost nodes, for their labels. */
const MARGIN = 24

export async function drawMap(source: MapSource): Promise<DrawnMap> {
  const nodes: MapNode[] = []
  for await (const row of source.nodes()) nodes.push(row)
  const graph = createMap(nodes, [...source.edges()])
  const { edges, alwaysDrawn } = pictureEdges(graph)
  const sizes = nodeSizes(graph)
  const laidOut = layOut(graph, edges.subarray(0, alwaysDrawn), sizes)
  return { graph, edges, alwaysDrawn, sizes, ...fitted(laidOut) }
}

function layOut(graph: MapGraph, edges: Uint32Array, sizes: Float32Array): Float32Array {
  const layout = new Layout(layoutStart(graph, edges, sizes))
  const most = Math.min(MAX_STEPS, Math.ceil(MAX_NODE_STEPS / Math.max(1, graph.nodes.length)))
  while (layout.steps < most && !layout.settled) layout.step()
  return layout.positions()
}

function fitted(laidOut: Float32Array): Pick<DrawnMap, 'positions' | 'width' | 'height'> {
  const [across, down] = [rangeOf(laidOut, 0), rangeOf(laidOut, 1)]
  const extent = Math.max(across.most - across.least, down.most - down.least)
  const scale = extent > 0 ? (SIDE - 2 * MARGIN) / extent : 0
  const width = extent > 0 ? (across.most - across.least) * scale + 2 * MARGIN : SIDE
  const height = extent > 0 ? (down.most - down.least) * scale + 2 * MARGIN : SIDE
  const positions = laidOut.map((value, at) =>
    extent > 0 ? MARGIN + (value - (at % 2 === 0 ? across : down).least) * scale : SIDE / 2,
  )
  return { positions, width, height }
}

/** The range of every second number; 0 to 0 if a failed layout gave no numbers. */
function rangeOf(values: Float32Array, from: number): { least: number; most: number } {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let at = from; at < values.length; at += 2) {
    const value = values[at] ?? 0
    if (value < least) least = value
    if (value > most) most = value
  }
  return least <= most ? { least, most } : { least: 0, most: 0 }
}

// The page's end of the layout worker.

import type { LayoutNews, LayoutOrder } from './layout-message.ts'
import { linksIn, type MapGraph } from './map-graph.ts'
import { startPositions } from './start-positions.ts'

/** Ten thousand nodes settle after some two hundred steps. */
const MAX_STEPS = 400
const MORE_STEPS = 150

export type LayoutLink = {
  readonly more: () => void
  readonly stop: () => void
  readonly close: () => void
}

export type LayoutRequest = {
  readonly graph: MapGraph
  /** Numbers of the edges that pull. */
  readonly edges: Uint32Array
  readonly sizes: Float32Array
  readonly onNews: (news: LayoutNews) => void
  readonly onFailure: () => void
}

/** Begins at once; news come until it is done, stopped or closed. */
export function startLayout({ graph, edges, sizes, onNews, onFailure }: LayoutRequest): LayoutLink {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: news }: MessageEvent<LayoutNews>) => onNews(news)
  worker.onerror = onFailure
  const linked = linksIn(graph)
  const tell = (order: LayoutOrder): void => worker.postMessage(order)
  const start = {
    positions: startPositions(graph),
    sizes,
    sources: edges.map((edge) => graph.sources[edge] ?? 0),
    targets: edges.map((edge) => graph.targets[edge] ?? 0),
    weights: Float32Array.from(edges, (edge) =>
      pull(graph.weights[edge] ?? 1, linked[graph.targets[edge] ?? 0] ?? 1),
    ),
  }
  tell({ order: 'start', start, maxSteps: MAX_STEPS })
  return {
    more: () => tell({ order: 'more', steps: MORE_STEPS }),
    stop: () => tell({ order: 'stop' }),
    close: () => worker.terminate(),
  }
}

/**
 * A thousand links between two sites pull more than one, but not a thousand times as much; and what
 * many link to pulls each of them less, or all would sit in one heap around it.
 */
function pull(links: number, linked: number): number {
  return (1 + Math.log2(Math.max(1, links))) / Math.sqrt(Math.max(1, linked))
}

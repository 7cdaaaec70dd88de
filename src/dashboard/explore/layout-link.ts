// The page's end of the layout worker.
import type { Room } from '../../map/in-room.ts'
import type { LayoutStart } from '../../map/layout.ts'
import type { MapGraph } from '../../map/map-graph.ts'
import { layoutStart } from '../../map/start-positions.ts'

/** Ten thousand nodes settle after some two hundred steps. */
const MAX_STEPS = 400
const MORE_STEPS = 150

export type LayoutLink = {
  readonly more: () => void
  readonly stop: () => void
  readonly close: () => void
}

type LayoutRequest = {
  readonly graph: MapGraph
  /** Numbers of the edges that pull. */
  readonly edges: Uint32Array
  readonly sizes: Float32Array
  readonly room: Room
  readonly onNews: (news: LayoutNews) => void
  readonly onFailure: () => void
}

/** Where the nodes of a map are: arranged in a worker while it is shown, or known already. */
export type MapLayout = ((request: LayoutRequest) => LayoutLink) | Float32Array

/** Begins at once; news come until it is done, stopped or closed. */
export function startLayout(request: LayoutRequest): LayoutLink {
  const { graph, edges, sizes, room, onNews, onFailure } = request
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: news }: MessageEvent<LayoutNews>) => onNews(news)
  worker.onerror = onFailure
  const tell = (order: LayoutOrder): void => worker.postMessage(order)
  const start = layoutStart(graph, edges, sizes)
  tell({ order: 'start', start, room, maxSteps: MAX_STEPS })
  return {
    more: () => tell({ order: 'more', steps: MORE_STEPS }),
    stop: () => tell({ order: 'stop' }),
    close: () => worker.terminate(),
  }
}

/** What page and layout worker say to each other. */
export type LayoutOrder =
  | {
      readonly order: 'start'
      readonly start: LayoutStart
      readonly room: Room
      readonly maxSteps: number
    }
  /** So many steps more, settled or not. */
  | { readonly order: 'more'; readonly steps: number }
  | { readonly order: 'stop' }

export type LayoutNews = {
  readonly positions: Float32Array<ArrayBuffer>
  /** How far it is, from 0 to 1; 1: nothing more will come unless more is ordered. */
  readonly share: number
  readonly steps: number
}

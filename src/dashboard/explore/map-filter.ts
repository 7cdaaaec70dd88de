// What of a map is shown.
import type { MapGraph } from '../../map/map-graph.ts'

export type MapFilter = {
  /** Part of the label, the URL or the host, without regard to case. */
  readonly text: string
  readonly host: string
  readonly hot: boolean
  /** Share of the nodes, those of the highest rank; 1: all. */
  readonly topShare: number
}

export const WHOLE_MAP: MapFilter = { text: '', host: '', hot: false, topShare: 1 }

export const TOP_SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.01] as const

/** One byte per node: 1 when it is shown. Nodes are in order of rank. */
export function shownNodes({ nodes }: MapGraph, filter: MapFilter): Uint8Array {
  const most = Math.ceil(nodes.length * filter.topShare)
  const text = filter.text.trim().toLowerCase()
  return Uint8Array.from(nodes, (node, number) => {
    if (number >= most || (filter.hot && !node.hot)) return 0
    if (filter.host !== '' && node.host !== filter.host) return 0
    if (text === '') return 1
    return [node.label, node.url, node.host].some((part) => part.toLowerCase().includes(text))
      ? 1
      : 0
  })
}

/** How many edges have both of their nodes shown: of all, and of those that are drawn. */
export function shownEdges(
  { sources, targets }: Pick<MapGraph, 'sources' | 'targets'>,
  drawn: Uint32Array,
  shown: Uint8Array,
): { readonly all: number; readonly drawn: number } {
  const isShown = (edge: number): boolean =>
    shown[sources[edge] ?? 0] === 1 && shown[targets[edge] ?? 0] === 1
  let all = 0
  for (let edge = 0; edge < sources.length; edge++) if (isShown(edge)) all++
  return { all, drawn: drawn.reduce((sum, edge) => sum + Number(isShown(edge)), 0) }
}

/** The numbers of the nodes that are shown, the most important first, at most so many. */
export function firstShown(shown: Uint8Array, most: number): number[] {
  const first: number[] = []
  for (let node = 0; node < shown.length && first.length < most; node++) {
    if (shown[node] === 1) first.push(node)
  }
  return first
}

export function shownCount(shown: Uint8Array): number {
  return shown.reduce((sum, one) => sum + one, 0)
}

import type { Graph } from './graph.ts'

/** Backlinks: how many other pages link to each page. */
export function inDegrees({ nodes, edges, targets }: Graph): Uint32Array {
  const degrees = new Uint32Array(nodes)
  for (let at = 0; at < edges; at++) {
    const target = targets[at] ?? 0
    degrees[target] = (degrees[target] ?? 0) + 1
  }
  return degrees
}

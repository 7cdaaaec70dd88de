import type { Graph } from './graph.ts'

/** The same edges the other way round; the sources of a node come in order of their numbers. */
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

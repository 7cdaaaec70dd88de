import type { Graph } from '../graph/graph.ts'

/** Marks what a path of links leads to from the seeds, they themselves included; 1 is yes. */
export function reachableFrom(seeds: readonly number[], { nodes, offsets, targets }: Graph) {
  const marks = new Uint8Array(nodes)
  const found = new Uint32Array(nodes)
  let end = 0
  const note = (node: number) => {
    if (marks[node] !== 0) return
    marks[node] = 1
    found[end++] = node
  }
  for (const seed of seeds) note(seed)
  for (let next = 0; next < end; next++) {
    const node = found[next] ?? 0
    for (let at = offsets[node] ?? 0; at < (offsets[node + 1] ?? 0); at++) note(targets[at] ?? 0)
  }
  return marks
}

import type { Graph } from '../graph/graph.ts'
import { PageBuffer } from './page-buffer.ts'
import { BUFFER_SHARES } from './replay-result.ts'
import { pagesAt } from './yardstick.ts'

/** What buffers of the usual sizes hold after these fetches; dead URLs bring no page to keep. */
export function buffersAfter(
  fetched: Uint32Array,
  {
    links,
    alive,
    reachable,
  }: { readonly links: Graph; readonly alive: number; readonly reachable: number },
): Map<number, Uint32Array> {
  const buffers = BUFFER_SHARES.map((share) => new PageBuffer(pagesAt(share, reachable)))
  const inLinks = new Uint32Array(links.nodes)
  for (const page of fetched) {
    if (page >= alive) continue
    for (const buffer of buffers) buffer.add(page, inLinks[page] ?? 0)
    for (let at = links.offsets[page] ?? 0; at < (links.offsets[page + 1] ?? 0); at++) {
      const target = links.targets[at] ?? 0
      const count = (inLinks[target] ?? 0) + 1
      inLinks[target] = count
      for (const buffer of buffers) buffer.linked(target, count)
    }
  }
  return new Map(
    BUFFER_SHARES.map((share, at) => [share, buffers[at]?.pages() ?? new Uint32Array()]),
  )
}

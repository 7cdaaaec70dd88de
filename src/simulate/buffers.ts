import type { Graph } from '../graph/graph.ts'
import { PageBuffer } from './page-buffer.ts'
import { BUFFER_SHARES } from './replay-result.ts'
import { pagesAt } from './yardstick.ts'

export type BufferWorld = {
  readonly links: Graph
  readonly alive: number
  readonly reachable: number
}

/**
 * What buffers of the usual sizes hold when a crawl has come to its end; none of one that was cut
 * short, since the model has the crawl go on. Dead URLs bring no page to keep.
 */
export function buffersAtEnd(
  { fetched, ranDry }: { readonly fetched: Uint32Array; readonly ranDry: boolean },
  world: BufferWorld,
): Map<number, Uint32Array> {
  const isWhole = ranDry || aliveAmong(fetched, world.alive) >= world.reachable
  return isWhole ? buffersAfter(fetched, world) : new Map()
}

function aliveAmong(fetched: Uint32Array, alive: number): number {
  return fetched.reduce((count, page) => (page < alive ? count + 1 : count), 0)
}

function buffersAfter(
  fetched: Uint32Array,
  { links, alive, reachable }: BufferWorld,
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

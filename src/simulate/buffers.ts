import type { Graph } from '../graph/graph.ts'
import { type Heaped, IndexedHeap } from '../lib/indexed-heap.ts'
import { BUFFER_SHARES } from './replay-result.ts'
import { pagesAt } from './yardstick.ts'

type BufferedWeb = {
  readonly links: Graph
  readonly alive: number
  readonly reachable: number
}

/**
 * The contents of buffers of the usual sizes at the end of a crawl; empty for a crawl that was cut short,
 * since the model needs a finished one. Dead URLs add no page.
 */
export function buffersAtEnd(
  { fetched, ranDry }: { readonly fetched: Uint32Array; readonly ranDry: boolean },
  world: BufferedWeb,
): Map<number, Uint32Array> {
  const isWhole = ranDry || aliveAmong(fetched, world.alive) >= world.reachable
  return isWhole ? buffersAfter(fetched, world) : new Map()
}

function aliveAmong(fetched: Uint32Array, alive: number): number {
  return fetched.reduce((count, page) => (page < alive ? count + 1 : count), 0)
}

function buffersAfter(
  fetched: Uint32Array,
  { links, alive, reachable }: BufferedWeb,
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

type Kept = Heaped & { readonly page: number; readonly fetchedAt: number }

/**
 * The limited buffer of Cho, Garcia-Molina and Page: when it is full and one more page is fetched, the
 * least important is dropped for good. Importance is what the crawl knows at that moment: the number of
 * fetched pages that link there.
 */
export class PageBuffer {
  readonly #room: number
  readonly #kept = new Map<number, Kept>()
  readonly #heap = new IndexedHeap<Kept>()
  #fetched = 0

  constructor(room: number) {
    this.#room = room
  }

  /** Adds a page that was just fetched; returns the page dropped for it, or null. */
  add(page: number, inLinks: number): number | null {
    const kept = { heapAt: -1, page, fetchedAt: this.#fetched++ }
    this.#kept.set(page, kept)
    // Among equals the page fetched first is dropped: it had the most time to get links.
    this.#heap.put(kept, inLinks, kept.fetchedAt)
    if (this.#kept.size <= this.#room) return null
    const gone = this.#heap.pop()
    if (gone === undefined) return null
    this.#kept.delete(gone.page)
    return gone.page
  }

  /** Counts one more link to a page; ignored if the page is not in the buffer. */
  linked(page: number, inLinks: number): void {
    const kept = this.#kept.get(page)
    if (kept !== undefined) this.#heap.put(kept, inLinks, kept.fetchedAt)
  }

  /** Its pages, in ascending order. */
  pages(): Uint32Array {
    return Uint32Array.from(this.#kept.keys()).sort()
  }
}

// Ready hosts of one kind, best first.
import { type Heaped, IndexedHeap } from '../../lib/indexed-heap.ts'
import type { HostPace } from '../pace.ts'

/** A line of hosts; only the first can be picked. */
export class Line<Host extends Heaped> implements Heaped {
  heapAt = -1
  readonly pace: HostPace
  /** Whether its hosts have something to visit again. */
  readonly isAgain: boolean
  /** No host of it is picked before the round ends. */
  isAside = false
  /** In a wide crawl most domains have one host; a heap for each would take more memory than the host. */
  #only: Host | null = null
  #several: IndexedHeap<Host> | null = null

  constructor(pace: HostPace, isAgain: boolean) {
    this.pace = pace
    this.isAgain = isAgain
  }

  get first(): Host | undefined {
    return this.#several === null ? (this.#only ?? undefined) : this.#several.first
  }

  put(host: Host, keyOf: (host: Host) => readonly [key: number, tie: number]): void {
    if (this.#several === null && (this.#only === null || this.#only === host)) {
      this.#only = host
      return
    }
    const heap = this.#several ?? new IndexedHeap<Host>()
    if (this.#only !== null) heap.put(this.#only, ...keyOf(this.#only))
    this.#only = null
    this.#several = heap
    heap.put(host, ...keyOf(host))
  }

  remove(host: Host): void {
    if (this.#only === host) this.#only = null
    this.#several?.remove(host)
    if (this.#several?.size === 0) this.#several = null
  }
}

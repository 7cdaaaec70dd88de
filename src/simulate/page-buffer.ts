// The limited buffer of Cho, Garcia-Molina and Page: room for so many pages, and when one more
// comes, the least important goes for good. Importance is what the crawl can know at that moment: how
// many of the pages fetched so far link there.
import { type Heaped, IndexedHeap } from '../lib/indexed-heap.ts'

type Kept = Heaped & { readonly page: number; readonly fetchedAt: number }

export class PageBuffer {
  readonly #room: number
  readonly #kept = new Map<number, Kept>()
  readonly #heap = new IndexedHeap<Kept>()
  #fetched = 0

  constructor(room: number) {
    this.#room = room
  }

  /** Takes in a page that was just fetched; says which page had to go for it, null when none did. */
  add(page: number, inLinks: number): number | null {
    const kept = { heapAt: -1, page, fetchedAt: this.#fetched++ }
    this.#kept.set(page, kept)
    // Of equals the one fetched first goes: it had the longest time to be linked to.
    this.#heap.put(kept, inLinks, kept.fetchedAt)
    if (this.#kept.size <= this.#room) return null
    const gone = this.#heap.pop()
    if (gone === undefined) return null
    this.#kept.delete(gone.page)
    return gone.page
  }

  /** One more page links there. Nothing happens when it is not, or no longer, in the buffer. */
  linked(page: number, inLinks: number): void {
    const kept = this.#kept.get(page)
    if (kept !== undefined) this.#heap.put(kept, inLinks, kept.fetchedAt)
  }

  /** What it holds, rising. */
  pages(): Uint32Array {
    return Uint32Array.from(this.#kept.keys()).sort()
  }
}

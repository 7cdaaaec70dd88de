// What waits for the moment of its next try. In memory, by time; the rows are in the table too and
// are read back when the file is opened.
import { type Heaped, IndexedHeap } from '../../lib/indexed-heap.ts'
import type { Origin } from './host.ts'

export type Retry = {
  readonly kind: 'page' | 'sitemap'
  readonly id: number
  readonly origin: Origin
}

export class Retries {
  readonly #heap = new IndexedHeap<Retry & Heaped>()

  add(retry: Retry, at: number): void {
    this.#heap.put({ ...retry, heapAt: -1 }, at, retry.id)
  }

  /** Earliest moment at which one may be tried, its host permitting; Infinity when none waits. */
  get nextAt(): number {
    return Math.max(this.#heap.firstKey, this.#heap.first?.origin.host.restsUntil ?? 0)
  }

  /** Takes out all whose moment has come. */
  due(now: number): readonly Retry[] {
    if (this.#heap.firstKey > now) return []
    const due: Retry[] = []
    while (this.#heap.first !== undefined && this.#heap.firstKey <= now) {
      due.push(this.#heap.first)
      this.#heap.pop()
    }
    return due
  }
}

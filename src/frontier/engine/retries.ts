// URLs and sitemaps that wait for the time of their next try. They are in memory, sorted by time; the rows
// are in the table, too, and are read back when the file is opened.
import { type Heaped, IndexedHeap } from '../../lib/indexed-heap.ts'
import type { Origin } from './host.ts'

type Retry = {
  readonly kind: 'page' | 'sitemap' | 'revisit'
  readonly id: number
  readonly origin: Origin
}

export class Retries {
  readonly #heap = new IndexedHeap<Retry & Heaped>()
  readonly #byName = new Map<string, Retry & Heaped>()

  add({ kind, id, origin }: Retry, at: number): void {
    const retry = { kind, id, origin, heapAt: -1 }
    this.#byName.set(nameOf(kind, id), retry)
    this.#heap.put(retry, at, id)
    count(retry, 1)
  }

  /** Earliest moment at which one may be tried, its host permitting; Infinity if none waits. */
  get nextAt(): number {
    return Math.max(this.#heap.firstKey, this.#heap.first?.origin.host.restsUntil ?? 0)
  }

  /** Removes and returns all whose time has come. */
  due(now: number): readonly Retry[] {
    const due: Retry[] = []
    while (this.#heap.first !== undefined && this.#heap.firstKey <= now) {
      const { kind, id } = this.#heap.first
      due.push(this.#heap.first)
      this.drop(kind, id)
    }
    return due
  }

  /** It will not be tried again. */
  drop(kind: Retry['kind'], id: number): void {
    const retry = this.#byName.get(nameOf(kind, id))
    if (retry === undefined) return
    this.#byName.delete(nameOf(kind, id))
    this.#heap.remove(retry)
    count(retry, -1)
  }

  /** Those of one origin. */
  of(origin: Origin): readonly Retry[] {
    return [...this.#byName.values()].filter((retry) => retry.origin === origin)
  }
}

function count({ kind, origin }: Retry, by: 1 | -1): void {
  if (kind === 'page') origin.delayed += by
  else if (kind === 'revisit') origin.delayedRevisits += by
  else origin.delayedSitemaps += by
}

function nameOf(kind: Retry['kind'], id: number): string {
  return `${kind} ${id}`
}

// Totals of all jobs of this server since it started. The sums only grow, as needed for drawing curves.

import type { Done } from '../crawl/run-measures.ts'
import type { Dispatcher } from '../jobs/dispatcher.ts'

export class WorkDone {
  readonly #dispatcher: Dispatcher
  readonly #unsubscribe: () => void
  /** For running jobs. */
  readonly #seen = new Map<number, Done>()
  #stored = 0
  #bytes = 0

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
    this.#unsubscribe = dispatcher.subscribe({
      onProgress: (crawlId) => this.#look(crawlId),
      onEvent: ({ crawlId, event }) => {
        this.#look(crawlId)
        if (event.type === 'removed') this.#seen.delete(crawlId)
        else if (event.type === 'status' && event.status !== 'running') this.#seen.delete(crawlId)
      },
    })
  }

  get stored(): number {
    return this.#stored
  }

  get bytes(): number {
    return this.#bytes
  }

  close(): void {
    this.#unsubscribe()
  }

  #look(crawlId: number): void {
    const live = this.#dispatcher.live(crawlId)
    if (live === null || live.progress === null) return
    const { stored, bytes } = live.progress
    const before = this.#seen.get(crawlId) ?? live.before
    this.#stored += Math.max(0, stored - before.stored)
    this.#bytes += Math.max(0, bytes - before.bytes)
    this.#seen.set(crawlId, { stored, bytes })
  }
}

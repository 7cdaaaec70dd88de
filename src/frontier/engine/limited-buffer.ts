// A limited-buffer crawl keeps only the best N waiting URLs; the rest is refused, the worst first.
import type { Hosts } from './hosts.ts'
import type { UrlRows } from './rows.ts'
import type { StateCounts } from './state-counts.ts'
import { QUEUED, REFUSED } from './states.ts'
import type { UrlTable } from './url-table.ts'

type LimitedBufferOptions = {
  readonly rows: UrlRows
  readonly limit: number
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly stateCounts: StateCounts
  readonly isHeld: (id: number) => boolean
}

export class LimitedBuffer {
  readonly #parts: LimitedBufferOptions

  constructor(options: LimitedBufferOptions) {
    this.#parts = options
  }

  /** Number of waiting URLs above the limit; 0 or less if there are none. */
  get excess(): number {
    return this.#parts.stateCounts.queued - this.#parts.limit
  }

  /** Refuses URLs above the limit. Call it inside a transaction, as the last step. */
  trim(atMost = Number.POSITIVE_INFINITY): void {
    const { rows, urls, isHeld } = this.#parts
    const excess = Math.min(this.excess, atMost)
    if (excess <= 0) return
    urls.writeBehind({ all: true })
    let refused = 0
    for (const { id, originId } of rows.worst(excess + this.#heldCount())) {
      if (refused === excess) return
      if (isHeld(id)) continue
      this.#refuse(id, originId)
      refused += 1
    }
  }

  #heldCount(): number {
    return this.#parts.stateCounts.counts.leased
  }

  #refuse(id: number, originId: number): void {
    const { urls, hosts, stateCounts } = this.#parts
    urls.settle(id, REFUSED, { reason: 'buffer', tries: null, nextAt: null })
    stateCounts.move(QUEUED, REFUSED)
    const origin = hosts.originWithId(originId)
    if (origin === undefined) return
    origin.queue.drop(id)
    hosts.touch(origin.host)
  }
}

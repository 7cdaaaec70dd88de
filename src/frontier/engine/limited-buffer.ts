// A limited-buffer crawl keeps only the best N waiting URLs; the rest is refused, the worst first.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Hosts } from './hosts.ts'
import type { StateCounts } from './state-counts.ts'
import { QUEUED, REFUSED } from './states.ts'
import type { UrlTable } from './url-table.ts'

export type LimitedBufferOptions = {
  readonly db: DatabaseSync
  readonly limit: number
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly tally: StateCounts
  readonly isHeld: (id: number) => boolean
}

export class LimitedBuffer {
  readonly #parts: LimitedBufferOptions
  readonly #worst: StatementSync

  constructor(options: LimitedBufferOptions) {
    this.#parts = options
    // Only such a crawl looks for the worst URL of all hosts, so only its file has the index.
    options.db.exec(
      'CREATE INDEX IF NOT EXISTS url_worst ON url (priority, id DESC) WHERE state = 0',
    )
    this.#worst = options.db.prepare(
      'SELECT id, origin_id FROM url WHERE state = 0 ORDER BY priority, id DESC LIMIT ?',
    )
  }

  /** Number of waiting URLs above the limit; 0 or less if there are none. */
  get excess(): number {
    return this.#parts.tally.queued - this.#parts.limit
  }

  /** Refuses URLs above the limit. Call it inside a transaction, as the last step. */
  trim(atMost = Number.POSITIVE_INFINITY): void {
    const { urls, isHeld } = this.#parts
    const excess = Math.min(this.excess, atMost)
    if (excess <= 0) return
    urls.write()
    urls.writeBehind({ all: true })
    let refused = 0
    for (const row of this.#worst.all(excess + this.#heldCount())) {
      if (refused === excess) return
      if (isHeld(Number(row.id))) continue
      this.#refuse(Number(row.id), Number(row.origin_id))
      refused += 1
    }
  }

  #heldCount(): number {
    return this.#parts.tally.counts.leased
  }

  #refuse(id: number, originId: number): void {
    const { urls, hosts, tally } = this.#parts
    urls.settle(id, REFUSED, { reason: 'buffer', tries: null, nextAt: null })
    tally.move(QUEUED, REFUSED)
    const origin = hosts.originWithId(originId)
    if (origin === undefined) return
    origin.queue.drop(id)
    hosts.touch(origin.host)
  }
}

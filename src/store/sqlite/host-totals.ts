// How much of each host a crawl has stored: counted in memory while a batch is written, then added
// to the table in the same transaction, so that totals and pages never disagree.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { numberOf } from './page-row.ts'

type Sum = { stored: number; duplicates: number; bytes: number }

export class HostTotals {
  readonly #crawlId: number
  readonly #add: StatementSync
  #pending = new Map<string, Sum>()
  /** Pages in the file, duplicates not counted. */
  #stored: number
  #pendingStored = 0

  constructor(db: DatabaseSync, crawlId: number) {
    this.#crawlId = crawlId
    this.#add = db.prepare(`
      INSERT INTO host_totals (crawl_id, host, stored, duplicates, bytes) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET stored = stored + excluded.stored,
        duplicates = duplicates + excluded.duplicates, bytes = bytes + excluded.bytes`)
    const row = db
      .prepare('SELECT sum(stored) AS stored FROM host_totals WHERE crawl_id = ?')
      .get(crawlId)
    this.#stored = numberOf(row ?? {}, 'stored')
  }

  /** Pages stored so far, with those of the batch that is being written. */
  get stored(): number {
    return this.#stored + this.#pendingStored
  }

  count(host: string, page: { readonly duplicate: boolean; readonly bytes: number }): void {
    const sum = this.#pending.get(host) ?? { stored: 0, duplicates: 0, bytes: 0 }
    this.#pending.set(host, sum)
    if (page.duplicate) {
      sum.duplicates++
      return
    }
    sum.stored++
    sum.bytes += page.bytes
    this.#pendingStored++
  }

  /** Adds the batch to the table; to be called inside its transaction. */
  write(): void {
    for (const [host, sum] of this.#pending) {
      this.#add.run(this.#crawlId, host, sum.stored, sum.duplicates, sum.bytes)
    }
  }

  committed(): void {
    this.#stored += this.#pendingStored
    this.discard()
  }

  discard(): void {
    this.#pendingStored = 0
    this.#pending = new Map()
  }
}

// How much of each host a crawl has stored: counted in memory while a batch is written, then added
// to the table in the same transaction, so that totals and pages never disagree.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { HostSums } from '../host-sums.ts'
import type { CountedPage } from '../page-limits.ts'
import { numberOf } from '../row-values.ts'

export class HostTotals {
  readonly #crawlId: number
  readonly #insert: StatementSync
  /** On top of what is in the file. */
  #batch: HostSums

  constructor(db: DatabaseSync, crawlId: number) {
    this.#crawlId = crawlId
    this.#insert = db.prepare(`
      INSERT INTO host_totals (crawl_id, host, stored, duplicates, bytes, judged, hot)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET stored = stored + excluded.stored,
        duplicates = duplicates + excluded.duplicates, bytes = bytes + excluded.bytes,
        judged = judged + excluded.judged, hot = hot + excluded.hot`)
    const sums = 'SELECT sum(stored) AS stored, sum(hot) AS hot FROM host_totals'
    const row = db.prepare(`${sums} WHERE crawl_id = ?`).get(crawlId) ?? {}
    this.#batch = new HostSums({ stored: numberOf(row, 'stored'), hot: numberOf(row, 'hot') })
  }

  /** Pages stored so far, with those of the batch that is being written; duplicates not counted. */
  get stored(): number {
    return this.#batch.stored
  }

  /** The hot ones among them. */
  get hot(): number {
    return this.#batch.hot
  }

  count(host: string, page: CountedPage): void {
    this.#batch.count(host, page)
  }

  /** The page is gone, or is another one now and counted anew. */
  uncount(host: string, page: CountedPage): void {
    this.#batch.uncount(host, page)
  }

  /** Adds the batch to the table; to be called inside its transaction. */
  write(): void {
    for (const [host, { stored, duplicates, bytes, judged, hot }] of this.#batch.sums()) {
      this.#insert.run(this.#crawlId, host, stored, duplicates, bytes, judged, hot)
    }
  }

  committed(): void {
    const { stored, hot } = this.#batch
    this.#batch = new HostSums({ stored, hot })
  }

  discard(): void {
    const { stored, hot, added } = this.#batch
    this.#batch = new HostSums({ stored: stored - added.stored, hot: hot - added.hot })
  }
}

// How much of each host a crawl has stored: counted in memory while a batch is written, then added
// to the table in the same transaction, so that totals and pages never disagree.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CountedPage } from '../page-limits.ts'
import { numberOf } from '../row-values.ts'

type Sum = { stored: number; duplicates: number; bytes: number; judged: number; hot: number }

const NOTHING: Sum = { stored: 0, duplicates: 0, bytes: 0, judged: 0, hot: 0 }

export class HostTotals {
  readonly #crawlId: number
  readonly #insert: StatementSync
  #pending = new Map<string, Sum>()
  /** Pages in the file, and hot ones, duplicates not counted. */
  #stored: number
  #hot: number
  #pendingStored = 0
  #pendingHot = 0

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
    this.#stored = numberOf(row, 'stored')
    this.#hot = numberOf(row, 'hot')
  }

  /** Pages stored so far, with those of the batch that is being written. */
  get stored(): number {
    return this.#stored + this.#pendingStored
  }

  /** The hot ones among them. */
  get hot(): number {
    return this.#hot + this.#pendingHot
  }

  count(host: string, page: CountedPage): void {
    this.#add(host, page, 1)
  }

  /** The page is gone, or is another one now and counted anew. */
  uncount(host: string, page: CountedPage): void {
    this.#add(host, page, -1)
  }

  #add(host: string, { duplicate, bytes, judged, hot }: CountedPage, by: 1 | -1): void {
    const sum = this.#pending.get(host) ?? { ...NOTHING }
    this.#pending.set(host, sum)
    if (judged) sum.judged += by
    if (duplicate) {
      sum.duplicates += by
      return
    }
    sum.stored += by
    sum.bytes += by * bytes
    this.#pendingStored += by
    if (!hot) return
    sum.hot += by
    this.#pendingHot += by
  }

  /** Adds the batch to the table; to be called inside its transaction. */
  write(): void {
    for (const [host, { stored, duplicates, bytes, judged, hot }] of this.#pending) {
      this.#insert.run(this.#crawlId, host, stored, duplicates, bytes, judged, hot)
    }
  }

  committed(): void {
    this.#stored += this.#pendingStored
    this.#hot += this.#pendingHot
    this.discard()
  }

  discard(): void {
    this.#pendingStored = 0
    this.#pendingHot = 0
    this.#pending = new Map()
  }
}

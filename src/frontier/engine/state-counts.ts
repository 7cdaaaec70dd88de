// Counts the URLs in each state. The counts are written with every transaction that changes them.
import type { UrlCounts } from '../../core/host.ts'
import { isOutside, type UrlState } from '../../core/visit.ts'
import type { CrawlRow, Table } from './rows.ts'
import { type StateNumber, shownState } from './states.ts'

export class StateCounts {
  readonly #rows: Table<CrawlRow>
  readonly #crawlId: number
  /** Here `refused` includes URLs that are counted as `outside`. */
  readonly #counts: Record<UrlState, number>
  #outside: number
  /** What is written differs, or may differ. */
  #isChanged = true
  #unmarked = 0

  constructor(rows: Table<CrawlRow>, crawlId: number) {
    this.#rows = rows
    this.#crawlId = crawlId
    const { outside, ...counts } = countsOf(rows.get(crawlId))
    this.#counts = { ...counts, refused: counts.refused + outside }
    this.#outside = outside
  }

  get counts(): UrlCounts {
    const { refused, ...others } = this.#counts
    return { ...others, refused: refused - this.#outside, outside: this.#outside }
  }

  /** Adds the counts to those of other partitions. */
  addTo(sum: { -readonly [Count in keyof UrlCounts]: number }): void {
    const { queued, leased, stored, duplicate, redirected, refused, failed } = this.#counts
    sum.queued += queued
    sum.leased += leased
    sum.stored += stored
    sum.duplicate += duplicate
    sum.redirected += redirected
    sum.refused += refused - this.#outside
    sum.outside += this.#outside
    sum.failed += failed
  }

  get queued(): number {
    return this.#counts.queued
  }

  /** Number of pages that were fetched and read. */
  get fetched(): number {
    return this.#counts.stored + this.#counts.duplicate
  }

  /** `from` is null for a new URL. */
  move(from: StateNumber | null, to: StateNumber, by = 1): void {
    if (from !== null) this.#counts[shownState(from)] -= by
    this.#counts[shownState(to)] += by
    this.#isChanged = true
  }

  /** A URL is refused for this reason from now on; with `by` -1 it no longer is. */
  refused(reason: string, by: 1 | -1 = 1): void {
    if (!isOutside(reason)) return
    this.#outside += by
    this.#isChanged = true
  }

  /** `unmarked`: leased URLs whose rows still have the state `queued`. The written counts match the rows. */
  write(unmarked: number): void {
    if (!this.#isChanged && unmarked === this.#unmarked) return
    this.#isChanged = false
    this.#unmarked = unmarked
    const { queued, leased } = this.#counts
    this.#rows.update(this.#crawlId, {
      ...this.#counts,
      queued: queued + unmarked,
      leased: leased - unmarked,
      outside: this.#outside,
    })
  }
}

/** The counts as users see them; all 0 if there is no row yet. */
export function countsOf(row: CrawlRow | undefined): UrlCounts {
  return {
    queued: row?.queued ?? 0,
    leased: row?.leased ?? 0,
    stored: row?.stored ?? 0,
    duplicate: row?.duplicate ?? 0,
    redirected: row?.redirected ?? 0,
    refused: (row?.refused ?? 0) - (row?.outside ?? 0),
    outside: row?.outside ?? 0,
    failed: row?.failed ?? 0,
  }
}

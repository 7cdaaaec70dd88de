// Counts the URLs in each state. The counts are written with every transaction.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { UrlCounts } from '../../core/host.ts'
import { isOutside, URL_STATES, type UrlState } from '../../core/visit.ts'
import { type StateNumber, shownState } from './states.ts'

export class StateCounts {
  /** Here `refused` includes URLs that are counted as `outside`. */
  readonly #counts: Record<UrlState, number>
  #outside: number
  readonly #save: StatementSync

  constructor(db: DatabaseSync) {
    const { outside, ...counts } = readCounts(db)
    this.#counts = { ...counts, refused: counts.refused + outside }
    this.#outside = outside
    const columns = [...URL_STATES, 'outside'].map((name) => `${name} = ?`)
    this.#save = db.prepare(`UPDATE crawl SET ${columns.join(', ')}`)
  }

  get counts(): UrlCounts {
    const { refused, ...others } = this.#counts
    return { ...others, refused: refused - this.#outside, outside: this.#outside }
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
  }

  /** A URL is refused for this reason from now on; with `by` -1 it no longer is. */
  refused(reason: string, by: 1 | -1 = 1): void {
    if (isOutside(reason)) this.#outside += by
  }

  /** `unmarked`: leased URLs whose rows still have the state `queued`. The table's counts match its rows. */
  write(unmarked: number): void {
    const { queued, leased, ...others } = this.#counts
    const counts = { ...others, queued: queued + unmarked, leased: leased - unmarked }
    this.#save.run(...URL_STATES.map((state) => counts[state]), this.#outside)
  }
}

export function readCounts(db: DatabaseSync): UrlCounts {
  const row = db.prepare(`SELECT ${URL_STATES.join(', ')}, outside FROM crawl`).get()
  const count = (state: keyof UrlCounts): number => Number(row?.[state] ?? 0)
  return {
    queued: count('queued'),
    leased: count('leased'),
    stored: count('stored'),
    duplicate: count('duplicate'),
    redirected: count('redirected'),
    refused: count('refused') - count('outside'),
    outside: count('outside'),
    failed: count('failed'),
  }
}

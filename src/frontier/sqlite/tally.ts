// How many URLs are in each state, kept as they move, and written with every transaction.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { UrlCounts } from '../../core/host.ts'
import { URL_STATES, type UrlState } from '../../core/visit.ts'
import { type StateNumber, shownState } from './states.ts'

export class Tally {
  readonly #counts: Record<UrlState, number>
  readonly #save: StatementSync

  constructor(db: DatabaseSync) {
    this.#counts = readCounts(db)
    this.#save = db.prepare(
      `UPDATE crawl SET ${URL_STATES.map((state) => `${state} = ?`).join(', ')}`,
    )
  }

  get counts(): UrlCounts {
    return { ...this.#counts }
  }

  get queued(): number {
    return this.#counts.queued
  }

  /** Pages that were fetched and read. */
  get fetched(): number {
    return this.#counts.stored + this.#counts.duplicate
  }

  /** `from` null: a URL that is new. */
  move(from: StateNumber | null, to: StateNumber, by = 1): void {
    if (from !== null) this.#counts[shownState(from)] -= by
    this.#counts[shownState(to)] += by
  }

  /** `unmarked`: leased URLs whose rows still say queued; the table's counts follow its rows. */
  write(unmarked: number): void {
    const { queued, leased, ...others } = this.#counts
    const counts = { ...others, queued: queued + unmarked, leased: leased - unmarked }
    this.#save.run(...URL_STATES.map((state) => counts[state]))
  }
}

export function readCounts(db: DatabaseSync): Record<UrlState, number> {
  const row = db.prepare(`SELECT ${URL_STATES.join(', ')} FROM crawl`).get()
  const count = (state: UrlState): number => Number(row?.[state] ?? 0)
  return {
    queued: count('queued'),
    leased: count('leased'),
    stored: count('stored'),
    duplicate: count('duplicate'),
    redirected: count('redirected'),
    refused: count('refused'),
    failed: count('failed'),
  }
}

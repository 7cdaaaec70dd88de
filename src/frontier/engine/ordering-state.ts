// Keeps the state of an ordering over a restart. A small state is written with every step of the crawl, a
// large one every few seconds and when the file is closed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Clock } from '../../lib/clock.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import type { LearnedState } from '../url-states.ts'

const LITTLE_BYTES = 4096
const SAVE_EVERY_MS = 5000

export type OrderingStateOptions = {
  readonly db: DatabaseSync
  readonly clock: Clock
  readonly name: string
  readonly scorer: Scorer
}

export class OrderingState {
  readonly #options: OrderingStateOptions
  readonly #save: StatementSync
  #savedBytes = 0
  #savedAt = Number.NEGATIVE_INFINITY
  #savedLearned = 0

  constructor(options: OrderingStateOptions) {
    this.#options = options
    this.#save = options.db.prepare(
      'INSERT OR REPLACE INTO ordering (name, state, saved_at) VALUES (?, ?, ?)',
    )
  }

  /** Restores what earlier runs have learned. */
  load(): void {
    const { db, name, scorer } = this.#options
    const state = readOrderingState(db)
    if (state?.name === name) scorer.load?.(state.bytes)
  }

  /** Deletes what was learned; it no longer applies. */
  forget(): void {
    this.#options.db.exec('DELETE FROM ordering; UPDATE crawl SET ranked_at = 0')
  }

  /** Saves the current state if it is small, or if the last save was a while ago. */
  write(learned: number): void {
    if (learned === this.#savedLearned) return
    const elapsed = Math.abs(this.#options.clock.now() - this.#savedAt)
    if (this.#savedBytes <= LITTLE_BYTES || elapsed >= SAVE_EVERY_MS) this.writeNow(learned)
  }

  writeNow(learned: number): void {
    const { clock, name, scorer } = this.#options
    const bytes = scorer.save?.() ?? null
    this.#savedLearned = learned
    this.#savedAt = clock.now()
    this.#savedBytes = bytes?.byteLength ?? 0
    if (bytes !== null) this.#save.run(name, bytes, Math.floor(this.#savedAt))
  }
}

/** The saved state of the file's ordering; null if there is none. */
export function readOrderingState(db: DatabaseSync): LearnedState | null {
  const row = db.prepare('SELECT name, state FROM ordering').get()
  return row?.state instanceof Uint8Array ? { name: String(row.name), bytes: row.state } : null
}

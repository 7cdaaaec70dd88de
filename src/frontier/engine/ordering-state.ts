// Keeps the state of an ordering over a restart. A small state is written with every step of the crawl, a
// large one every few seconds and when the file is closed.
import type { Clock } from '../../lib/clock.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import type { Rows } from './rows.ts'

const LITTLE_BYTES = 4096
const SAVE_EVERY_MS = 5000

export type OrderingStateOptions = {
  readonly rows: Pick<Rows, 'ordering'>
  readonly clock: Clock
  readonly name: string
  readonly scorer: Scorer
}

export class OrderingState {
  readonly #options: OrderingStateOptions
  #savedBytes = 0
  #savedAt = Number.NEGATIVE_INFINITY
  #savedLearned = 0

  constructor(options: OrderingStateOptions) {
    this.#options = options
  }

  /** Restores what earlier runs have learned. */
  load(): void {
    const { rows, name, scorer } = this.#options
    const saved = rows.ordering.get(name)
    if (saved !== undefined) scorer.load?.(saved.state)
  }

  /** Deletes what was learned; it no longer applies. */
  forget(): void {
    this.#options.rows.ordering.clear()
  }

  /** Saves the current state if it is small, or if the last save was a while ago. */
  write(learned: number): void {
    if (learned === this.#savedLearned) return
    const elapsed = Math.abs(this.#options.clock.now() - this.#savedAt)
    if (this.#savedBytes <= LITTLE_BYTES || elapsed >= SAVE_EVERY_MS) this.writeNow(learned)
  }

  writeNow(learned: number): void {
    const { rows, clock, name, scorer } = this.#options
    const bytes = scorer.save?.() ?? null
    this.#savedLearned = learned
    this.#savedAt = clock.now()
    this.#savedBytes = bytes?.byteLength ?? 0
    if (bytes === null) return
    rows.ordering.put({ name, state: bytes, savedAt: Math.floor(this.#savedAt) })
  }
}

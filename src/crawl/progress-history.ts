// The progress curve of a crawl that no server watches, saved beside it for later readers. If it cannot be
// saved, the crawl continues without it.

import type { Clock } from '../lib/clock.ts'
import type { JobJournal } from '../store/job-journal.ts'
import type { Progress } from './progress.ts'
import { RunMeasures } from './run-measures.ts'

/** How often it is saved for readers. */
const SAVE_MS = 3000

export type ProgressHistoryOptions = {
  readonly crawlId: number
  readonly journal: Pick<JobJournal, 'history' | 'saveHistory'>
  readonly clock: Clock
}

/** Continues the curve of earlier runs of the crawl. */
export async function openProgressHistory(
  options: ProgressHistoryOptions,
): Promise<ProgressHistory> {
  const measures = new RunMeasures()
  try {
    measures.goOnFrom(await options.journal.history(options.crawlId))
  } catch {
    // Then the curve begins here.
  }
  return new ProgressHistory(options, measures)
}

export class ProgressHistory {
  readonly #options: ProgressHistoryOptions
  readonly #measures: RunMeasures
  #savedAt: number
  #saving = Promise.resolve()

  constructor(options: ProgressHistoryOptions, measures: RunMeasures) {
    this.#options = options
    this.#measures = measures
    this.#savedAt = options.clock.now()
  }

  hear(progress: Progress): void {
    const now = this.#options.clock.now()
    this.#measures.hear(progress, now)
    if (now - this.#savedAt >= SAVE_MS) void this.#save(now)
  }

  /** Resolves when it is saved. Never rejects. */
  async end(): Promise<void> {
    const now = this.#options.clock.now()
    this.#measures.end(now)
    if (this.#measures.history.length > 0) await this.#save(now)
  }

  /** One save at a time, so that an older one never overwrites a newer one. */
  #save(at: number): Promise<void> {
    const { journal, crawlId } = this.#options
    this.#savedAt = at
    this.#saving = this.#saving
      .then(() => journal.saveHistory(crawlId, this.#measures.history))
      .catch(() => {})
    return this.#saving
  }
}

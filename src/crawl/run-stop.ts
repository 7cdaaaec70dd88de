// The word to stop, for all of a run: the crawl drains, and what is left to do after it is cut short.

import type { RunWatcher } from './crawl-watcher.ts'
import type { Drain } from './job-run.ts'
import type { CrawlEnd, DrainReason } from './supervisor.ts'

/** Who has been told to stop, or whose time is up, is done with the rest in so long, or leaves it. */
const REST_MS = 4_000

export class RunStop {
  readonly #controller = new AbortController()
  /** Why it was asked to stop; null: it was not. */
  #why: DrainReason | null = null

  /** The same watcher; whoever it gives the way to end the crawl early is heard here, too. */
  heardBy<T extends RunWatcher>(watcher: T): T {
    const onDrainable = (drain: Drain): void =>
      watcher.onDrainable((why, withinMs) => {
        this.#why ??= why
        this.#controller.abort()
        drain(why, withinMs)
      })
    return { ...watcher, onDrainable }
  }

  /** Until when what comes after the crawl may go on. */
  afterThe(end: CrawlEnd): AbortSignal {
    const isStopped = end === 'time' || end === this.#why
    return isStopped ? AbortSignal.timeout(REST_MS) : this.#controller.signal
  }

  /** How the run ended: one that was stopped while it did the rest goes on with that another time. */
  endOf(end: CrawlEnd, isRestDone: boolean): CrawlEnd {
    return isRestDone ? end : (this.#why ?? end)
  }
}

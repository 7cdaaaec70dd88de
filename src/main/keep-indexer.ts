// An indexer beside the server, from the moment there is something for it to read: what an earlier
// server left, or a job. One that dies is started again, each time a little later; who searches
// meanwhile finds what is in the index, and brings it up to date by itself.
import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatcher } from '../crawl/dispatcher.ts'
import { backoffMs } from '../lib/backoff.ts'
import { IndexerChild } from './indexer-child.ts'

/** Most servers that are started hear of a job soon, or not at all. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** Who has worked for so long begins to count anew. */
const HEALTHY_MS = 60_000

export type KeepIndexerOptions = {
  readonly dataDir: string
  readonly dispatcher: Pick<Dispatcher, 'subscribe'>
  /** Whether there is something to read already. */
  readonly isBehind: () => Promise<boolean>
  readonly log: (text: string) => void
  /** Before the first is started, and again before the second; doubled from then on. */
  readonly firstWaitMs?: number
}

export class KeptIndexer implements AsyncDisposable {
  readonly #options: KeepIndexerOptions
  readonly #leaving = new AbortController()
  readonly #needed = Promise.withResolvers<void>()
  readonly #unsubscribe: () => void
  readonly #kept: Promise<void>
  #child: IndexerChild | null = null

  constructor(options: KeepIndexerOptions) {
    this.#options = options
    const need = (): void => this.#needed.resolve()
    this.#unsubscribe = options.dispatcher.subscribe({ onEvent: need, onProgress: () => {} })
    this.#leaving.signal.addEventListener('abort', need)
    this.#kept = this.#keep().catch((error: unknown) => this.#tell(String(error)))
  }

  /** Of the indexer that runs now; null when none does. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe()
    this.#leaving.abort()
    await this.#kept
  }

  async #keep(): Promise<void> {
    const { signal } = this.#leaving
    const { isBehind, firstWaitMs: baseMs = FIRST_WAIT_MS } = this.#options
    // What cannot be read is told by the one who has to.
    if (!(await isBehind().catch(() => true))) await this.#needed.promise
    for (let failures = 1; !signal.aborted; failures++) {
      const waitMs = backoffMs(failures, { baseMs, capMs: LONGEST_WAIT_MS })
      await pause(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const startedAt = performance.now()
      await this.#runOne()
      if (performance.now() - startedAt >= HEALTHY_MS) failures = 0
    }
  }

  async #runOne(): Promise<void> {
    await using child = new IndexerChild(this.#options.dataDir)
    this.#child = child
    const left = Promise.withResolvers<void>()
    this.#leaving.signal.addEventListener('abort', () => left.resolve(), { once: true })
    if (this.#leaving.signal.aborted) left.resolve()
    await Promise.race([child.exited, left.promise])
    this.#child = null
    if (!this.#leaving.signal.aborted) this.#tell(child.failure ?? 'the indexer died')
  }

  #tell(why: string): void {
    this.#options.log(`the search index is not kept up to date at the moment: ${why}`)
  }
}

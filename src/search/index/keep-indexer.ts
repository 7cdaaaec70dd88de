// An indexer beside a server or a crawl, from the moment there is something for it to read. One that
// dies is started again, each time a little later; who searches meanwhile finds what is in the index,
// and brings it up to date by itself.
import { setTimeout as pause } from 'node:timers/promises'
import type { WorkspaceUrl } from '../../core/workspace-url.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { showSeconds } from '../../lib/format.ts'
import { IndexerChild } from './indexer-child.ts'

/** Most servers that are started hear of a job soon, or not at all. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** Who has worked for so long begins to count anew. */
const HEALTHY_MS = 60_000

export type KeepIndexerOptions = {
  readonly workspace: WorkspaceUrl
  /** Calls back when there is something to read, once or more often; what it returns ends that. */
  readonly whenNeeded: (need: () => void) => () => void
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
    this.#unsubscribe = options.whenNeeded(need)
    this.#leaving.signal.addEventListener('abort', need)
    this.#kept = this.#keep().catch((error: unknown) => this.#tell(String(error)))
  }

  /** Of the indexer that runs now; null when none does. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Lets it read to the end of what is stored, for so long; whether it came there. */
  async finish(withinMs: number, onBehind: (behind: number) => void): Promise<boolean> {
    const child = this.#child
    this.#leaving.abort()
    const isDone = (await child?.finish(withinMs, onBehind)) ?? false
    await this[Symbol.asyncDispose]()
    return isDone
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe()
    this.#leaving.abort()
    await this.#kept
  }

  async #keep(): Promise<void> {
    const { signal } = this.#leaving
    const { firstWaitMs: baseMs = FIRST_WAIT_MS } = this.#options
    let why: string | null = null
    await this.#needed.promise
    for (let failures = 1; !signal.aborted; failures++) {
      const waitMs = backoffMs(failures, { baseMs, capMs: LONGEST_WAIT_MS })
      if (why !== null) this.#tell(`${why}; it is started again ${inTime(waitMs)}`)
      await pause(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const startedAt = performance.now()
      why = await this.#runOne()
      if (performance.now() - startedAt >= HEALTHY_MS) failures = 0
    }
  }

  /** Why it ended by itself; null: it was to. */
  async #runOne(): Promise<string | null> {
    const child = new IndexerChild(this.#options.workspace)
    this.#child = child
    const left = Promise.withResolvers<void>()
    this.#leaving.signal.addEventListener('abort', () => left.resolve(), { once: true })
    if (this.#leaving.signal.aborted) left.resolve()
    await Promise.race([child.exited, left.promise])
    this.#child = null
    const why = this.#leaving.signal.aborted ? null : (child.failure ?? 'the indexer died')
    await child[Symbol.asyncDispose]()
    return why
  }

  #tell(why: string): void {
    this.#options.log(`the search index is not kept up to date at the moment: ${why}`)
  }
}

function inTime(ms: number): string {
  return ms < 1000 ? 'at once' : `in ${showSeconds(ms / 1000)}`
}

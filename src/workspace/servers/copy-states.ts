// Keeps the store's copy of a frontier up to date. Every process of a crawl offers to do it, one of them
// does, and when that one is gone the next continues. A late copy is not lost, only not shown yet.
//
// A process that stalls while it copies is replaced by another, and may later wake up with old data. The
// store accepts changes only from the last process that claimed the copy, and a process reads the changes
// again after its claim.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CrawlerError } from '../../core/errors.ts'
import type { UrlChanges } from '../../frontier/url-changes.ts'
import { steadyMs } from '../../lib/clock.ts'
import type { UrlStateCopy } from '../../store/url-state-copy.ts'

/** During a crawl most URLs change several times: the longer the interval, the less is copied twice. */
const EVERY_MS = 15_000
const BATCH = 1_000
/** Another process may be about to finish the copy, or be gone; its claim ends before this. */
const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 50

export type CopyingOptions = {
  readonly crawlId: number
  readonly changes: UrlChanges
  readonly states: Pick<UrlStateCopy, 'claim' | 'save'>
  readonly everyMs?: number
  /** How long the end may take. */
  readonly patienceMs?: number
  /** Called at the end with the reason if the copy is not up to date. Earlier errors are retried. */
  readonly onError: (error: unknown) => void
}

/** Copies until it is disposed of; that first brings the copy up to date. */
export function startCopying(options: CopyingOptions): AsyncDisposable {
  const stopping = new AbortController()
  const { everyMs = EVERY_MS, patienceMs = PATIENCE_MS, onError, changes } = options
  const copier = new Copier(options)
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // The copier itself waits for a server that is away; after that the crawl ends.
      await copier.copyChanges().catch(() => {})
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await copyAll(copier, steadyMs() + patienceMs)
  }
  const done = work()
    .catch(onError)
    .finally(() => changes.leave().catch(() => {}))
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await done
    },
  }
}

class Copier {
  readonly #options: CopyingOptions
  readonly #name = randomUUID()
  #hasClaimed = false

  constructor(options: CopyingOptions) {
    this.#options = options
  }

  /** Copies the changes; false if another process does. */
  async copyChanges(): Promise<boolean> {
    const { crawlId, changes, states } = this.#options
    for (;;) {
      const some = await changes.take(BATCH)
      if (some === null) return false
      if (some.urls.length === 0) return true
      if (!this.#hasClaimed) {
        await states.claim(crawlId, this.#name)
        this.#hasClaimed = true
        continue
      }
      this.#hasClaimed = await states.save(crawlId, some, this.#name)
      if (!this.#hasClaimed) return false
      await changes.copied(some)
    }
  }
}

/** The same to the end, whichever process has copied until now. */
async function copyAll(copier: Copier, until: number): Promise<void> {
  for (;;) {
    const isLate = steadyMs() >= until
    const isDone = await copier.copyChanges().catch((error: unknown) => {
      if (isLate || isGivenUp(error)) throw error
      return false
    })
    if (isDone) return
    if (isLate) throw new CrawlerError('store-busy', 'another process does not finish the copy')
    await pause(LOOK_EVERY_MS)
  }
}

/** Its server was already waited for. */
function isGivenUp(error: unknown): boolean {
  return error instanceof CrawlerError && error.code === 'store-unreachable'
}

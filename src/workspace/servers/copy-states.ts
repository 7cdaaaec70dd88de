// Keeps the store's copy of a frontier up to date: every process of a crawl offers to, one of them does,
// and when that one is gone the next goes on. What is copied late is not lost, only not shown yet.
//
// One that stands still while it copies is followed by another, and may wake up with what was true then:
// the store takes it only from who claimed the copy last, and who claims it looks again afterwards.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CrawlerError } from '../../core/errors.ts'
import type { UrlChanges } from '../../frontier/url-changes.ts'
import { steadyMs } from '../../lib/clock.ts'
import type { UrlStateCopy } from '../../store/url-state-copy.ts'

/** While a crawl runs, most of its URLs change several times: the rarer, the less is copied again. */
const EVERY_MS = 15_000
const BATCH = 1_000
/** Another process may be about to finish the copy, or be gone: then its turn ends before this. */
const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 50

export type CopyingOptions = {
  readonly crawlId: number
  readonly changes: UrlChanges
  readonly states: Pick<UrlStateCopy, 'claim' | 'save'>
  readonly everyMs?: number
  /** How long the end may take. */
  readonly patienceMs?: number
  /** Hears at the end why the copy is not up to date, when it is not. What goes wrong before is tried again. */
  readonly onError: (error: unknown) => void
}

/** Copies until it is disposed of, which brings the copy up to date first. */
export function startCopying(options: CopyingOptions): AsyncDisposable {
  const stopping = new AbortController()
  const { everyMs = EVERY_MS, patienceMs = PATIENCE_MS, onError, changes } = options
  const copier = new Copier(options)
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // A server that is away is waited for by whoever asks it; past that the crawl itself ends.
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

  /** Copies what has changed; false when another process does. */
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

/** The same to the end, whoever has been copying until now. */
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

/** Its server was waited for already. */
function isGivenUp(error: unknown): boolean {
  return error instanceof CrawlerError && error.code === 'store-unreachable'
}

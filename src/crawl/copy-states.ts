// Keeps the store's copy of a frontier up to date: every process of a crawl offers to, one of them does,
// and when that one is gone the next goes on. What is copied late is not lost, only not shown yet.
import { setTimeout as pause } from 'node:timers/promises'
import type { UrlChanges } from '../frontier/url-changes.ts'
import type { UrlStates } from '../store/url-states.ts'

const EVERY_MS = 1_000
const BATCH = 1_000
/** Another process may be about to finish the copy, or be gone: then its turn ends before this. */
const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 50

export type CopyingOptions = {
  readonly crawlId: number
  readonly changes: UrlChanges
  readonly states: UrlStates
  readonly everyMs?: number
  /** Hears what went wrong, once; after that nothing is copied any more. */
  readonly onError: (error: unknown) => void
}

/** Copies until it is disposed of, which brings the copy up to date first. */
export function startCopying(options: CopyingOptions): AsyncDisposable {
  const stopping = new AbortController()
  const { everyMs = EVERY_MS, onError, changes } = options
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await copyChanges(options)
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await copyAll(options)
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

/** Copies what has changed; false when another process does. */
export async function copyChanges({ crawlId, changes, states }: CopyingOptions): Promise<boolean> {
  for (;;) {
    const some = await changes.take(BATCH)
    if (some === null) return false
    if (some.urls.length === 0) return true
    await states.save(crawlId, some)
    await changes.copied(some)
  }
}

/** The same to the end, whoever has been copying until now. */
async function copyAll(options: CopyingOptions): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (!(await copyChanges(options)) && Date.now() < until) await pause(LOOK_EVERY_MS)
}

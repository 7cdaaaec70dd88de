// Makes the pages of a job searchable when it has come to rest: in short stretches, so that whoever
// searches meanwhile waits for none of them long. Who searches sooner brings the index up to date, too.
import { setTimeout as pause } from 'node:timers/promises'
import type { PlaceReads } from '../api/place-reads.ts'
import type { Dispatcher } from '../crawl/dispatcher.ts'

export type Searchable = {
  readonly dispatcher: Pick<Dispatcher, 'subscribe'>
  readonly reads: Pick<PlaceReads, 'catchUp'>
  readonly log: (text: string) => void
}

const STRETCH_MS = 200
/** Others who want to read or write get their turn. */
const PAUSE_MS = 50

/** Also what earlier servers left, at once. Ends when it is disposed of. */
export function keepSearchable({ dispatcher, reads, log }: Searchable): AsyncDisposable {
  const leaving = new AbortController()
  let under = Promise.resolve()
  const catchUp = (): void => {
    under = under
      .then(() => toTheEnd(reads, leaving.signal))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) log(`the search index is behind: ${String(error)}`)
      })
  }
  const unsubscribe = dispatcher.subscribe({
    onEvent: ({ event }) => {
      const rested =
        event.type === 'status' && event.status !== 'started' && event.status !== 'running'
      if (rested || event.type === 'removed') catchUp()
    },
    onProgress: () => {},
  })
  catchUp()
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe()
      leaving.abort()
      await under
    },
  }
}

async function toTheEnd(reads: Searchable['reads'], signal: AbortSignal): Promise<void> {
  let last = Number.POSITIVE_INFINITY
  while (!signal.aborted) {
    const { behind } = await reads.catchUp(STRETCH_MS)
    // Another process may have the index, or the disk may be full: then nothing moves.
    if (behind === 0 || behind >= last) return
    last = behind
    await pause(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}

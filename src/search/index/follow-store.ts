// Keeps an index in step with the store for as long as it is wanted: listens to the feed of changes, as
// any other program may, and reads on when something was told. While much comes, changes are collected
// for a moment, since many pages at once cost less than one by one.
//
// What the feed does not tell (that a crawl has ended) and what it cannot, while nobody serves it, is
// seen by a look at the store now and then.
import { setTimeout as pause } from 'node:timers/promises'
import { followFeed } from '../../feed/feed-client.ts'
import type { ChangeFeed } from '../../store/change-feed.ts'

/** No step is begun after that, so that a signal is heard. */
const STRETCH_MS = 200
/** When nothing more is told for so long, or so long after the first. */
const QUIET_MS = 100
const COLLECT_MS = 1000
const LOOK_EVERY_MS = 1000

export type FollowOptions = {
  readonly changes: ChangeFeed
  /** Of the feed. */
  readonly socketPath: string
  /** For about so long. */
  readonly catchUp: (budgetMs: number) => Promise<{ readonly behind: number }>
  /** Up to where changes were read. */
  readonly cursor: () => Promise<number>
  readonly onBehind: (behind: number) => void
  /** Leave when the index has all that is stored. */
  readonly finishing: AbortSignal
  /** Leave after the step that is under way. */
  readonly leaving: AbortSignal
}

/** Rejects when the index cannot be written. */
export async function followStore(options: FollowOptions): Promise<void> {
  const { finishing, leaving } = options
  const wake = new Wake(options.changes)
  const over = new AbortController()
  const stop = (): void => wake.now()
  for (const signal of [finishing, leaving]) signal.addEventListener('abort', stop)
  let listening: Promise<void> | null = null
  let cursor = 0
  try {
    while (!leaving.aborted) {
      const wasFinishing = finishing.aborted
      cursor = await step(options)
      if (cursor < 0) continue
      if (wasFinishing) return
      // Not before: what is behind would be told line by line.
      listening ??= followFeed({
        path: options.socketPath,
        after: () => cursor,
        onTold: (told) => {
          if (told.cursor > cursor) wake.soon()
        },
        signal: over.signal,
      })
      if (!finishing.aborted && !leaving.aborted) await wake.next()
    }
  } finally {
    for (const signal of [finishing, leaving]) signal.removeEventListener('abort', stop)
    over.abort()
    await listening
  }
}

/** Where it is when it has read everything; -1 before. */
async function step({ catchUp, cursor, onBehind }: FollowOptions): Promise<number> {
  const { behind } = await catchUp(STRETCH_MS)
  onBehind(behind)
  if (behind === 0) return cursor()
  // So that signals are heard.
  await pause(0)
  return -1
}

/** When to read on. */
class Wake {
  readonly #changes: ChangeFeed
  #firstAt: number | null = null
  #timer: NodeJS.Timeout | null = null
  #isDue = false
  #isLooking = false
  #ring: () => void = () => {}

  constructor(changes: ChangeFeed) {
    this.#changes = changes
  }

  /** Something was told; there may be more right after it. */
  soon(): void {
    const now = performance.now()
    this.#firstAt ??= now
    if (this.#timer !== null) clearTimeout(this.#timer)
    const waitMs = Math.min(QUIET_MS, this.#firstAt + COLLECT_MS - now)
    this.#timer = setTimeout(() => this.now(), Math.max(0, waitMs))
  }

  now(): void {
    this.#isDue = true
    this.#ring()
  }

  /** At once, if something came meanwhile. */
  async next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ring = resolve
    if (this.#isDue) resolve()
    const looking = setInterval(() => void this.#look(), LOOK_EVERY_MS)
    await promise
    clearInterval(looking)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#firstAt = null
    this.#isDue = false
  }

  /** A store that cannot be asked is told when it is read. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#firstAt !== null) return
    this.#isLooking = true
    const stirred = await this.#changes.mayHaveChanged().catch(() => true)
    this.#isLooking = false
    if (stirred) this.now()
  }
}

// Brings the search index of a workspace up to date and keeps it so, for `jelajah index` and for the indexer
// beside a crawl or a server.
import { setTimeout as pause } from 'node:timers/promises'
import { followFeed } from '../../feed/feed-client.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed } from '../../store/change-feed.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type IndexSource, IndexWriter, type IndexWriterOptions } from './index-writer.ts'
import { Ranks } from './ranks.ts'

const STEP_MS = 200
const WRITER_LOOK_MS = 100

type IndexingWatcher = {
  /** Called at each step with the number of unread changes; 0 at the end. */
  readonly onBehind: (behind: number) => void
  readonly onRebuild: () => void
}

type IndexingOptions = {
  readonly workspace: Workspace
  readonly source: IndexSource
  readonly clock: Clock
  readonly watcher: IndexingWatcher
  /** Given by callers that follow crawls while they run. */
  readonly ranks?: Ranks
  /** Stop after the current step. */
  readonly leaving: AbortSignal
}

/** Ranks running crawls by their stored links. Redirects are added when a crawl ends. */
export async function openRanks(
  workspace: Workspace,
  { changes }: IndexSource,
): Promise<AsyncDisposable & { readonly ranks: Ranks }> {
  const reader = await workspace.graphReader()
  return {
    ranks: new Ranks({ reader, changes }),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}

/** Waits for a limited time while another process holds the index; null if that was not enough. */
export async function openWriter(
  { watcher, leaving, ...wanted }: IndexingOptions,
  forMs: number,
): Promise<IndexWriter | null> {
  const options: IndexWriterOptions = { ...wanted, onRebuild: watcher.onRebuild }
  const until = performance.now() + forMs
  for (;;) {
    const writer = await IndexWriter.open(options)
    if (writer !== null || leaving.aborted || performance.now() >= until) return writer
    await pause(WRITER_LOOK_MS, undefined, { signal: leaving }).catch(() => {})
  }
}

/** Indexes everything that is stored; false if it had to stop earlier. */
export async function indexAll(writer: IndexWriter, options: IndexingOptions): Promise<boolean> {
  const { watcher, leaving } = options
  for (;;) {
    if (leaving.aborted) return false
    const { behind } = await writer.catchUp(STEP_MS)
    watcher.onBehind(behind)
    if (behind === 0) return true
    // Lets signals be handled.
    await pause(0)
  }
}

/** Runs until it is stopped. `finishing`: stop as soon as everything stored is indexed. */
export async function indexOn(
  writer: IndexWriter,
  { workspace, source, watcher, leaving }: IndexingOptions,
  finishing: AbortSignal,
): Promise<void> {
  await followStore({
    changes: source.changes,
    socketPath: workspace.feedSocket,
    catchUp: (budgetMs) => writer.catchUp(budgetMs),
    cursor: async () => (await writer.position()).cursor,
    isReplaced: () => writer.isReplaced,
    onBehind: watcher.onBehind,
    finishing,
    leaving,
  })
}

/** No step starts after this time, so that signals are handled. */
const STRETCH_MS = 200
/** Reading starts after this much silence, or this long after the first message. */
const QUIET_MS = 100
const COLLECT_MS = 1000
const LOOK_EVERY_MS = 1000

type FollowOptions = {
  readonly changes: ChangeFeed
  /** The socket of the feed. */
  readonly socketPath: string
  /** Catches up for about `budgetMs`. */
  readonly catchUp: (budgetMs: number) => Promise<{ readonly behind: number }>
  /** The position up to which changes were read. */
  readonly cursor: () => Promise<number>
  /** Whether the index has to be opened again; very cheap. */
  readonly isReplaced: () => boolean
  readonly onBehind: (behind: number) => void
  /** Stop when the index has everything that is stored. */
  readonly finishing: AbortSignal
  /** Stop after the current step. */
  readonly leaving: AbortSignal
}

/**
 * Keeps an index in step with the store. It listens to the change feed, as any other program may, and reads
 * on after each message. Under load it collects changes for a moment, since many pages at once cost less than
 * single ones.
 *
 * The feed does not report the end of a crawl, and reports nothing while no process serves it. The store is
 * therefore checked now and then as well.
 *
 * Rejects if the index cannot be written.
 */
async function followStore(options: FollowOptions): Promise<void> {
  const { finishing, leaving } = options
  const wake = new Wake(options)
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
      // Only now: earlier, the feed would send the whole backlog line by line.
      listening ??= followFeed({
        path: options.socketPath,
        after: () => cursor,
        onMessage: (told) => {
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

/** The cursor once everything is read; -1 before. */
async function step({ catchUp, cursor, onBehind }: FollowOptions): Promise<number> {
  const { behind } = await catchUp(STRETCH_MS)
  onBehind(behind)
  if (behind === 0) return cursor()
  // Lets signals be handled.
  await pause(0)
  return -1
}

/** Decides when to read on. */
class Wake {
  readonly #options: Pick<FollowOptions, 'changes' | 'isReplaced'>
  #firstAt: number | null = null
  #timer: NodeJS.Timeout | null = null
  #isDue = false
  #isLooking = false
  #ring: () => void = () => {}

  constructor(options: Pick<FollowOptions, 'changes' | 'isReplaced'>) {
    this.#options = options
  }

  /** A message came; more may follow at once. */
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

  /** Resolves at once if a message came meanwhile. */
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

  /** An error of the store is reported when the store is read. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#firstAt !== null) return
    this.#isLooking = true
    const { changes, isReplaced } = this.#options
    const hasChanged = await changes.mayHaveChanged().catch(() => true)
    this.#isLooking = false
    if (hasChanged || isReplaced()) this.now()
  }
}

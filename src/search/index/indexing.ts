// Brings the search index of a workspace up to date and keeps it so, for `jelajah index` and for the indexer
// beside a crawl or a server.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { followStore } from './follow-store.ts'
import { type IndexSource, IndexWriter, type IndexWriterOptions } from './index-writer.ts'
import { Ranks } from './ranks.ts'

const STEP_MS = 200
const LOOK_EVERY_MS = 100

export type IndexingWatcher = {
  /** Called at each step with the number of unread changes; 0 at the end. */
  readonly onBehind: (behind: number) => void
  readonly onAnew: () => void
}

export type IndexingOptions = {
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
  const options: IndexWriterOptions = { ...wanted, onAnew: watcher.onAnew }
  const until = performance.now() + forMs
  for (;;) {
    const writer = await IndexWriter.open(options)
    if (writer !== null || leaving.aborted || performance.now() >= until) return writer
    await pause(LOOK_EVERY_MS, undefined, { signal: leaving }).catch(() => {})
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
    onBehind: watcher.onBehind,
    finishing,
    leaving,
  })
}

// Bringing the search index of a place up to date, and keeping it there: what `jelajah index` and
// the indexer beside a crawl or a server do.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { followStore } from './follow-store.ts'
import { type IndexSource, IndexWriter, type IndexWriterOptions } from './index-writer.ts'
import { Ranks } from './ranks.ts'

const STEP_MS = 200
const LOOK_EVERY_MS = 100

export type IndexingWatcher = {
  /** Changes that were not read yet; at each step, 0 at the last. */
  readonly onBehind: (behind: number) => void
  readonly onAnew: () => void
}

export type IndexingOptions = {
  readonly workspace: Workspace
  readonly source: IndexSource
  readonly clock: Clock
  readonly watcher: IndexingWatcher
  /** For who follows crawls while they run. */
  readonly ranks?: Ranks
  /** Leave after the step that is under way. */
  readonly leaving: AbortSignal
}

/** Ranks of crawls that run, by the links that are stored. Where URLs led is told when a crawl ends. */
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

/** Waits while somebody else has the index, for so long; null when that was not enough. */
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

/** To the end of what is stored; false when it had to leave before. */
export async function indexAll(writer: IndexWriter, options: IndexingOptions): Promise<boolean> {
  const { watcher, leaving } = options
  for (;;) {
    if (leaving.aborted) return false
    const { behind } = await writer.catchUp(STEP_MS)
    watcher.onBehind(behind)
    if (behind === 0) return true
    // So that a signal is heard.
    await pause(0)
  }
}

/** Until it is told to leave. `finishing`: leave as soon as all that is stored is in it. */
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

// The pages of a run as they become durable. They are read from the store by a cursor of its change log, not
// from a queue: a slow reader holds nothing up, and costs no memory.
import type { WorkspaceChoice } from '../core/workspace-url.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { type CrawledPage, withFields } from './crawled-page.ts'

/** How many changes are read at a time. Pages are read one by one, when they are asked for. */
const CHUNK = 64
const LOOK_EVERY_MS = 50

type StreamedRun = {
  readonly choice: WorkspaceChoice
  readonly crawlId: number
  /** The last change before the run. */
  readonly cursor: number
  /** True if nothing is stored any more. */
  readonly isOver: () => boolean
  /** Resolves when it is over. */
  readonly over: Promise<unknown>
  readonly signal: AbortSignal | null
  /** The crawl has rules for fields. */
  readonly hasFields: boolean
}

/** Throws the reason of the signal when it is aborted. */
export async function* pagesOf(run: StreamedRun): AsyncGenerator<CrawledPage, void, void> {
  const { choice, crawlId, isOver, signal, hasFields } = run
  await using workspace = workspaceOf(choice, () => {})
  await using feed = await workspace.changeFeed()
  if (feed === null) return
  await using pages = await workspace.pageReader()
  let { cursor } = run
  for (;;) {
    signal?.throwIfAborted()
    // Asked before the store is, so that nothing is missed.
    const isLast = isOver()
    const next = await feed.after(cursor, CHUNK)
    for (const { change, crawlId: of, pageId, duplicateOf } of next.changes) {
      if (change !== 'add' || of !== crawlId || pageId === null || duplicateOf !== null) continue
      const page = await pages.get(pageId)
      if (page !== null) yield withFields(page, hasFields ? await pages.partsOf(pageId) : {})
      signal?.throwIfAborted()
    }
    const isDone = next.cursor === cursor
    cursor = next.cursor
    if (isDone && isLast) return
    if (isDone) await news(feed, run)
  }
}

/** Resolves when the store may have changed, when the run is over, or when nobody wants to know any more. */
async function news(
  feed: { mayHaveChanged(): Promise<boolean> },
  { isOver, over, signal }: StreamedRun,
): Promise<void> {
  while (!isOver() && signal?.aborted !== true && !(await feed.mayHaveChanged())) {
    let timer: NodeJS.Timeout | undefined
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LOOK_EVERY_MS)
    })
    await Promise.race([pause, over])
    clearTimeout(timer)
  }
}

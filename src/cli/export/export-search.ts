// What search knows, for exports: an index that has all that was stored when the export asks for it. One
// that is behind would leave pages out, and nobody would know.

import { CrawlerError } from '../../core/errors.ts'
import { ExportInterrupted } from '../../export/run-export.ts'
import { showNumber } from '../../lib/format.ts'
import { catchUpInSteps, type StepsOptions } from '../../reads/catch-up-in-steps.ts'
import { openSearch } from '../../reads/open-search.ts'
import { countBehind, openIndexSource } from '../../search/index/index-writer.ts'
import type { SearchReader } from '../../search/search-index.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** So long nothing may move while another process keeps the index: it may be ranking pages. */
const PATIENCE_MS = 30_000

/** What needs no page to be shown. */
export type ExportSearch = Pick<SearchReader, 'matching' | 'nearDuplicates'> & AsyncDisposable

export type ExportSearchOptions = StepsOptions & { readonly patienceMs?: number }

/** Catches up with the store first, or waits while another process does. */
export async function openExportSearch(
  workspace: Workspace,
  { patienceMs = PATIENCE_MS, ...options }: ExportSearchOptions,
): Promise<ExportSearch> {
  await using source = await openIndexSource(workspace)
  if (source === null)
    throw new CrawlerError('store-unreachable', `the crawls of ${workspace.shown} are gone`)
  const last = await source.changes.last()
  await using search = openSearch(workspace)
  let least = Number.POSITIVE_INFINITY
  for (let movedAt = performance.now(); ; ) {
    await catchUpInSteps(search, options)
    if (options.signal.aborted) throw new ExportInterrupted()
    const reader = await workspace.searchReader({ pagesOf: async () => [] })
    const behind = await countBehind(reader, source, last)
    if (reader !== null && behind === 0) return reader
    await reader?.[Symbol.asyncDispose]()
    const isKept = await workspace.isLocked('search')
    if (behind < least) movedAt = performance.now()
    else if (!isKept || performance.now() - movedAt >= patienceMs) throw isBehind(behind, isKept)
    least = Math.min(least, behind)
  }
}

function isBehind(changes: number, isKept: boolean): CrawlerError {
  const what = `the search index is ${showNumber(changes, 'change')} behind`
  return isKept
    ? new CrawlerError('store-busy', `${what}; wait for the process that keeps it, then try again`)
    : new CrawlerError(
        'store-unreachable',
        `${what}, and cannot be written; 'jelajah index' says why`,
      )
}

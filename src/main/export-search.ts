// What search knows, for exports: an index that is up to date.
import { CrawlerError } from '../core/errors.ts'
import type { SearchReader } from '../search/search-index.ts'
import { openSqliteSearchReader } from '../search/sqlite/open-search-index.ts'
import { openSearch } from './open-search.ts'
import { searchPath } from './places.ts'

const STEP_MS = 500

/** What needs no page to be shown. */
export type ExportSearch = Pick<SearchReader, 'matching' | 'nearDuplicates'> & AsyncDisposable

export type CatchUpOptions = {
  readonly signal: AbortSignal
  /** Changes that are still to be read. */
  readonly onBehind: (behind: number) => void
}

/** Catches up with the store first, unless another process does. */
export async function openExportSearch(
  dataDir: string,
  { signal, onBehind }: CatchUpOptions,
): Promise<ExportSearch> {
  await using search = openSearch(dataDir)
  for (let before = Number.POSITIVE_INFINITY; !signal.aborted; ) {
    const { behind } = await search.catchUp(STEP_MS)
    onBehind(behind)
    // Another process may write the index, and be slower than the crawl that it follows.
    if (behind === 0 || behind >= before) break
    before = behind
  }
  const options = { path: searchPath(dataDir), pagesOf: async () => [] }
  const reader = await openSqliteSearchReader(options)
  if (reader !== null) return reader
  throw new CrawlerError('store-unreachable', `there is no index to search in ${dataDir}`)
}

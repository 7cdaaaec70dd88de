// The writer of a workspace's search index: holds a lock and keeps the index up to date with the store. An
// index that is damaged, or made by another version, is rebuilt.
import { CrawlerError } from '../../core/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed } from '../../store/change-feed.ts'
import type { PageReader } from '../../store/page-reader.ts'
import type { SearchSource, Workspace, WorkspaceLock } from '../../workspace/workspace.ts'
import type { Found, Position, Search, SearchIndex, SearchReader } from '../search-index.ts'
import { catchUp } from './catch-up.ts'
import type { Ranks } from './ranks.ts'

/** The parts of the store that the indexer reads. */
export type IndexSource = AsyncDisposable & {
  readonly changes: ChangeFeed
  readonly feed: PageReader
}

/** Null if there is no store yet. */
export async function openIndexSource(workspace: Workspace): Promise<IndexSource | null> {
  const changes = await workspace.changeFeed()
  if (changes === null) return null
  const feed = await workspace.pageReader()
  return {
    changes,
    feed,
    async [Symbol.asyncDispose]() {
      await changes[Symbol.asyncDispose]()
      await feed[Symbol.asyncDispose]()
    },
  }
}

/** The source for opening an index, for writing or reading. */
export function indexed({ feed }: IndexSource): SearchSource {
  return {
    pagesOf: (ids: readonly number[]) => feed.pagesOf(ids),
    topicsOf: () => feed.topics(),
  }
}

/** The number of changes up to `last` that an index has not read; null if there is no index. */
export async function countBehind(
  index: SearchReader | null,
  { changes }: IndexSource,
  last: number,
): Promise<number> {
  const at = await index?.position()
  const read = at?.mark === (await changes.mark()) ? at.cursor : 0
  return Math.max(0, last - read)
}

export async function indexIsBehind(workspace: Workspace): Promise<boolean> {
  await using source = await openIndexSource(workspace)
  if (source === null) return false
  await using reader = await workspace.searchReader(indexed(source))
  return (await countBehind(reader, source, await source.changes.last())) > 0
}

export type IndexWriterOptions = {
  readonly workspace: Workspace
  /** The caller closes it. */
  readonly source: IndexSource
  readonly clock: Clock
  /** Given by callers that follow crawls while they run. */
  readonly ranks?: Ranks
  /** Called when the existing index is unusable and will be rebuilt. */
  readonly onAnew?: () => void
}

export class IndexWriter implements AsyncDisposable {
  readonly #options: IndexWriterOptions
  readonly #lock: WorkspaceLock
  #index: SearchIndex

  private constructor(options: IndexWriterOptions, lock: WorkspaceLock, index: SearchIndex) {
    this.#options = options
    this.#lock = lock
    this.#index = index
  }

  /** Null while another process writes. */
  static async open(options: IndexWriterOptions): Promise<IndexWriter | null> {
    const lock = await options.workspace.lock('search')
    if (lock === null) return null
    try {
      return new IndexWriter(options, lock, await openIndex(options))
    } catch (error) {
      await lock[Symbol.asyncDispose]()
      throw error
    }
  }

  /** See catch-up.ts. A damaged index is discarded, once, and rebuilt. */
  async catchUp(budgetMs: number): Promise<{ readonly behind: number }> {
    return this.#mending(() => this.#catchUp(budgetMs))
  }

  /** `budgetMs`: the time allowed for a rebuild, if one is needed. */
  async query(search: Search, budgetMs: number): Promise<Found> {
    let catchUpFirst = false
    return this.#mending(async () => {
      if (catchUpFirst) await this.#catchUp(budgetMs)
      catchUpFirst = true
      return this.#index.query(search)
    })
  }

  async position(): Promise<Position> {
    return this.#index.position()
  }

  /** The number of searchable pages, over all crawls. */
  async pages(): Promise<number> {
    let pages = 0
    for (const { id } of await this.#index.crawls()) pages += await this.#index.size(id)
    return pages
  }

  #catchUp(budgetMs: number): Promise<{ readonly behind: number }> {
    const { source, clock, ranks } = this.#options
    const ranked = ranks === undefined ? {} : { ranks }
    return catchUp({ ...source, index: this.#index, clock, budgetMs, ...ranked })
  }

  /** If the index turns out to be damaged, repeats the work once with a new one. */
  async #mending<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lock.lost?.aborted) {
      throw new CrawlerError('store-busy', 'another process writes the search index now')
    }
    try {
      return await work()
    } catch (error) {
      if (!(await this.#options.workspace.isUnfitSearch(error))) throw error
      this.#options.onAnew?.()
      await this.discard()
      return work()
    }
  }

  /** Deletes the index, to rebuild it. */
  async discard(): Promise<void> {
    await this.#index[Symbol.asyncDispose]()
    await this.#options.workspace.discardSearch()
    this.#index = await openIndex(this.#options)
  }

  /** The lock is released last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#index[Symbol.asyncDispose]()
    await this.#lock[Symbol.asyncDispose]()
  }
}

function openIndex({ workspace, source, onAnew }: IndexWriterOptions): Promise<SearchIndex> {
  return workspace.searchIndex(indexed(source), onAnew)
}

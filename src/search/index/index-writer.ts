// The one who writes the search index of a place: it holds a lock, and lets the index follow the
// store. An index that is damaged, or was made by another version, is made anew.
import { CrawlerError } from '../../core/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed } from '../../store/change-feed.ts'
import type { PageReader } from '../../store/page-reader.ts'
import type { SearchSource, Workspace, WorkspaceLock } from '../../workspace/workspace.ts'
import type { Found, Position, Search, SearchIndex, SearchReader } from '../search-index.ts'
import { catchUp } from './catch-up.ts'
import type { Ranks } from './ranks.ts'

/** What is read of the store. */
export type IndexSource = AsyncDisposable & {
  readonly changes: ChangeFeed
  readonly feed: PageReader
}

/** Null where there is no store yet. */
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

/** What an index is opened with, for writing or reading. */
export function indexed({ feed }: IndexSource): SearchSource {
  return {
    pagesOf: (ids: readonly number[]) => feed.pagesOf(ids),
    topicsOf: () => feed.topics(),
  }
}

/** Of changes up to `last`, how many an index has not read; null: there is no index. */
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
  /** Stays the caller's. */
  readonly source: IndexSource
  readonly clock: Clock
  /** For who follows crawls while they run. */
  readonly ranks?: Ranks
  /** What is there is of no use: all of it is made again. */
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

  /** See indexer/catch-up.ts. A damaged index is thrown away, once, and a new one begun. */
  async catchUp(budgetMs: number): Promise<{ readonly behind: number }> {
    return this.#mending(() => this.#catchUp(budgetMs))
  }

  /** `budgetMs`: so long it may take to make the index anew, should that be needed. */
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

  /** That can be found, of all crawls. */
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

  /** Does the work once more when the index turns out to be damaged, with a new one. */
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

  /** To make it anew. */
  async discard(): Promise<void> {
    await this.#index[Symbol.asyncDispose]()
    await this.#options.workspace.discardSearch()
    this.#index = await openIndex(this.#options)
  }

  /** The lock goes last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#index[Symbol.asyncDispose]()
    await this.#lock[Symbol.asyncDispose]()
  }
}

function openIndex({ workspace, source, onAnew }: IndexWriterOptions): Promise<SearchIndex> {
  return workspace.searchIndex(indexed(source), onAnew)
}

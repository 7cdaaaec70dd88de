// Search in a data folder. One process keeps the index, whoever comes first: it holds a lock, and
// catches up with the store before it answers. The others read what is there.
import type { SearchResult } from '../api/shapes/page.ts'
import { CrawlerError } from '../core/errors.ts'
import { openLock } from '../db/lock.ts'
import { catchUp } from '../indexer/catch-up.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { Gate } from '../lib/gate.ts'
import type { Found, Search, SearchIndex, SearchReader } from '../search/search-index.ts'
import {
  discardSqliteSearchIndex,
  isUnfit,
  openSqliteSearchIndex,
  openSqliteSearchReader,
} from '../search/sqlite/open-search-index.ts'
import type { ChangeFeed } from '../store/change-feed.ts'
import type { PageFeed } from '../store/page-feed.ts'
import { openSqliteChangeFeed } from '../store/sqlite/sqlite-change-feed.ts'
import { openSqlitePageFeed } from '../store/sqlite/sqlite-page-feed.ts'
import { searchLockPath, searchPath, storePath } from './places.ts'
import { nothingFound, resultFrom } from './search-result.ts'

/** So that a crawl of some thousand pages can be searched as soon as it has ended. */
const BEFORE_ANSWER_MS = 1000

export interface PlaceSearch extends AsyncDisposable {
  /** Empty where there is no store yet. */
  search(search: Search): Promise<SearchResult>
  /** Brings the index nearer to the store, for about as long as that; `behind`: changes still to read. */
  catchUp(budgetMs: number): Promise<{ readonly behind: number }>
}

/** Opens nothing before it is asked, and makes no file before there is a store. */
export function openSearch(
  dataDir: string,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): PlaceSearch {
  return new FolderSearch(dataDir, clock)
}

/** What is read of the store. */
type Source = { readonly changes: ChangeFeed; readonly feed: PageFeed }

/** Held by who writes: the lock goes last. */
type Writing = { readonly lock: AsyncDisposable; readonly index: SearchIndex }

class FolderSearch implements PlaceSearch {
  readonly #dataDir: string
  readonly #clock: Clock
  /** One call at a time: two would take the lock from each other. */
  readonly #gate = new Gate(1)
  #source: Source | null = null
  #writing: Writing | null = null

  constructor(dataDir: string, clock: Clock) {
    this.#dataDir = dataDir
    this.#clock = clock
  }

  async search(search: Search): Promise<SearchResult> {
    return this.#gate.run(() =>
      this.#mending(async () => {
        const { behind } = await this.#catchUp(BEFORE_ANSWER_MS)
        const found = await this.#query(search)
        return found === null ? nothingFound(search.text, behind) : resultFrom(found, behind)
      }),
    )
  }

  async catchUp(budgetMs: number): Promise<{ readonly behind: number }> {
    return this.#gate.run(() => this.#mending(() => this.#catchUp(budgetMs)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gate.run(async () => {
      await this.#stopWriting()
      await this.#source?.changes[Symbol.asyncDispose]()
      await this.#source?.feed[Symbol.asyncDispose]()
      this.#source = null
    })
  }

  async #catchUp(budgetMs: number): Promise<{ behind: number }> {
    const source = await this.#openSource()
    if (source === null) return { behind: 0 }
    try {
      const index = await this.#openIndex(source.feed)
      if (index !== null) return await catchUp({ ...source, index, clock: this.#clock, budgetMs })
    } catch (error) {
      if (!isNoHarm(error)) throw error
    }
    return { behind: await this.#countBehind(source) }
  }

  /** Of an index that another process keeps. */
  async #countBehind({ changes, feed }: Source): Promise<number> {
    await using reader = await this.#openReader(feed)
    const at = await reader?.position()
    const read = at?.mark === (await changes.mark()) ? at.cursor : 0
    return Math.max(0, (await changes.last()) - read)
  }

  async #query(search: Search): Promise<Found | null> {
    if (this.#writing !== null) return this.#writing.index.query(search)
    if (this.#source === null) return null
    await using reader = await this.#openReader(this.#source.feed)
    return reader === null ? null : await reader.query(search)
  }

  /** A damaged index is thrown away, once, and the work done again with a new one. */
  async #mending<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (this.#writing === null || !isUnfit(error)) throw error
      await this.#writing.index[Symbol.asyncDispose]()
      discardSqliteSearchIndex(searchPath(this.#dataDir))
      await this.#stopWriting()
      return work()
    }
  }

  async #openSource(): Promise<Source | null> {
    if (this.#source !== null) return this.#source
    const path = storePath(this.#dataDir)
    const changes = await openSqliteChangeFeed(path)
    const feed = changes === null ? null : await openSqlitePageFeed(path)
    if (changes !== null && feed !== null) this.#source = { changes, feed }
    return this.#source
  }

  /** Null while another process writes. */
  async #openIndex(feed: PageFeed): Promise<SearchIndex | null> {
    if (this.#writing !== null) return this.#writing.index
    const lock = await openLock(searchLockPath(this.#dataDir))
    if (lock === null) return null
    try {
      const index = await openSqliteSearchIndex(this.#options(feed))
      this.#writing = { lock, index }
      return index
    } catch (error) {
      await lock[Symbol.asyncDispose]()
      throw error
    }
  }

  /** For one look: the one who writes may put another file in its place. */
  async #openReader(feed: PageFeed): Promise<SearchReader | null> {
    return openSqliteSearchReader(this.#options(feed))
  }

  #options(feed: PageFeed) {
    return {
      path: searchPath(this.#dataDir),
      pagesOf: (ids: readonly number[]) => feed.pages(ids),
      topicsOf: () => feed.topics(),
    }
  }

  async #stopWriting(): Promise<void> {
    const writing = this.#writing
    this.#writing = null
    await writing?.index[Symbol.asyncDispose]()
    await writing?.lock[Symbol.asyncDispose]()
  }
}

/** Nothing can be written here: what is in the index can be searched all the same. */
function isNoHarm(error: unknown): boolean {
  if (!(error instanceof CrawlerError)) return false
  return error.code === 'disk-full' || error.code === 'store-unreachable'
}

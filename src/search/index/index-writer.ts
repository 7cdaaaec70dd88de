// The writer of a workspace's search index: holds a lock and keeps the index up to date with the store. An
// index that is damaged, or made by another version, is rebuilt.
import { CrawlerError } from '../../core/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed, Changes } from '../../store/change-feed.ts'
import type { FeedCrawl, FeedPage, PageReader } from '../../store/page-reader.ts'
import type { SearchSource, Workspace, WorkspaceLock } from '../../workspace/workspace.ts'
import { type GivenText, givenTexts } from '../link-texts.ts'
import type {
  Found,
  IndexedCrawl,
  Position,
  Search,
  SearchIndex,
  SearchReader,
} from '../search-index.ts'
import { Ranks } from './ranks.ts'

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
  readonly onRebuild?: () => void
}

export class IndexWriter implements AsyncDisposable {
  readonly #options: IndexWriterOptions
  readonly #lock: WorkspaceLock
  #index: SearchIndex
  #mark: string

  private constructor(options: IndexWriterOptions, lock: WorkspaceLock, index: SearchIndex) {
    this.#options = options
    this.#lock = lock
    this.#index = index
    this.#mark = options.workspace.searchMark()
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

  /** True if somebody deleted the index, or put another in its place: nobody reads what is written here. */
  get isReplaced(): boolean {
    return this.#options.workspace.searchMark() !== this.#mark
  }

  /** See `catchUp`. A damaged or deleted index is discarded, once, and rebuilt. */
  async catchUp(budgetMs: number): Promise<{ readonly behind: number }> {
    return this.#mending(async () => {
      if (this.isReplaced) await this.#reopen()
      return this.#catchUp(budgetMs)
    })
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
      this.#options.onRebuild?.()
      await this.discard()
      return work()
    }
  }

  /** Deletes the index, to rebuild it. */
  async discard(): Promise<void> {
    await this.#index[Symbol.asyncDispose]()
    await this.#options.workspace.discardSearch()
    await this.#open()
  }

  async #reopen(): Promise<void> {
    // What is left beside a deleted file belongs to no other.
    if (this.#options.workspace.searchMark() === '') return this.discard()
    await this.#index[Symbol.asyncDispose]()
    await this.#open()
  }

  async #open(): Promise<void> {
    this.#index = await openIndex(this.#options)
    this.#mark = this.#options.workspace.searchMark()
  }

  /** The lock is released last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#index[Symbol.asyncDispose]()
    await this.#lock[Symbol.asyncDispose]()
  }
}

function openIndex({ workspace, source, onRebuild }: IndexWriterOptions): Promise<SearchIndex> {
  return workspace.searchIndex(indexed(source), onRebuild)
}

/** Limits of one transaction, which takes some tenths of a second and some ten megabytes. */
const BATCH = { changes: 500, chars: 4_000_000 }
const REMOVED_AT_ONCE = 1000
const OF_ENDED = new Ranks(null)

type CatchUpOptions = {
  readonly changes: ChangeFeed
  readonly feed: PageReader
  readonly index: SearchIndex
  readonly clock: Clock
  /** Without it, only crawls that have ended get ranks. */
  readonly ranks?: Ranks
  /** No step starts after this time, but at least one step is done. */
  readonly budgetMs: number
}

type Crawls = ReadonlyMap<number, FeedCrawl>

/**
 * Keeps the search index up to date with the store: reads the changes since the last time, and removes the
 * pages of removed crawls.
 *
 * The index stores the position up to which it has read, in the same transaction as the pages, so the indexer
 * can stop anywhere and continue. A page is read from its row, which may be newer than the change; the later
 * changes then write the same again.
 *
 * Not indexed: pages with noindex, pages that repeat another, pages of removed crawls.
 *
 * `behind`: changes not read yet, plus pages of removed crawls that are still in the index.
 */
export async function catchUp(options: CatchUpOptions): Promise<{ behind: number }> {
  const { changes, feed, index, clock, budgetMs } = options
  const until = clock.now() + budgetMs
  let at = await startAt(options)
  do {
    const next = await changes.after(at.cursor, BATCH.changes)
    // Must come after the changes: a crawl that is missing now was removed.
    const crawls = await crawlsOf(feed)
    const [removed] = await removedFrom(index, crawls)
    if (removed !== undefined) {
      await index.remove(removed.id, REMOVED_AT_ONCE)
    } else if (next.cursor > at.cursor) {
      at = await take(next, at.mark, crawls, options)
    } else {
      await followHot(crawls, options)
      await (options.ranks ?? OF_ENDED).follow({ feed, index, crawls })
      return { behind: 0 }
    }
  } while (clock.now() < until)
  return { behind: await countLeft(at, options) }
}

/** Cursors mean nothing in another store, so the index of another store is cleared. */
async function startAt({ changes, index }: CatchUpOptions): Promise<Position> {
  const mark = await changes.mark()
  const at = await index.position()
  if (at.mark === mark) return at
  if (at.mark !== '') await index.clear()
  return { mark, cursor: 0 }
}

async function crawlsOf(feed: PageReader): Promise<Crawls> {
  return new Map((await feed.crawls()).map((crawl) => [crawl.id, crawl]))
}

async function removedFrom(index: SearchIndex, crawls: Crawls): Promise<readonly IndexedCrawl[]> {
  return (await index.crawls()).filter(({ id }) => !crawls.has(id))
}

async function countLeft(at: Position, { changes, feed, index }: CatchUpOptions) {
  let behind = Math.max(0, (await changes.last()) - at.cursor)
  // A crawl without pages still needs a step to be removed.
  for (const { id } of await removedFrom(index, await crawlsOf(feed))) {
    behind += Math.max(1, await index.size(id))
  }
  return behind
}

/** Indexes one batch and returns the position to continue from. */
async function take(
  next: Changes,
  mark: string,
  crawls: Crawls,
  { feed, index }: CatchUpOptions,
): Promise<Position> {
  const ids = [...new Set(next.changes.flatMap(({ pageId }) => pageId ?? []))]
  const { pages, read } = await feed.somePages(ids, BATCH.chars)
  const found = pages.filter((page) => crawls.has(page.crawlId) && isSearchable(page))
  const wanted = new Set(found.map(({ id }) => id))
  const gone = ids.slice(0, read).filter((id) => !wanted.has(id))
  const given = await givenBy(found, feed)
  const changed = new Map<number, number>()
  for (const { pageId, cursor } of next.changes) if (pageId !== null) changed.set(pageId, cursor)
  const position = { mark, cursor: cursorAfter(next, new Set(ids.slice(read))) }
  await index.add({ pages: found, gone, given, changed, position })
  return position
}

/** What pages say about others, by id. */
async function givenBy(pages: readonly FeedPage[], feed: PageReader) {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const given = new Map<number, readonly GivenText[]>()
  for await (const { pageId, links } of feed.linksOfPages([...byId.keys()])) {
    const page = byId.get(pageId)
    if (page !== undefined) given.set(pageId, givenTexts(page, links))
  }
  return given
}

function isSearchable({ noindex, duplicateOf }: FeedPage): boolean {
  return !noindex && duplicateOf === null
}

/** The cursor of the last change before the first change of an unread page. */
function cursorAfter({ changes, cursor }: Changes, unread: ReadonlySet<number>): number {
  const first = changes.findIndex(({ pageId }) => pageId !== null && unread.has(pageId))
  return first === -1 ? cursor : (changes[first - 1]?.cursor ?? 0)
}

/** In some crawls hotness depends on the whole graph and is known only when they end. */
async function followHot(crawls: Crawls, { feed, index }: CatchUpOptions): Promise<void> {
  for (const { id, hotMark } of await index.crawls()) {
    const now = crawls.get(id)?.hotMark ?? null
    if (now !== null && now !== hotMark) await index.markHot(id, await feed.hotPages(id), now)
  }
}

// Keeps the search index up to date with the store: reads the changes since the last time, and removes the
// pages of removed crawls.
//
// The index stores the position up to which it has read, in the same transaction as the pages, so the indexer
// can stop anywhere and continue. A page is read from its row, which may be newer than the change; the later
// changes then write the same again.
//
// Not indexed: pages with noindex, pages that repeat another, pages of removed crawls.
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed, Changes } from '../../store/change-feed.ts'
import type { FeedCrawl, FeedPage, PageReader } from '../../store/page-reader.ts'
import type { IndexedCrawl, Position, SearchIndex } from '../search-index.ts'
import { Ranks } from './ranks.ts'

/** Limits of one transaction, which takes some tenths of a second and some ten megabytes. */
const BATCH = { changes: 500, chars: 4_000_000 }
const REMOVED_AT_ONCE = 1000
const OF_ENDED = new Ranks(null)

export type CatchUpOptions = {
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

/** `behind`: changes not read yet, plus pages of removed crawls that are still in the index. */
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
  return { behind: await countBehind(at, options) }
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

async function countBehind(at: Position, { changes, feed, index }: CatchUpOptions) {
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
  const position = { mark, cursor: cursorAfter(next, new Set(ids.slice(read))) }
  await index.add({ pages: found, gone, position })
  return position
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

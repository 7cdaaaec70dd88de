// Keeps the search index after the store: reads what became of pages since, takes out crawls that went.
//
// How far it has read stands in the index, written together with the pages. So it can stop anywhere and
// go on. What a page is like comes from its row, which may be newer than the change that is read; the
// changes after it then lead to the same again.
//
// Left out: pages that say noindex, pages that repeat another, pages of removed crawls.
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed, Changes } from '../../store/change-feed.ts'
import type { FeedCrawl, FeedPage, PageReader } from '../../store/page-reader.ts'
import type { IndexedCrawl, Position, SearchIndex } from '../search-index.ts'
import { Ranks } from './ranks.ts'

/** One transaction: some tenths of a second, and some ten megabytes while it lasts. */
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
  /** No step is begun after that; one always is. */
  readonly budgetMs: number
}

type Crawls = ReadonlyMap<number, FeedCrawl>

/** `behind`: changes that were not read yet, and pages of removed crawls that are not out yet. */
export async function catchUp(options: CatchUpOptions): Promise<{ behind: number }> {
  const { changes, feed, index, clock, budgetMs } = options
  const until = clock.now() + budgetMs
  let at = await startAt(options)
  do {
    const next = await changes.after(at.cursor, BATCH.changes)
    // Asked after the changes: a crawl that is not there now was removed.
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

/** Cursors mean nothing in another store: what is left of the one before goes. */
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
  // One without pages is forgotten in another step.
  for (const { id } of await removedFrom(index, await crawlsOf(feed))) {
    behind += Math.max(1, await index.size(id))
  }
  return behind
}

/** One batch; where to go on. */
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

/** Of the last change before the first one of a page that was not read. */
function cursorAfter({ changes, cursor }: Changes, unread: ReadonlySet<number>): number {
  const first = changes.findIndex(({ pageId }) => pageId !== null && unread.has(pageId))
  return first === -1 ? cursor : (changes[first - 1]?.cursor ?? 0)
}

/** Which pages are hot is only told by the whole graph in some crawls, when they end. */
async function followHot(crawls: Crawls, { feed, index }: CatchUpOptions): Promise<void> {
  for (const { id, hotMark } of await index.crawls()) {
    const now = crawls.get(id)?.hotMark ?? null
    if (now !== null && now !== hotMark) await index.markHot(id, await feed.hotPages(id), now)
  }
}

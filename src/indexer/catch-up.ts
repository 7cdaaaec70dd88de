// Keeps the search index after the store: reads pages that came since, takes out crawls that went.
//
// How far it has read stands in the index, written together with the pages: the last page of each
// crawl, the largest of them being the cursor. So it can stop anywhere and go on, and doing a thing
// twice changes nothing. The cursor stands on a page of a crawl that is still there, and no id below
// a page that is there is ever given again. When the crawl with the highest ids is removed, its ids
// may come again; but then the cursor goes back with it, to the last page of those that stay.
//
// Left out: pages that say noindex, pages that repeat another, pages of crawls that are being swept.
import type { Clock } from '../lib/clock.ts'
import type { IndexedCrawl, SearchIndex } from '../search/search-index.ts'
import type { FeedCrawl, FeedPage, PageFeed } from '../store/page-feed.ts'

/** One transaction: some tenths of a second, and some ten megabytes while it lasts. */
const BATCH = { pages: 500, chars: 4_000_000 }
const REMOVED_AT_ONCE = 1000

export type CatchUpOptions = {
  readonly feed: PageFeed
  readonly index: SearchIndex
  readonly clock: Clock
  /** No step is begun after that; one always is. */
  readonly budgetMs: number
}

/** `behind`: pages that were stored and not read yet, or removed and not taken out yet. */
export async function catchUp(options: CatchUpOptions): Promise<{ behind: number }> {
  const { feed, index, clock, budgetMs } = options
  const until = clock.now() + budgetMs
  let at = await index.cursor()
  do {
    const pages = await feed.after(at, BATCH)
    // Asked after the pages: who was given an id of a removed crawl came after it was removed.
    const crawls = new Map((await feed.crawls()).map((crawl) => [crawl.id, crawl]))
    const [gone] = await goneFrom(index, crawls)
    if (gone !== undefined) {
      await index.remove(gone.id, REMOVED_AT_ONCE)
      at = await index.cursor()
    } else if (pages.length > 0) {
      await take(pages, crawls, index)
      at = pages.at(-1)?.id ?? at
    } else {
      await followHot(crawls, options)
      return { behind: 0 }
    }
  } while (clock.now() < until)
  return { behind: (await feed.countAfter(at)) + (await countGone(options)) }
}

/** Crawls in the index that are not in the store any more. */
async function goneFrom(
  index: SearchIndex,
  crawls: ReadonlyMap<number, FeedCrawl>,
): Promise<readonly IndexedCrawl[]> {
  return (await index.crawls()).filter(({ id, mark }) => crawls.get(id)?.mark !== mark)
}

async function countGone({ feed, index }: CatchUpOptions): Promise<number> {
  const crawls = new Map((await feed.crawls()).map((crawl) => [crawl.id, crawl]))
  let pages = 0
  // One without pages is forgotten in another step.
  for (const { id } of await goneFrom(index, crawls)) pages += Math.max(1, await index.size(id))
  return pages
}

async function take(
  pages: readonly FeedPage[],
  crawls: ReadonlyMap<number, FeedCrawl>,
  index: SearchIndex,
): Promise<void> {
  const read = new Map<number, Pick<IndexedCrawl, 'id' | 'mark' | 'lastPage'>>()
  for (const { id: lastPage, crawlId } of pages) {
    const crawl = crawls.get(crawlId)
    if (crawl !== undefined) read.set(crawlId, { id: crawlId, mark: crawl.mark, lastPage })
  }
  if (read.size === 0) return
  const wanted = pages.filter(
    ({ crawlId, noindex, duplicateOf }) => read.has(crawlId) && !noindex && duplicateOf === null,
  )
  await index.add({ pages: wanted, read: [...read.values()] })
}

/** Which pages are hot is only told by the whole graph in some crawls, when they end. */
async function followHot(
  crawls: ReadonlyMap<number, FeedCrawl>,
  { feed, index }: CatchUpOptions,
): Promise<void> {
  for (const { id, hotMark } of await index.crawls()) {
    const now = crawls.get(id)?.hotMark ?? null
    if (now !== null && now !== hotMark) await index.markHot(id, await feed.hotPages(id), now)
  }
}

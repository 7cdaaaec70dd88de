// Decides when the index gets new PageRanks, and from where. A crawl that has ended has them in the store.
// While a crawl runs, they are computed from its link graph, first at MIN_PAGES and then each time it has
// grown by half; altogether this costs three times the computation at the end. A crawl with too many links
// for the memory is ranked when it has ended.
//
// Pages added since then have the mean rank, so a new page is neither promoted nor hidden.
import { GrowingGraph, type RankedPages } from '../../graph/growing-graph.ts'
import type { ChangeFeed, PageChange } from '../../store/change-feed.ts'
import type { GraphReader, LinkedPage, Redirect } from '../../store/graph-reader.ts'
import type { FeedCrawl, PageReader } from '../../store/page-reader.ts'
import type { PageRank, SearchIndex } from '../search-index.ts'

/** Fewer pages say little about each other. */
const MIN_PAGES = 100
const GROWTH = 1.5
/** This many links take some 300 MB of memory, with their target URLs. */
const MAX_LINKS = 20_000_000
const MAX_PAGES = 1_000_000

/** Source of the link graphs of running crawls. */
type GraphSource = {
  readonly reader: GraphReader
  readonly changes: ChangeFeed
  /** All known redirects of a crawl. */
  readonly redirects?: (crawlId: number) => AsyncIterable<Redirect>
}

type RankedPlace = {
  readonly feed: PageReader
  readonly index: SearchIndex
  /** By crawl number. */
  readonly crawls: ReadonlyMap<number, Pick<FeedCrawl, 'hotMark'>>
}

/** Must be kept between calls: it holds the graphs of running crawls. */
export class Ranks {
  readonly #source: GraphSource | null
  readonly #graphs = new Map<number, FollowedGraph>()
  readonly #tooLarge = new Set<number>()

  /** Null: only crawls that have ended are ranked. */
  constructor(source: GraphSource | null) {
    this.#source = source
  }

  /** Updates the ranks of an index that has caught up. Nearly free if nothing changed. */
  async follow({ feed, index, crawls }: RankedPlace): Promise<void> {
    for (const { id, rankMark } of await index.crawls()) {
      const ended = crawls.get(id)?.hotMark ?? null
      if (ended === null) await this.#followRunning(id, rankMark, index)
      else {
        this.#graphs.delete(id)
        const mark = `ended ${ended}`
        if (mark !== rankMark) await index.setRanks(id, await feed.ranks(id), mark)
      }
    }
  }

  async #followRunning(id: number, rankMark: string, index: SearchIndex): Promise<void> {
    if (this.#source === null || this.#tooLarge.has(id)) return
    const pages = await index.size(id)
    if (pages < Math.max(MIN_PAGES, pagesIn(rankMark) * GROWTH)) return
    const graph = this.#graphs.get(id) ?? graphOf(id, this.#source)
    if (pages <= MAX_PAGES) await graph.catchUp()
    if (pages > MAX_PAGES || graph.graph.links > MAX_LINKS) {
      this.#graphs.delete(id)
      this.#tooLarge.add(id)
      return
    }
    this.#graphs.set(id, graph)
    await index.setRanks(id, ranksOf(graph), `running ${pages}`)
  }
}

/** The number of pages when a running crawl was last ranked; 0 for a crawl that had ended. */
function pagesIn(rankMark: string): number {
  return Number(/^running (\d+)$/.exec(rankMark)?.[1] ?? 0)
}

function graphOf(crawlId: number, { reader, changes, redirects }: GraphSource): FollowedGraph {
  const led = redirects === undefined ? {} : { redirects: () => redirects(crawlId) }
  return new FollowedGraph({ crawlId, reader, changes, maxLinks: MAX_LINKS, ...led })
}

function* ranksOf(graph: FollowedGraph): Generator<PageRank> {
  const { ids, ranks } = graph.ranks()
  for (const [node, id] of ids.entries()) yield [id, ranks[node] ?? 0]
}

type FollowedGraphOptions = {
  readonly crawlId: number
  readonly reader: GraphReader
  readonly changes: ChangeFeed
  /** All known redirects; read again each time. */
  readonly redirects?: () => AsyncIterable<Redirect>
  /** No further page is read above this number of links; see `graph.links`. Unlimited if missing. */
  readonly maxLinks?: number
  /** Called with each page that is read, and again if the page changed. */
  readonly note?: (page: LinkedPage) => void
}

const CHANGES_AT_ONCE = 500

/**
 * The link graph of one crawl, kept in step with the store while the crawl runs. Each page is read once
 * when it is added or changed. The ranks cover all pages read so far.
 */
export class FollowedGraph {
  readonly #options: FollowedGraphOptions
  #graph = new GrowingGraph()
  /** The position in the changes; null before the first read. */
  #at: { readonly mark: string; readonly cursor: number } | null = null

  constructor(options: FollowedGraphOptions) {
    this.#options = options
  }

  /** The graph as of the last `catchUp`. */
  get graph(): GrowingGraph {
    return this.#graph
  }

  /** Reads the changes since the last call; all pages on the first call, or if the store is another one. */
  async catchUp(): Promise<void> {
    const mark = await this.#options.changes.mark()
    const at = this.#at?.mark === mark ? this.#at : await this.#begin(mark)
    this.#at = { mark, cursor: await this.#follow(at.cursor) }
    for await (const { from, to } of this.#options.redirects?.() ?? []) {
      this.#graph.redirect(from, to)
    }
  }

  ranks(): RankedPages {
    return this.#graph.ranks()
  }

  async #begin(mark: string): Promise<{ readonly mark: string; readonly cursor: number }> {
    const { reader, changes, crawlId } = this.#options
    // Read before the pages, so that pages that change meanwhile are read again.
    const cursor = await changes.last()
    this.#graph = new GrowingGraph()
    for await (const page of reader.linkedPages(crawlId)) {
      if (this.#isFull()) break
      this.#take(page)
    }
    return { mark, cursor }
  }

  async #follow(from: number): Promise<number> {
    for (let cursor = from; ; ) {
      if (this.#isFull()) return cursor
      const next = await this.#options.changes.after(cursor, CHANGES_AT_ONCE)
      if (next.cursor === cursor) return cursor
      await this.#apply(next.changes.filter(({ crawlId }) => crawlId === this.#options.crawlId))
      cursor = next.cursor
    }
  }

  async #apply(changes: readonly PageChange[]): Promise<void> {
    const { reader, crawlId } = this.#options
    // Pages that no longer exist are not read back below.
    const ids = [...new Set(changes.flatMap(({ pageId }) => pageId ?? []))]
    for (const id of ids) this.#graph.remove(id)
    for await (const page of reader.linkedPagesOf(crawlId, ids)) this.#take(page)
  }

  #isFull(): boolean {
    return this.#graph.links > (this.#options.maxLinks ?? Number.POSITIVE_INFINITY)
  }

  #take(page: LinkedPage): void {
    this.#graph.add(page)
    this.#options.note?.(page)
  }
}

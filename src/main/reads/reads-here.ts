// What a place has to tell, read in this very thread. In front of it stands ../open-reads.ts, which
// asks several such threads.
import type { PlaceReads } from '../../api/place-reads.ts'
import type { PageInFull, SearchResult } from '../../api/shapes/page.ts'
import type { PageBrowser } from '../../store/page-browser.ts'
import { fetchedPage, pageRow } from './page-shapes.ts'
import { PlaceFiles } from './place-files.ts'
import { readTotals } from './read-totals.ts'

/** A page comes without the links to it: those are of the graph, and that is slower. */
export interface ReadsHere extends Omit<PlaceReads, 'page'> {
  page(crawlId: number, id: number): Promise<Omit<PageInFull, 'links_in'> | null>
  linksIn(crawlId: number, id: number): Promise<PageInFull['links_in']>
}

const MAX_IDS = 200_000

export function openReadsHere(dataDir: string): ReadsHere {
  const files = new PlaceFiles(dataDir)
  /** The answer of a crawl that is there, else `otherwise`. */
  const browse = async <T>(
    crawlId: number,
    read: (browser: PageBrowser) => Promise<T>,
    otherwise: T,
  ): Promise<T> => {
    const crawl = await files.crawl(crawlId)
    return crawl === null ? otherwise : read(crawl.store.browser)
  }
  return {
    async totals(crawlIds) {
      const totals = []
      for (const crawlId of crawlIds) totals.push(await readTotals(files, crawlId))
      return totals
    },
    fetchedPages: (crawlId, after, limit) =>
      browse(
        crawlId,
        async (browser) => (await browser.withLinks(crawlId, after, limit)).map(fetchedPage),
        [],
      ),
    pageRows: ({ crawlId, after, limit, filter }) =>
      browse(
        crawlId,
        async (browser) => {
          const found = await browser.list({ crawlId, after, limit: limit + 1, filter })
          const pages = found.slice(0, limit).map(pageRow)
          return { pages, next: found.length > limit ? (pages.at(-1)?.id ?? null) : null }
        },
        { pages: [], next: null },
      ),
    lastPageId: (crawlId) => browse(crawlId, (browser) => browser.lastId(crawlId), 0),
    pageIds: (options) =>
      browse(
        options.crawlId,
        async (browser) => {
          const { ids, total } = await browser.ids({ ...options, limit: MAX_IDS })
          return { ids: [...ids], total, cut: total > ids.length }
        },
        { ids: [], total: 0, cut: false },
      ),
    rowsOf: (crawlId, ids) =>
      browse(crawlId, async (browser) => (await browser.byIds(crawlId, ids)).map(pageRow), []),
    page: async () => null,
    linksIn: async () => ({ total: 0, pages: [] }),
    html: async () => null,
    urls: async () => ({ urls: [], next: null }),
    reasons: async () => ({ reasons: [] }),
    hosts: async () => [],
    explain: async () => null,
    rank: async () => ({ pages: [] }),
    pageGraph: async () => ({ nodes: [], edges: [], total_nodes: 0, total_edges: 0 }),
    siteGraph: async () => ({ nodes: [], edges: [], total_nodes: 0, total_edges: 0 }),
    search: async ({ query }): Promise<SearchResult> => ({
      query,
      total: 0,
      hits: [],
      facets: { hosts: [], languages: [], kinds: [], crawls: [] },
      behind: 0,
    }),
    [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
  }
}

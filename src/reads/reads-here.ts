// What a place has to tell, read in this very thread. In front of it stands ../open-reads.ts, which
// asks several such threads.

import type { JobRecord } from '../core/job.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type CrawlGraph, CrawlGraphs } from './crawl-graph.ts'
import { readExplanation } from './explanation.ts'
import { linksIn } from './links-in.ts'
import { openSearch } from './open-search.ts'
import { pageMap } from './page-map.ts'
import { fetchedPage, pageRow } from './page-shapes.ts'
import { readHtml, readPage } from './read-page.ts'
import { readRank } from './read-rank.ts'
import { readTotals } from './read-totals.ts'
import { readHosts, readReasons, readUrls } from './read-urls.ts'
import type { PageInFull } from './shapes/page.ts'
import { countSites, type Sites, siteMap } from './site-map.ts'
import { type CrawlHere, WorkspaceFiles } from './workspace-files.ts'
import type { WorkspaceReads } from './workspace-reads.ts'

/** A page comes without the links to it: those are of the graph, and that is slower. */
export interface ReadsHere extends Omit<WorkspaceReads, 'page'> {
  page(crawlId: number, id: number): Promise<Omit<PageInFull, 'links_in'> | null>
  linksIn(crawlId: number, id: number): Promise<PageInFull['links_in']>
}

const NO_GRAPH = { nodes: [], edges: [], total_nodes: 0, total_edges: 0 }

export function openReadsHere(workspace: Workspace, clock: Clock = systemClock): ReadsHere {
  const files = new WorkspaceFiles(workspace)
  const graphs = new CrawlGraphs(files, clock)
  const searching = openSearch(workspace, { clock, givesWay: true })
  const sites = new WeakMap<CrawlGraph, Sites>()
  /** Counted once for each graph, and gone with it. */
  const sitesOf = (graph: CrawlGraph): Sites => {
    const known = sites.get(graph) ?? countSites(graph)
    sites.set(graph, known)
    return known
  }
  /** The answer of a crawl that is there, else `otherwise`. */
  const of = async <T>(
    crawlId: number,
    read: (crawl: CrawlHere) => Promise<T>,
    otherwise: T,
  ): Promise<T> => {
    const crawl = await files.crawl(crawlId)
    return crawl === null ? otherwise : read(crawl)
  }
  const ofLedger = <T>(
    crawlId: number,
    read: (urlStates: UrlStates, job: JobRecord) => Promise<T>,
    otherwise: T,
  ): Promise<T> =>
    of(
      crawlId,
      async ({ job }) => {
        await using urlStates = await files.ledger(job)
        return urlStates === null ? otherwise : await read(urlStates, job)
      },
      otherwise,
    )
  const ofGraph = <T>(
    crawlId: number,
    read: (crawl: CrawlHere, graph: CrawlGraph) => Promise<T>,
    otherwise: T,
  ): Promise<T> =>
    of(
      crawlId,
      async (crawl) => {
        const graph = await graphs.of(crawlId)
        return graph === null ? otherwise : read(crawl, graph)
      },
      otherwise,
    )
  return {
    async totals(crawlIds) {
      const totals = []
      for (const crawlId of crawlIds) totals.push(await readTotals(files, crawlId))
      return totals
    },
    fetchedPages: (crawlId, after, limit) =>
      of(
        crawlId,
        async ({ store }) => (await store.pages.withLinks(crawlId, after, limit)).map(fetchedPage),
        [],
      ),
    pageRows: ({ crawlId, after, limit, filter }) =>
      of(
        crawlId,
        async ({ store }) => {
          const found = await store.pages.summaries({ crawlId, after, limit: limit + 1, filter })
          const pages = found.slice(0, limit).map(pageRow)
          return { pages, next: found.length > limit ? (pages.at(-1)?.id ?? null) : null }
        },
        { pages: [], next: null },
      ),
    lastPageId: (crawlId) => of(crawlId, ({ store }) => store.pages.lastIdOf(crawlId), 0),
    pageIds: (options) =>
      of(
        options.crawlId,
        async ({ store }) => {
          const { ids, total } = await store.pages.sortedIds(options)
          return { ids: [...ids], total, cut: total > ids.length }
        },
        { ids: [], total: 0, cut: false },
      ),
    rowsOf: (crawlId, ids) =>
      of(
        crawlId,
        async ({ store }) => (await store.pages.summariesOf(crawlId, ids)).map(pageRow),
        [],
      ),
    page: (crawlId, id) => of(crawlId, (crawl) => readPage(crawl, id), null),
    html: (crawlId, id) => of(crawlId, (crawl) => readHtml(crawl, id), null),
    linksIn: (crawlId, id) =>
      ofGraph(crawlId, (crawl, graph) => linksIn(crawl, graph, id), { total: 0, pages: [] }),
    urls: (options) =>
      ofLedger(options.crawlId, (urlStates) => readUrls(urlStates, options), {
        urls: [],
        next: null,
      }),
    reasons: (crawlId) => ofLedger(crawlId, readReasons, { reasons: [] }),
    hosts: (crawlId, limit) =>
      ofLedger(
        crawlId,
        (urlStates, { settings }) => readHosts(urlStates, settings, { limit, now: clock.now() }),
        [],
      ),
    explain: (crawlId, url) =>
      of(crawlId, ({ job }) => readExplanation(job, url, { workspace, now: clock.now() }), null),
    rank: (crawlId, limit) =>
      of(crawlId, (crawl) => readRank(crawl, limit, () => graphs.of(crawlId)), { pages: [] }),
    pageGraph: (crawlId, options) =>
      ofGraph(crawlId, (crawl, graph) => pageMap(crawl, graph, options), NO_GRAPH),
    siteGraph: (crawlId, options) =>
      ofGraph(
        crawlId,
        async ({ store }, graph) =>
          siteMap(sitesOf(graph), await store.pages.hosts(crawlId), options),
        NO_GRAPH,
      ),
    search: (request) => searching.search(request),
    async [Symbol.asyncDispose]() {
      await searching[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

// Every read, declared once: its name, its parameters, its result, and the thread that answers it. The types
// of the reads, the threads and what the API and commands call all derive from this list. Results have the
// shapes of the API, so that nothing is put together twice.
import type { JobRecord } from '../core/job.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Completing, Search } from '../search/search-index.ts'
import type { PageFilter, PageSort } from '../store/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readBeyond } from './beyond.ts'
import { type CrawlGraph, CrawlGraphs } from './crawl-graph.ts'
import { readExplanation } from './explanation.ts'
import { linksIn, pageMap, siteMap, sitesOf } from './maps.ts'
import { type BulkPages, type BulkQuery, readBulk } from './page-fields.ts'
import { fetchedPage, pageRow, readHtml, readPage } from './pages.ts'
import { readRank } from './rank.ts'
import type { MapRequest, ScrapeRequest, WebReads } from './scrape.ts'
import { openSearch, type SearchRequest, type WorkspaceSearch } from './search.ts'
import type { JobHost } from './shapes/job.ts'
import type {
  Beyond,
  PageGraph,
  PageIds,
  PageRows,
  Ranked,
  SiteGraph,
  UrlRows,
} from './shapes/page.ts'
import { readTotals } from './totals.ts'
import { readHosts, readReasons, readUrls, type UrlQuery } from './urls.ts'
import { type CrawlHere, WorkspaceFiles } from './workspace-files.ts'

/** No thread waits for another, and the server waits for none. A thread starts when it is first needed. */
export const THREADS = {
  /** For what is answered in milliseconds. */
  short: 'thread for short reads',
  /** For what looks at every page or URL of a crawl. */
  long: 'thread for long reads',
  /** For the link graph. */
  maps: 'thread for maps',
  search: 'thread for search',
  /** For requests to the web. */
  web: 'thread for pages of the web',
} as const
type ThreadName = keyof typeof THREADS

/** Arguments and result travel between threads: they are plain values. */
type Read<Args extends readonly unknown[], Result> = {
  readonly threadFor: (...args: Args) => ThreadName
  readonly run: (deps: ReadDeps, ...args: Args) => Promise<Result>
}

type ReadDeps = {
  readonly workspace: Workspace
  readonly files: WorkspaceFiles
  readonly graphs: CrawlGraphs
  readonly search: WorkspaceSearch
  /** Loaded when it is needed: it brings the fetcher and the parser. */
  readonly web: () => Promise<WebReads>
  readonly clock: Clock
}

type PageQuery = { readonly after: number; readonly limit: number; readonly filter: PageFilter }
type IdQuery = {
  readonly filter: PageFilter
  readonly sort: PageSort
  readonly descending: boolean
  readonly limit: number
}
type Limit = { readonly limit: number }
type Top = { readonly top: number }

const NO_GRAPH = { nodes: [], edges: [], total_nodes: 0, total_edges: 0 }

/** Crawls are named by their number. A crawl that is not there has nothing: no rows, or null. */
const READS = {
  totals: read('short', async ({ files }, crawlIds: readonly number[]) => {
    const totals = []
    for (const crawlId of crawlIds) totals.push(await readTotals(files, crawlId))
    return totals
  }),
  /**
   * For `GET /crawl/:id`: pages without duplicates, by id, after `after`; `id` is the cursor. There may
   * be more also where there are fewer than `limit`: only after none there are no more.
   */
  fetchedPages: read('short', (deps, crawlId: number, after: number, limit: number) =>
    ofCrawl(
      deps,
      crawlId,
      async ({ store }) => (await store.pages.withLinks(crawlId, after, limit)).map(fetchedPage),
      [],
    ),
  ),
  pageRows: {
    // A filter may have to look at every page before it finds one.
    threadFor: (_crawlId: number, { filter }: PageQuery) =>
      Object.keys(filter).length === 0 ? 'short' : 'long',
    run: (deps: ReadDeps, crawlId: number, { after, limit, filter }: PageQuery) =>
      ofCrawl<PageRows>(
        deps,
        crawlId,
        async ({ store }) => {
          const found = await store.pages.summaries({ crawlId, after, limit: limit + 1, filter })
          const pages = found.slice(0, limit).map(pageRow)
          return { pages, next: found.length > limit ? (pages.at(-1)?.id ?? null) : null }
        },
        { pages: [], next: null },
      ),
  } satisfies Read<[crawlId: number, query: PageQuery], PageRows>,
  /** Chosen fields of many pages. */
  bulkPages: read('long', (deps, crawlId: number, query: BulkQuery) =>
    ofCrawl<BulkPages>(deps, crawlId, (crawl) => readBulk(crawl, query), { lines: [], last: null }),
  ),
  /** The largest id of a page of this crawl, duplicates included; 0 when it has none. */
  lastPageId: read('short', (deps, crawlId: number) =>
    ofCrawl(deps, crawlId, ({ store }) => store.pages.lastIdOf(crawlId), 0),
  ),
  pageIds: read('long', (deps, crawlId: number, query: IdQuery) =>
    ofCrawl<PageIds>(
      deps,
      crawlId,
      async ({ store }) => {
        const { ids, total } = await store.pages.sortedIds({ crawlId, ...query })
        return { ids: [...ids], total, cut: total > ids.length }
      },
      { ids: [], total: 0, cut: false },
    ),
  ),
  /** Rows of one crawl by id; ids that are not there are left out. */
  rowsOf: read('short', (deps, crawlId: number, ids: readonly number[]) =>
    ofCrawl(
      deps,
      crawlId,
      async ({ store }) => (await store.pages.summariesOf(crawlId, ids)).map(pageRow),
      [],
    ),
  ),
  /** Without the links to it: those are of the graph, which is slower. */
  page: read('short', (deps, crawlId: number, id: number) =>
    ofCrawl(deps, crawlId, (crawl) => readPage(crawl, id), null),
  ),
  linksIn: read('maps', (deps, crawlId: number, id: number) =>
    ofGraph(deps, crawlId, (crawl, graph) => linksIn(crawl, graph, id), { total: 0, pages: [] }),
  ),
  html: read('short', (deps, crawlId: number, id: number) =>
    ofCrawl(deps, crawlId, (crawl) => readHtml(crawl, id), null),
  ),
  urls: read('long', (deps, crawlId: number, query: UrlQuery) =>
    ofUrlStates<UrlRows>(deps, crawlId, (urlStates) => readUrls(urlStates, query), {
      urls: [],
      next: null,
    }),
  ),
  reasons: read('long', (deps, crawlId: number) =>
    ofUrlStates(deps, crawlId, readReasons, { reasons: [] }),
  ),
  hosts: read('short', (deps, crawlId: number, { limit }: Limit) =>
    ofUrlStates<{ hosts: JobHost[] }>(
      deps,
      crawlId,
      async (urlStates, { settings }) => ({
        hosts: await readHosts(urlStates, settings, { limit, now: deps.clock.now() }),
      }),
      { hosts: [] },
    ),
  ),
  explain: read('short', (deps, crawlId: number, { url }: { readonly url: string }) => {
    const { workspace, clock } = deps
    const explain = ({ job }: CrawlHere) =>
      readExplanation(job, url, { workspace, now: clock.now() })
    return ofCrawl<Record<string, unknown> | null>(deps, crawlId, explain, null)
  }),
  rank: read('maps', (deps, crawlId: number, { limit }: Limit) =>
    ofCrawl<Ranked>(
      deps,
      crawlId,
      (crawl) => readRank(crawl, limit, () => deps.graphs.of(crawlId)),
      { pages: [] },
    ),
  ),
  pageGraph: read('maps', (deps, crawlId: number, query: Top & { readonly host?: string }) =>
    ofGraph<PageGraph>(deps, crawlId, (crawl, graph) => pageMap(crawl, graph, query), NO_GRAPH),
  ),
  siteGraph: read('maps', (deps, crawlId: number, query: Top) =>
    ofGraph<SiteGraph>(
      deps,
      crawlId,
      async ({ store }, graph) => siteMap(sitesOf(graph), await store.pages.hosts(crawlId), query),
      NO_GRAPH,
    ),
  ),
  /** Hosts that it leads to and does not enter. */
  beyond: read('maps', (deps, crawlId: number, { limit }: Limit) =>
    ofCrawl<Beyond>(deps, crawlId, (crawl) => readBeyond(crawl, { limit }), {
      hosts: [],
      total: 0,
      cut: false,
    }),
  ),
  search: read('search', ({ search }, request: SearchRequest) => search.search(request)),
  /** For many askers: waits neither for the index nor for who keeps it. */
  searchAsIs: read('search', ({ search }, request: Search) => search.searchAsIs(request)),
  suggest: read('search', ({ search }, request: Completing) => search.suggest(request)),
  scrape: read('web', async ({ web }, request: ScrapeRequest) => (await web()).scrape(request)),
  siteUrls: read('web', async ({ web }, request: MapRequest) => (await web()).map(request)),
}

export type ReadName = keyof typeof READS

/** The reads as they are called, wherever they run. */
export type WorkspaceReads = AsyncDisposable & {
  readonly [Name in ReadName]: (typeof READS)[Name] extends Read<infer Args, infer Result>
    ? (...args: Args) => Promise<Result>
    : never
}

/** Reads in this very thread. */
export function openReadsHere(workspace: Workspace): WorkspaceReads {
  const clock = systemClock
  const files = new WorkspaceFiles(workspace)
  const graphs = new CrawlGraphs(files, clock)
  const search = openSearch(workspace, { clock, givesWay: true })
  let opened: Promise<WebReads> | null = null
  const web = (): Promise<WebReads> => {
    opened ??= import('./scrape.ts').then(({ WebReads }) => new WebReads(workspace, clock))
    return opened
  }
  const deps = { workspace, files, graphs, search, web, clock }
  const close = async (): Promise<void> => {
    await (await opened)?.[Symbol.asyncDispose]()
    await search[Symbol.asyncDispose]()
    await files[Symbol.asyncDispose]()
  }
  return readsBy((name, args) => runRead(deps, name, args), close)
}

/** All reads, each asked for by its name. */
export function readsBy(
  ask: (name: ReadName, args: readonly unknown[]) => Promise<unknown>,
  close: () => Promise<void>,
): WorkspaceReads {
  const reads = readNames().map((name) => [name, (...args: unknown[]) => ask(name, args)])
  // Each of them hands its own arguments to the read of its own name.
  return { ...Object.fromEntries(reads), [Symbol.asyncDispose]: close } as WorkspaceReads
}

export function threadFor(name: ReadName, args: readonly unknown[]): ThreadName {
  // The arguments are those of the read of that name, which the compiler has checked at the call.
  const choose = READS[name].threadFor as (...args: readonly unknown[]) => ThreadName
  return choose(...args)
}

function runRead(deps: ReadDeps, name: ReadName, args: readonly unknown[]): Promise<unknown> {
  // The same holds here.
  const run = READS[name].run as (deps: ReadDeps, ...args: readonly unknown[]) => Promise<unknown>
  return run(deps, ...args)
}

function readNames(): ReadName[] {
  // The keys of an object literal are all its keys.
  return Object.keys(READS) as ReadName[]
}

function read<Args extends readonly unknown[], Result>(
  thread: ThreadName,
  run: (deps: ReadDeps, ...args: Args) => Promise<Result>,
): Read<Args, Result> {
  return { threadFor: () => thread, run }
}

/** The answer of a crawl that is there, else `nothing`. */
async function ofCrawl<T>(
  { files }: ReadDeps,
  crawlId: number,
  answer: (crawl: CrawlHere) => Promise<T>,
  nothing: T,
): Promise<T> {
  const crawl = await files.crawl(crawlId)
  return crawl === null ? nothing : answer(crawl)
}

function ofUrlStates<T>(
  deps: ReadDeps,
  crawlId: number,
  answer: (urlStates: UrlStates, job: JobRecord) => Promise<T>,
  nothing: T,
): Promise<T> {
  const ask = async ({ job }: CrawlHere): Promise<T> => {
    await using urlStates = await deps.files.urlStates(job)
    return urlStates === null ? nothing : await answer(urlStates, job)
  }
  return ofCrawl(deps, crawlId, ask, nothing)
}

function ofGraph<T>(
  deps: ReadDeps,
  crawlId: number,
  answer: (crawl: CrawlHere, graph: CrawlGraph) => Promise<T>,
  nothing: T,
): Promise<T> {
  const ask = async (crawl: CrawlHere): Promise<T> => {
    const graph = await deps.graphs.of(crawlId)
    return graph === null ? nothing : answer(crawl, graph)
  }
  return ofCrawl(deps, crawlId, ask, nothing)
}

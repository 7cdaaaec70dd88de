// The link graph of a crawl as a map: its best pages or hosts, and the links among them, read from the
// store as they are written.
import { InvalidInput } from '../core/errors.ts'
import { hostOf } from '../core/url.ts'
import { nameOf } from '../crawl/claim-job.ts'
import { fit, safeText } from '../lib/terminal.ts'
import {
  type MapKind,
  type MapRow,
  type MapSource,
  type MapSubject,
  OUTSIDE_COLUMN,
  PAGE_COLUMNS,
  pageRow,
  SITE_COLUMNS,
  siteRow,
} from '../map/map-format.ts'
import type { MapEdge } from '../map/map-graph.ts'
import { readBeyond } from './beyond.ts'
import type { CrawlGraph } from './crawl-graph.ts'
import {
  countSites,
  edgesAmong,
  hotPages,
  pageFacts,
  type Sites,
  siteFacts,
  targetsOf,
} from './maps.ts'
import type { BeyondHost } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

type MapWish = {
  readonly kind: MapKind
  readonly host: string | null
  /** Infinity: all. */
  readonly top: number
  /** At most so many edges, those between the best nodes. */
  readonly maxEdges: number
  /** In a map of sites, at most so many hosts that the crawl leads to and does not enter; 0: none. */
  readonly beyond: number
}

const ROWS_AT_ONCE = 500
const NAME_CELLS = 60

export async function mapSource(
  here: CrawlHere,
  crawl: CrawlGraph,
  wish: MapWish,
): Promise<MapSource> {
  if (wish.host !== null && !crawl.hosts.includes(wish.host)) {
    throw new InvalidInput('--host', `this crawl has no page of ${wish.host}`)
  }
  return wish.kind === 'pages' ? pageSource(here, crawl, wish) : siteSource(here, crawl, wish)
}

function subjectOf({ job }: CrawlHere, { host, kind }: MapWish) {
  const name = safeText(job.name)
  const subject: MapSubject = { crawl: job.id, name, host, ...inShort(job) }
  return { subject, title: titleOf(kind, subject) }
}

function titleOf(kind: MapKind, { crawl, short, more, host }: MapSubject): string {
  const [all, ofHost] = kind === 'pages' ? ['Pages', 'Pages of'] : ['Sites', 'Sites around']
  const what = host === null ? all : `${ofHost} ${host}`
  return `${what}, crawl ${crawl}: ${short}${more === 0 ? '' : ` and ${more} more`}`
}

/** A crawl that nobody gave a name is called by all of its seeds, which may be hundreds. */
function inShort({ name, seeds }: CrawlHere['job']): Pick<MapSubject, 'short' | 'more'> {
  const [first, ...others] = new Set(seeds.map(hostOf))
  const isListed = name === nameOf(seeds) && first !== undefined
  return isListed
    ? { short: first, more: others.length }
    : { short: fit(safeText(name), NAME_CELLS), more: 0 }
}

function pageSource(here: CrawlHere, crawl: CrawlGraph, wish: MapWish): MapSource {
  const { graph, ids, ranked, hosts, hostAt } = crawl
  const place = wish.host === null ? -1 : hosts.indexOf(wish.host)
  const own = place < 0 ? ranked : ranked.filter((node) => hostAt[node] === place)
  const best = own.subarray(0, Math.min(own.length, wish.top))
  const isOwn = place < 0 ? () => true : (node: number) => hostAt[node] === place
  const chosen = markOf(graph.nodes, best)
  return {
    kind: 'pages',
    ...subjectOf(here, wish),
    columns: PAGE_COLUMNS,
    nodes: () => pageRows(here, crawl, best, chosen),
    edges: function* () {
      for (const [from, to] of edgesBetween(crawl, best, chosen, wish.maxEdges)) {
        yield { source: ids[from] ?? 0, target: ids[to] ?? 0 }
      }
    },
    totalOutside: null,
    totalNodes: own.length,
    totalEdges: place < 0 ? graph.edges : countEdges(crawl, own, isOwn),
  }
}

async function* pageRows(
  { job, store }: CrawlHere,
  crawl: CrawlGraph,
  best: Uint32Array,
  chosen: Uint8Array,
): AsyncGenerator<MapRow> {
  const { ids } = crawl
  for (let first = 0; first < best.length; first += ROWS_AT_ONCE) {
    const nodes = best.subarray(first, first + ROWS_AT_ONCE)
    const pages = await store.pages.summariesOf(
      job.id,
      Array.from(nodes, (node) => ids[node] ?? 0),
    )
    const found = new Map(pages.map((page) => [page.id, page]))
    for (const node of nodes) {
      const page = found.get(ids[node] ?? 0)
      // Gone since the graph was read: its links are not written either.
      if (page === undefined) chosen[node] = 0
      else yield pageRow(pageFacts(crawl, node, page))
    }
  }
}

async function siteSource(here: CrawlHere, crawl: CrawlGraph, wish: MapWish): Promise<MapSource> {
  const sites = countSites(crawl)
  const hot = hotPages(await here.store.pages.hosts(here.job.id))
  const own = wish.host === null ? sites.ranked : around(sites, sites.hosts.indexOf(wish.host))
  const best = own.subarray(0, Math.min(own.length, wish.top))
  const chosen = markOf(sites.graph.nodes, best)
  const isOwn = markOf(sites.graph.nodes, own)
  const outside = await outsideOf(here, sites, best, wish)
  const isWith = (is: boolean) => (outside === null ? [] : [is])
  return {
    kind: 'sites',
    ...subjectOf(here, wish),
    columns: outside === null ? SITE_COLUMNS : [...SITE_COLUMNS, OUTSIDE_COLUMN],
    async *nodes() {
      for (const place of best) {
        const row = siteRow(siteFacts(sites, hot, place))
        yield { ...row, values: [...row.values, ...isWith(false)] }
      }
      for (const row of outside?.rows ?? []) yield { ...row, values: [...row.values, true] }
    },
    edges: function* (): Generator<MapEdge> {
      for (const [source, target] of edgesBetween(sites, best, chosen, wish.maxEdges)) {
        yield { source, target, links: sites.links(source, target) }
      }
      yield* outside?.edges ?? []
    },
    totalOutside: outside?.total ?? null,
    totalNodes: own.length,
    totalEdges: countEdges(sites, own, (node) => isOwn[node] === 1),
  }
}

/** Hosts that those of the map link to and the crawl does not enter, numbered after all sites; null: not wanted. */
async function outsideOf(
  here: CrawlHere,
  { hosts }: Sites,
  best: Uint32Array,
  { beyond, host }: MapWish,
) {
  if (beyond === 0) return null
  const places = new Map(Array.from(best, (place) => [hosts[place] ?? '', place]))
  const among = new Set(places.keys())
  const by = host === null ? {} : { by: host }
  // A redirect may have led to a page out of scope: its host is a site of the map.
  const except = new Set(hosts)
  const found = await readBeyond(here, { limit: beyond, among, except, ...by })
  const first = hosts.length
  const edges = found.hosts.flatMap(({ from }, nth): MapEdge[] =>
    from.flatMap(({ host: name, pages }) => {
      const source = places.get(name)
      return source === undefined ? [] : [{ source, target: first + nth, links: pages }]
    }),
  )
  const rows = found.hosts.map((each, nth) => outsideRow(each, first + nth))
  return { rows, edges, total: found.total }
}

function outsideRow({ host, site, hosts }: BeyondHost, id: number): MapRow {
  const unknown = { pages: 0, hot: 0, relevance: null, pagerank: 0, out: 0 }
  return siteRow({ id, host, site, ...unknown, in: hosts })
}

/** A host and those it has links with, in either direction. */
function around({ graph, back, ranked }: Sites, place: number): Uint32Array {
  const near = markOf(graph.nodes, [place, ...targetsOf(graph, place), ...targetsOf(back, place)])
  return ranked.filter((node) => near[node] === 1)
}

type Edges = Pick<CrawlGraph, 'graph' | 'back'>

/** Where not all may come, those between the best nodes do; else they come by source. */
function* edgesBetween(
  { graph, back }: Edges,
  best: Uint32Array,
  chosen: Uint8Array,
  most: number,
): Generator<readonly [from: number, to: number]> {
  const drawn = best.filter((node) => chosen[node] === 1)
  if (most !== Number.POSITIVE_INFINITY) {
    yield* edgesAmong({ graph, back }, drawn, most)
    return
  }
  for (const node of drawn) {
    for (const target of targetsOf(graph, node)) if (chosen[target] === 1) yield [node, target]
  }
}

function countEdges(
  { graph }: Pick<Edges, 'graph'>,
  nodes: Uint32Array,
  isOwn: (node: number) => boolean,
): number {
  let count = 0
  for (const node of nodes) for (const target of targetsOf(graph, node)) if (isOwn(target)) count++
  return count
}

function markOf(count: number, nodes: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(count)
  for (const node of nodes) marks[node] = 1
  return marks
}

// A web that can be crawled again without a network: pages with their texts and links, and the targets of
// URLs. Pages are numbered from 0. Dead URLs follow, which cost a fetch and have no content; they count as
// fetches, but never as pages.
//
// A duplicate page, or a URL that redirects to a page, has the number of that page: a replay fetches the same
// content once.
import { type CanonicalUrl, hostOf, siteOf } from '../core/url.ts'
import { type Graph, GraphBuilder, inDegrees } from '../graph/graph.ts'
import { pageRank } from '../graph/pagerank.ts'
import type { PageText } from '../topic/topic.ts'
import type { World } from './replay-result.ts'

export type ReplayWorld = World & {
  /** Number of pages; numbers from here on are dead URLs. */
  readonly alive: number
  /** By number. */
  readonly urls: readonly CanonicalUrl[]
  /** Links that a crawl follows. */
  readonly links: Graph
  /** The duration of the real fetch, in milliseconds. */
  readonly fetchMs: Float32Array
  /** 1 if the crawl called the page hot; null if no topic judged its pages. */
  readonly hot: Uint8Array | null
  /** The number of a URL that is a page, a duplicate or a redirect to one; otherwise undefined. */
  find(url: string): number | undefined
  /** The content of a page; a dead URL has none. */
  read(page: number): Promise<PageContent>
  /** Its links alone. */
  readLinks(page: number): Promise<readonly ContentLink[]>
}

export type PageContent = {
  readonly text: PageText
  readonly links: readonly ContentLink[]
}

/** A link that a crawl follows, in the order of the page, each target once. */
export type ContentLink = {
  readonly to: number
  readonly anchor: string
  readonly context: string
}

/**
 * Properties of a world that follow from its URLs and links alone: hosts, sites, true PageRank, in-links.
 * `alive`: the first this many URLs are pages.
 */
export function measureWorld(
  urls: readonly CanonicalUrl[],
  links: Graph,
  alive: number,
): World & Pick<ReplayWorld, 'urls' | 'links' | 'alive'> {
  const between = urls.length === alive ? links : amongFirst(links, alive)
  const pagerank = new Float64Array(urls.length)
  const inDegree = new Uint32Array(urls.length)
  pagerank.set(pageRank(between).ranks)
  inDegree.set(inDegrees(between))
  return { pages: urls.length, alive, urls, links, pagerank, inDegree, ...numberPlaces(urls) }
}

/** The graph of the first `nodes` nodes: dead URLs take no rank from pages. */
function amongFirst({ offsets, targets }: Graph, nodes: number): Graph {
  const builder = new GraphBuilder()
  for (let node = 0; node < nodes; node++) {
    for (let at = offsets[node] ?? 0; at < (offsets[node + 1] ?? 0); at++) {
      const target = targets[at] ?? 0
      if (target < nodes) builder.add(node, target)
    }
  }
  return builder.build(nodes)
}

/** Numbers hosts and sites in order of appearance. */
function numberPlaces(urls: readonly CanonicalUrl[]): Pick<World, 'hostOf' | 'siteOf'> {
  const hosts = new Map<string, number>()
  const sites = new Map<string, number>()
  const siteOfHost: number[] = []
  const hostOfPage = Uint32Array.from(urls, (url) => {
    const name = hostOf(url)
    const known = hosts.get(name)
    if (known !== undefined) return known
    const site = siteOf(name)
    if (!sites.has(site)) sites.set(site, sites.size)
    siteOfHost.push(sites.get(site) ?? 0)
    hosts.set(name, hosts.size)
    return hosts.size - 1
  })
  return { hostOf: hostOfPage, siteOf: hostOfPage.map((host) => siteOfHost[host] ?? 0) }
}

export type MadePage = {
  readonly url: CanonicalUrl
  readonly title: string
  readonly text: string
  readonly links: readonly ContentLink[]
}

const FETCH_MS = 100

/** A world from a list of pages in memory: for the sample web, and for tests. */
export function makeWorld(pages: readonly MadePage[]): ReplayWorld {
  const urls = pages.map(({ url }) => url)
  const numbers = new Map<string, number>(urls.map((url, page) => [url, page]))
  const builder = new GraphBuilder()
  for (const [page, { links }] of pages.entries()) {
    for (const { to } of links) builder.add(page, to)
  }
  const read = async (page: number): Promise<PageContent> => {
    const made = pages[page]
    if (made === undefined) throw new RangeError(`there is no page ${page}`)
    const { url, title, text, links } = made
    const anchors = links.map(({ anchor }) => anchor)
    return { text: { url, title, description: '', text, anchors }, links }
  }
  return {
    ...measureWorld(urls, builder.build(pages.length), pages.length),
    fetchMs: new Float32Array(pages.length).fill(FETCH_MS),
    hot: null,
    find: (url) => numbers.get(url),
    read,
    readLinks: async (page) => (await read(page)).links,
  }
}

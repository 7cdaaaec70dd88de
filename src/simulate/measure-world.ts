// Properties of a world that follow from its URLs and links alone: hosts, sites, true PageRank, in-links.
import { type CanonicalUrl, hostOf, siteOf } from '../core/url.ts'
import { type Graph, GraphBuilder, inDegrees } from '../graph/graph.ts'
import { pageRank } from '../graph/pagerank.ts'
import type { World } from './replay-result.ts'
import type { ReplayWorld } from './replay-world.ts'

/** `alive`: the first this many URLs are pages. */
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

// A map as a file: a picture to look at, or what other programs open. Each format is one file here and
// one line in `index.ts`. They take the same nodes and edges, best nodes first; those for programs
// write them as they come, so a graph of any size passes through. All texts are what the web said:
// hostile, and each format's business to write safely.
import type { MapEdge, MapNode } from './map-graph.ts'

export const MAP_KINDS = ['pages', 'sites'] as const
export type MapKind = (typeof MAP_KINDS)[number]

export const MAP_FORMAT_NAMES = ['html', 'svg', 'dot', 'gexf', 'graphml', 'json'] as const
export type MapFormatName = (typeof MAP_FORMAT_NAMES)[number]

export type MapValue = string | number | boolean | null

export type MapColumn = {
  readonly name: string
  readonly type: 'text' | 'whole' | 'number' | 'truth'
}

/** A node with all that is known of it, by column; null where something is not. */
export type MapRow = MapNode & { readonly values: readonly MapValue[] }

/** What it is a map of. */
export type MapSubject = {
  readonly crawl: number
  /** What its user calls the crawl; that may be a long list of seeds. */
  readonly name: string
  /** In short: the name, or a seed's host, and how many more hosts there are. */
  readonly short: string
  readonly more: number
  /** Only of this host, or what is around it; null: of all. */
  readonly host: string | null
}

export type MapSource = {
  readonly kind: MapKind
  readonly subject: MapSubject
  /** The same in English, in a few words. */
  readonly title: string
  readonly columns: readonly MapColumn[]
  /** Best first. */
  nodes(): AsyncIterable<MapRow>
  /** Among these nodes; no node is linked to itself, no pair comes twice. */
  edges(): Iterable<MapEdge>
  /** Counts of the whole crawl or host; the map may be a part of it. */
  readonly totalNodes: number
  readonly totalEdges: number
}

export type MapFormat = {
  readonly name: MapFormatName
  readonly about: string
  /** Drawn for eyes, so it is of some hundred nodes unless more are asked for. */
  readonly isPicture: boolean
  write(map: MapSource): AsyncIterable<string>
}

/** Columns of a page beside its id, in the order of `pageRow`. */
export const PAGE_COLUMNS: readonly MapColumn[] = [
  { name: 'url', type: 'text' },
  { name: 'title', type: 'text' },
  { name: 'host', type: 'text' },
  { name: 'depth', type: 'whole' },
  { name: 'hot', type: 'truth' },
  { name: 'relevance', type: 'number' },
  { name: 'pagerank', type: 'number' },
  { name: 'in', type: 'whole' },
  { name: 'out', type: 'whole' },
]

/** Columns of a site beside its id, in the order of `siteRow`. */
export const SITE_COLUMNS: readonly MapColumn[] = [
  { name: 'host', type: 'text' },
  { name: 'site', type: 'text' },
  { name: 'pages', type: 'whole' },
  { name: 'hot', type: 'whole' },
  { name: 'relevance', type: 'number' },
  { name: 'pagerank', type: 'number' },
  { name: 'in', type: 'whole' },
  { name: 'out', type: 'whole' },
]

type Figures = {
  readonly relevance: number | null
  readonly pagerank: number
  readonly in: number
  readonly out: number
}

export type PageFacts = Figures & {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly host: string
  readonly depth: number
  readonly hot: boolean
}

export type SiteFacts = Figures & {
  readonly id: number
  readonly host: string
  readonly site: string
  readonly pages: number
  /** How many of them are. */
  readonly hot: number
}

export function pageRow(page: PageFacts): MapRow {
  const { id, url, title, host, depth, hot, relevance, pagerank } = page
  return {
    ...{ id, url, host, group: host, hot, relevance, rank: pagerank, pages: null },
    label: title.trim() === '' ? addressOf(url) : title,
    in: page.in,
    out: page.out,
    values: [url, title, host, depth, hot, relevance, pagerank, page.in, page.out],
  }
}

export function siteRow(facts: SiteFacts): MapRow {
  const { id, host, site, pages, hot, relevance, pagerank } = facts
  return {
    ...{ id, host, relevance, pages, label: host, url: '', group: site, rank: pagerank },
    hot: hot > 0,
    in: facts.in,
    out: facts.out,
    values: [host, site, pages, hot, relevance, pagerank, facts.in, facts.out],
  }
}

/** A URL without what all of them have in common. */
function addressOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/(?<=.)\/$/, '')
}

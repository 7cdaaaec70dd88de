// Maps as files: pictures, or data for other programs. Each format is one file here and one line in
// `index.ts`. All formats get the same nodes and edges, best nodes first. Data formats write them as a
// stream, so a graph of any size works. All texts come from the web and may be hostile; each format must
// escape them.
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

/** A node with its values by column; null for unknown values. */
export type MapRow = MapNode & { readonly values: readonly MapValue[] }

/** The subject of the map. */
export type MapSubject = {
  readonly crawl: number
  /** The user's name for the crawl; it may be a long list of seeds. */
  readonly name: string
  /** A short form: the name, or a seed's host; `more` counts the other hosts. */
  readonly short: string
  readonly more: number
  /** Limits the map to this host, or its surroundings; null means no limit. */
  readonly host: string | null
}

export type MapSource = {
  readonly kind: MapKind
  readonly subject: MapSubject
  /** The same in a few English words. */
  readonly title: string
  readonly columns: readonly MapColumn[]
  /** Best first. */
  nodes(): AsyncIterable<MapRow>
  /** Edges between these nodes, without self-links and without duplicates. */
  edges(): Iterable<MapEdge>
  /** Counts of the whole crawl or host; the map may show only a part. Hosts outside do not count. */
  readonly totalNodes: number
  readonly totalEdges: number
  /** Hosts that the crawl leads to and does not enter; null if the map is without them. */
  readonly totalOutside: number | null
}

export type MapFormat = {
  readonly name: MapFormatName
  readonly about: string
  /** Meant for viewing, so it has some hundred nodes unless more are requested. */
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

/** The last column of a site where hosts outside the crawl are in the map. */
export const OUTSIDE_COLUMN: MapColumn = { name: 'outside', type: 'truth' }

type Figures = {
  readonly relevance: number | null
  readonly pagerank: number
  readonly in: number
  readonly out: number
}

type PageFacts = Figures & {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly host: string
  readonly depth: number
  readonly hot: boolean
}

type SiteFacts = Figures & {
  readonly id: number
  readonly host: string
  readonly site: string
  readonly pages: number
  /** Number of hot pages among them. */
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

/** A URL without its scheme and trailing slash. */
function addressOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/(?<=.)\/$/, '')
}

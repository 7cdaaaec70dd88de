// The colours of a map. Twelve for hosts, which remain distinct without red or green cones; grey for the others;
// a scale from dull to strong for relevance. Each has a contrast of at least 3:1 to the background of its
// theme; the test checks it. No meaning depends on colour alone: card and list say the same.
import { isOutside, lineClarity, type MapGraph } from './map-graph.ts'

type Theme = 'light' | 'dark'
const COLOURINGS = ['host', 'relevance'] as const
export type Colouring = (typeof COLOURINGS)[number]

export type MapColours = {
  readonly ground: string
  readonly hosts: readonly string[]
  readonly other: string
  /** Hosts that the crawl does not enter. */
  readonly outside: string
  /** From not relevant to most relevant. */
  readonly scale: readonly string[]
  /** Links of a map with thousands of them. */
  readonly edge: string
  /** Links of a map with few. */
  readonly clearEdge: string
  readonly strongEdge: string
  /** Nodes outside the current filter or selection. */
  readonly faded: string
  readonly text: string
}

export const MAP_COLOURS: Readonly<Record<Theme, MapColours>> = {
  light: {
    ground: '#ffffff',
    hosts: [
      ...['#2f7de0', '#d9730d', '#0a5f52', '#b3308a', '#3c1466', '#7a3c00'],
      ...['#6c1890', '#9c600c', '#3c30fc', '#e40cc0', '#0000cc', '#540c18'],
    ],
    other: '#9aa1ab',
    outside: '#4d5663',
    scale: ['#9aa1ab', '#8f94c4', '#7a6fc0', '#6a3fa8', '#4b1478'],
    edge: '#d5dae1',
    clearEdge: '#8791a0',
    strongEdge: '#6b7684',
    faded: '#e6e9ee',
    text: '#1a1f1d',
  },
  dark: {
    ground: '#191d1c',
    hosts: [
      ...['#56a2f8', '#e8912a', '#22c79a', '#ffc4ee', '#f7ef6a', '#8058e0'],
      ...['#cc6cc0', '#6c9c78', '#18783c', '#fcc00c', '#e40000', '#9ce49c'],
    ],
    other: '#6f7680',
    outside: '#c3cad3',
    scale: ['#6f7680', '#7d8a86', '#9fae5e', '#cfcf4a', '#fff47a'],
    edge: '#2f3735',
    clearEdge: '#6b7573',
    strongEdge: '#8d97a5',
    faded: '#2a302e',
    text: '#e6eae8',
  },
}

/**
 * The colours of hosts that have their own; all others share `other`. Hosts are chosen by the pages of the
 * whole crawl, so that a host has the same colour in every map of it. If those are unknown, the pages of the
 * map count.
 */
export function hostColours(
  pagesPerHost: Readonly<Record<string, number>>,
  { nodes }: Pick<MapGraph, 'nodes'>,
  { hosts: colours }: MapColours,
): ReadonlyMap<string, string> {
  const known = Object.entries(pagesPerHost)
  const counted = known.length > 0 ? known : [...countOf(insideHosts(nodes))]
  const largest = counted.toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return new Map(
    colours.flatMap((colour, at) => largest.slice(at, at + 1).map(([host]) => [host, colour])),
  )
}

function insideHosts(nodes: MapGraph['nodes']): string[] {
  return nodes.filter((node) => !isOutside(node)).map(({ host }) => host)
}

function countOf(hosts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1)
  return counts
}

/** Pages per host in a map, counted from the map itself. */
export function pagesPerHost({ nodes }: Pick<MapGraph, 'nodes'>): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { host, pages } of nodes.filter((node) => !isOutside(node))) {
    counts.set(host, (counts.get(host) ?? 0) + (pages ?? 1))
  }
  return Object.fromEntries(counts)
}

/** By host. With a single host, by relevance if pages were judged. */
export function defaultColouring({ nodes }: Pick<MapGraph, 'nodes'>): Colouring {
  const isJudged = nodes.some(({ relevance }) => relevance !== null)
  const isOneHost = nodes.every((node) => isOutside(node) || node.host === nodes[0]?.host)
  return isJudged && isOneHost ? 'relevance' : 'host'
}

/** The colour of a relevance from 0 to 1; faded if not judged. */
export function relevanceColour(relevance: number | null, { scale, faded }: MapColours): string {
  if (relevance === null || !(relevance >= 0)) return faded
  const at = Math.min(scale.length - 1, Math.floor(relevance * scale.length))
  return scale[at] ?? faded
}

/** The colour of every node, by number. */
export function nodeColours(
  { nodes }: Pick<MapGraph, 'nodes'>,
  by: Colouring,
  ofHosts: ReadonlyMap<string, string>,
  colours: MapColours,
): string[] {
  return nodes.map((node) => {
    if (isOutside(node)) return colours.outside
    if (by === 'relevance') return relevanceColour(node.relevance, colours)
    return ofHosts.get(node.host) ?? colours.other
  })
}

/** The colour of links: clear where they are few. */
export function edgeColour({ edge, clearEdge }: MapColours, lines: number): string {
  const clarity = lineClarity(lines)
  const part = (at: number): string => {
    const [from, to] = [edge, clearEdge].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
    const value = Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * clarity)
    return value.toString(16).padStart(2, '0')
  }
  return `#${part(1)}${part(3)}${part(5)}`
}

// The colours of a map. Six for hosts, which remain distinct without red or green cones; grey for the others;
// a scale from dull to strong for relevance. Each has a contrast of at least 3:1 to the background of its
// theme; the test checks it. No meaning depends on colour alone: card and list say the same.
import type { MapGraph } from './map-graph.ts'

export type Theme = 'light' | 'dark'
export const COLOURINGS = ['host', 'relevance'] as const
export type Colouring = (typeof COLOURINGS)[number]

export type MapColours = {
  readonly ground: string
  readonly hosts: readonly string[]
  readonly other: string
  /** From not relevant to most relevant. */
  readonly scale: readonly string[]
  readonly edge: string
  readonly strongEdge: string
  /** Nodes outside the current filter or selection. */
  readonly faded: string
  readonly text: string
}

export const MAP_COLOURS: Readonly<Record<Theme, MapColours>> = {
  light: {
    ground: '#ffffff',
    hosts: ['#2f7de0', '#d9730d', '#0a5f52', '#b3308a', '#3c1466', '#7a3c00'],
    other: '#9aa1ab',
    scale: ['#9aa1ab', '#8f94c4', '#7a6fc0', '#6a3fa8', '#4b1478'],
    edge: '#d5dae1',
    strongEdge: '#6b7684',
    faded: '#e6e9ee',
    text: '#1a1f1d',
  },
  dark: {
    ground: '#191d1c',
    hosts: ['#56a2f8', '#e8912a', '#22c79a', '#ffc4ee', '#f7ef6a', '#8058e0'],
    other: '#6f7680',
    scale: ['#6f7680', '#7d8a86', '#9fae5e', '#cfcf4a', '#fff47a'],
    edge: '#2f3735',
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
  const counted = known.length > 0 ? known : [...countOf(nodes.map(({ host }) => host))]
  const largest = counted.toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return new Map(
    colours.flatMap((colour, at) => largest.slice(at, at + 1).map(([host]) => [host, colour])),
  )
}

function countOf(hosts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1)
  return counts
}

/** Pages per host in a map, counted from the map itself. */
export function pagesPerHost({ nodes }: Pick<MapGraph, 'nodes'>): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { host, pages } of nodes) counts.set(host, (counts.get(host) ?? 0) + (pages ?? 1))
  return Object.fromEntries(counts)
}

/** By host. With a single host, by relevance if pages were judged. */
export function defaultColouring({ nodes }: Pick<MapGraph, 'nodes'>): Colouring {
  const isJudged = nodes.some(({ relevance }) => relevance !== null)
  const isOneHost = nodes.every(({ host }) => host === nodes[0]?.host)
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
  return nodes.map(({ host, relevance }) =>
    by === 'host' ? (ofHosts.get(host) ?? colours.other) : relevanceColour(relevance, colours),
  )
}

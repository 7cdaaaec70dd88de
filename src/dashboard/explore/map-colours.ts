// Colours of a map. Six for hosts, which stay apart also for eyes that lack red or green cones, grey
// for the others; a scale from dull to strong for relevance. Each at least 3:1 against the ground of
// its theme; the test holds the figures. Nothing is told by colour alone: card and list say the same.
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
  /** What is not meant by a filter or selection. */
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

/** The colour of each group that has one of its own; all others share `other`. */
export function groupColours(graph: MapGraph, { hosts }: MapColours): ReadonlyMap<string, string> {
  const named = graph.groups.slice(0, hosts.length)
  return new Map(named.flatMap(({ group }, at) => (hosts[at] ? [[group, hosts[at]]] : [])))
}

/** The colour of a relevance from 0 to 1; faded where nothing was judged. */
export function relevanceColour(relevance: number | null, { scale, faded }: MapColours): string {
  if (relevance === null || !(relevance >= 0)) return faded
  const at = Math.min(scale.length - 1, Math.floor(relevance * scale.length))
  return scale[at] ?? faded
}

/** The colour of every node, by number. */
export function nodeColours(graph: MapGraph, by: Colouring, colours: MapColours): string[] {
  const groups = groupColours(graph, colours)
  return graph.nodes.map(({ group, relevance }) =>
    by === 'host' ? (groups.get(group) ?? colours.other) : relevanceColour(relevance, colours),
  )
}

/** Pixels: the area grows with the rank, and a map of few nodes has larger ones. */
export function nodeSize(rank: number, highest: number, nodes: number): number {
  const largest = nodes > 2000 ? 9 : nodes > 200 ? 12 : 20
  const least = nodes > 2000 ? 1.5 : nodes > 200 ? 2.2 : 4
  const share = highest > 0 ? Math.max(0, Math.min(1, rank / highest)) : 0
  return least + (largest - least) * Math.sqrt(share)
}

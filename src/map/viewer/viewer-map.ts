// What runs in the browser when a map was saved as one HTML file. Nothing here is loaded from there: the
// page holds the text of every function, class and constant that these files export, so they may use one
// another, the browser, and nothing else; a constant is written as JSON. This file says what they get.
import type { Colouring, MapColours } from '../map-colours.ts'
import type { MapKind, MapSubject } from '../map-format.ts'

/** A node: its name, address, host, rank, relevance, whether it is hot, links in and out, pages. */
export type ViewerNode = readonly [
  label: string,
  url: string,
  host: string,
  rank: number,
  relevance: number | null,
  hot: 0 | 1,
  linksIn: number,
  linksOut: number,
  pages: number | null,
]

/** The map as it stands in the page, as JSON. Nodes are known by number, the best first. */
export type ViewerMap = {
  readonly kind: MapKind
  readonly subject: MapSubject
  readonly totalNodes: number
  readonly totalEdges: number
  readonly width: number
  readonly height: number
  readonly nodes: readonly ViewerNode[]
  /** x and y of each node, in tenths. */
  readonly places: readonly number[]
  /** Radius of each node, in tenths. */
  readonly sizes: readonly number[]
  /** Source and target of each edge, those that tell most first; so many of them are always drawn. */
  readonly edges: readonly number[]
  readonly told: number
  /** How many links each of these edges stands for; empty where that is always one. */
  readonly links: readonly number[]
  /** Hosts that have a colour of their own. */
  readonly hosts: readonly string[]
  readonly colouring: Colouring
  readonly isJudged: boolean
  readonly colours: Readonly<Record<'light' | 'dark', MapColours>>
}

/** What is to be seen of it now. */
export type ViewerState = {
  colouring: Colouring
  selected: number | null
  /** Next to the selected one. */
  near: ReadonlySet<number>
  hovered: number | null
  /** It is dragged or zoomed: fewer lines, so that it keeps up. */
  isMoving: boolean
  /** Nodes that are meant by the search; null: all. */
  found: ReadonlySet<number> | null
}

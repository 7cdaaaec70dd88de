// What would each ordering have fetched, and how good was that? A simulation replays a known web through the
// orderings and compares their order of fetching with the truth. This file is the boundary between the two
// halves: a replay returns plain values, and the code that measures, prints or draws them knows nothing about
// frontiers, orderings or clocks.
//
//   Replay ─▶ measureReplay ─▶ summarise ─┬▶ table    for a terminal
//            (against a Yardstick)        ├▶ to-json  for programs
//                                         └▶ report/  for people and papers
//
// Rules for all of it: the truth decides, never the crawler's own judgement; example pages of the topic are
// excluded from relevance; a figure that was not measured is NaN (null in JSON, a dash in print), never 0;
// equal input gives equal bytes.

/** The replayed web. Pages, hosts and sites are numbered from 0. */
export type World = {
  readonly pages: number
  /** Page → host. */
  readonly hostOf: Uint32Array
  /** Page → site (registrable domain). */
  readonly siteOf: Uint32Array
  /** True PageRank on the full graph, in any scale. */
  readonly pagerank: Float64Array
  /** Links to the page on the full graph. */
  readonly inDegree: Uint32Array
}

/** The facts of one topic, by page: 1 is yes. */
export type Truth = {
  readonly topic: string
  /** The web's name, if there are several. */
  readonly web?: string
  /** All 0 if the replay had no topic: then relevance is not measured. */
  readonly relevant: Uint8Array
  /** Example pages: finding a page that was learned from earns nothing. */
  readonly leftOut: Uint8Array
  /** Whether a path of links leads there from this topic's seeds. */
  readonly reachable: Uint8Array
}

/** One ordering's path through the world for one topic and one random seed. */
export type Replay = {
  readonly ordering: string
  readonly hostPolicy: string
  readonly topic: string
  readonly seed: number
  /** Pages in the order they were fetched, each once. */
  readonly fetched: Uint32Array
  /** Virtual milliseconds since the start at each fetch; null without politeness. */
  readonly at: Float64Array | null
  /** Nothing was left to fetch: more time would have found no more. */
  readonly ranDry: boolean
  /**
   * Share of the reachable pages → the contents of a buffer of that size at the end (`BUFFER_SHARES`); empty
   * if the replay stopped before it.
   */
  readonly buffers: ReadonlyMap<number, Uint32Array>
  /** Real time it took. */
  readonly seconds: number
}

/** Sizes of the limited buffer, as shares of the reachable pages. */
export const BUFFER_SHARES = [0.05, 0.1] as const

/** The shares of the reachable pages at which figures are read. */
export const CHECKPOINTS = [0.02, 0.05, 0.1, 0.2] as const

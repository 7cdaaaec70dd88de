// What would each ordering have fetched, and how good was that? A simulation replays a known web
// through the orderings and judges their order of fetching against the truth. This file is the line
// between the two halves: a replay hands over plain values, and whatever measures, prints or draws
// them knows nothing of frontiers, orderings or clocks.
//
//   Replay ─▶ measureReplay ─▶ summarise ─┬▶ table    for a terminal
//            (against a Yardstick)        ├▶ to-json  for programs
//                                         └▶ report/  for people and papers
//
// What holds in all of it: judged by the truth, never by the crawler's own opinion; pages that were
// examples for the topic are not counted when relevance is; a figure that was not measured is NaN
// (null in JSON, a dash in print), never 0; equal input gives equal bytes.

/** The web that was replayed. Pages, hosts and sites are numbered from 0. */
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

/** What is known of one topic, by page: 1 is yes. */
export type Truth = {
  readonly topic: string
  /** The web's name, where there are several. */
  readonly web?: string
  /** All 0 where the replay had no topic: then nothing about relevance is measured. */
  readonly relevant: Uint8Array
  /** Example pages: whoever learned from them gets no credit for finding them. */
  readonly leftOut: Uint8Array
  /** A path of links leads there from this topic's seeds. */
  readonly reachable: Uint8Array
}

/** One ordering's way through the world for one topic and one seed of randomness. */
export type Replay = {
  readonly ordering: string
  readonly hostPolicy: string
  readonly topic: string
  readonly seed: number
  /** Pages in the order they were fetched, none twice. */
  readonly fetched: Uint32Array
  /** Virtual milliseconds since the start at each fetch; null without politeness. */
  readonly at: Float64Array | null
  /** Nothing was left to fetch: what was not found by then would never have been. */
  readonly ranDry: boolean
  /**
   * Share of the reachable pages → what a buffer of that size held at the end (`BUFFER_SHARES`); none
   * when the replay stopped before it.
   */
  readonly buffers: ReadonlyMap<number, Uint32Array>
  /** Real time it took. */
  readonly seconds: number
}

/** Sizes of the limited buffer, as shares of the reachable pages. */
export const BUFFER_SHARES = [0.05, 0.1] as const

/** Where figures are read, as shares of the reachable pages. */
export const CHECKPOINTS = [0.02, 0.05, 0.1, 0.2] as const

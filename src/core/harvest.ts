// The share of fetched pages that are on topic.

export type Harvest = {
  /** Pages judged by the topic, including those not stored. */
  readonly judged: number
  /** Hot pages among them. */
  readonly hot: number
  /** The same for the most recent pages, at most `harvestWindow` of them. */
  readonly recentJudged: number
  readonly recentHot: number
  /** Pages that were not stored: off topic, or too short. */
  readonly leftOut: number
}

export const NO_HARVEST: Harvest = { judged: 0, hot: 0, recentJudged: 0, recentHot: 0, leftOut: 0 }

/** Hot pages ÷ judged pages; null before the first. */
export function harvestRate(hot: number, judged: number): number | null {
  return judged === 0 ? null : hot / judged
}

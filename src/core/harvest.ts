// How much of what is fetched is what the crawl is after.

export type Harvest = {
  /** Pages that a topic judged, those not kept included. */
  readonly judged: number
  /** Hot pages among them. */
  readonly hot: number
  /** The same of the last pages only, at most as many as the job's `harvestWindow`. */
  readonly recentJudged: number
  readonly recentHot: number
  /** Pages that were not kept: off topic, or too short. */
  readonly leftOut: number
}

export const NO_HARVEST: Harvest = { judged: 0, hot: 0, recentJudged: 0, recentHot: 0, leftOut: 0 }

/** Hot pages ÷ pages judged; null before the first one. */
export function harvestRate(hot: number, judged: number): number | null {
  return judged === 0 ? null : hot / judged
}

// Counts of a parser: stored pages, duplicates, and the harvest rate.
import type { Harvest } from '../core/importance.ts'
import { LEAVES_OUT, reasonCode } from '../core/visit.ts'
import type { CountedPage } from './page-saver.ts'

export type AllCounts = Harvest & {
  readonly stored: number
  readonly saved: number
  readonly duplicates: number
}

type Refused = { readonly reason: string; readonly relevance: number | null }

export class PageCounts {
  /** Pages in the store, including those of other parsers. */
  stored = 0
  #saved = 0
  #duplicates = 0
  readonly #harvest: HarvestMeter

  constructor(harvestWindow: number) {
    this.#harvest = new HarvestMeter(harvestWindow)
  }

  get all(): AllCounts {
    const saved = { stored: this.stored, saved: this.#saved, duplicates: this.#duplicates }
    return { ...saved, ...this.#harvest.counts }
  }

  addRefused({ reason, relevance }: Refused): void {
    if (relevance !== null) this.#harvest.add(false)
    const code = reasonCode(reason)
    if (LEAVES_OUT.some((refusal) => refusal === code)) this.#harvest.leaveOut()
  }

  /** A judged page that repeats another was fetched for nothing: it counts, but not as hot. */
  addSaved({ outcome, relevance, hot }: CountedPage): void {
    if (outcome === 'over-limit') return
    if (outcome === 'duplicate') this.#duplicates++
    if (outcome === 'stored') this.#saved++
    if (relevance !== null) this.#harvest.add(hot && outcome === 'stored')
  }
}

/**
 * Harvest rate: hot pages among the pages that a topic judged, since this parser started and over the last
 * ones.
 */
export class HarvestMeter {
  /** Ring buffer: 1 for a hot page, 0 for another. */
  readonly #window: Uint8Array
  #judged = 0
  #hot = 0
  #recentHot = 0
  #leftOut = 0

  constructor(window: number) {
    this.#window = new Uint8Array(Math.max(1, window))
  }

  get counts(): Harvest {
    return {
      judged: this.#judged,
      hot: this.#hot,
      recentJudged: Math.min(this.#judged, this.#window.length),
      recentHot: this.#recentHot,
      leftOut: this.#leftOut,
    }
  }

  add(hot: boolean): void {
    const place = this.#judged % this.#window.length
    this.#recentHot += Number(hot) - (this.#window[place] ?? 0)
    this.#window[place] = Number(hot)
    this.#judged++
    if (hot) this.#hot++
  }

  /** Counts a page that is not kept, whether or not a topic judged it. */
  leaveOut(): void {
    this.#leftOut++
  }
}

// Harvest rate: hot pages among the pages that a topic judged, since this parser started and over
// the last ones.
import type { Harvest } from '../core/harvest.ts'

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

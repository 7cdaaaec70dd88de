// How much of each host a batch adds to what a crawl has stored, or takes away.
import type { CountedPage, Stock } from './page-limits.ts'

type Sum = { stored: number; duplicates: number; bytes: number; judged: number; hot: number }

const NOTHING: Sum = { stored: 0, duplicates: 0, bytes: 0, judged: 0, hot: 0 }

export class HostSums {
  readonly #before: Stock
  readonly #sums = new Map<string, Sum>()
  #stored = 0
  #hot = 0

  constructor(before: Stock) {
    this.#before = before
  }

  /** Pages stored so far, with those of the batch. */
  get stored(): number {
    return this.#before.stored + this.#stored
  }

  /** The hot ones among them. */
  get hot(): number {
    return this.#before.hot + this.#hot
  }

  /** What the batch brings, all hosts together. */
  get added(): Stock {
    return { stored: this.#stored, hot: this.#hot }
  }

  /** In one order for all who write: nobody waits in a circle. */
  sums(): readonly (readonly [host: string, sum: Readonly<Sum>])[] {
    return [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  count(host: string, page: CountedPage): void {
    this.#add(host, page, 1)
  }

  /** The page is gone, or is another one now and counted anew. */
  uncount(host: string, page: CountedPage): void {
    this.#add(host, page, -1)
  }

  #add(host: string, { duplicate, bytes, judged, hot }: CountedPage, by: 1 | -1): void {
    const sum = this.#sums.get(host) ?? { ...NOTHING }
    this.#sums.set(host, sum)
    if (judged) sum.judged += by
    if (duplicate) {
      sum.duplicates += by
      return
    }
    sum.stored += by
    sum.bytes += by * bytes
    this.#stored += by
    if (!hot) return
    sum.hot += by
    this.#hot += by
  }
}

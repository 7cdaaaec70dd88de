// How much of each host a batch adds to what a crawl has stored, or takes away, and how many pages it may have.
import type { CrawlSettings } from '../core/job.ts'

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

  /** What the batch adds, summed over all hosts. */
  get added(): Stock {
    return { stored: this.#stored, hot: this.#hot }
  }

  /** In the same order for all writers, so that no two of them wait for each other. */
  sums(): readonly (readonly [host: string, sum: Readonly<Sum>])[] {
    return [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  count(host: string, page: CountedPage): void {
    this.#add(host, page, 1)
  }

  /** The page is gone, or has changed and is counted again. */
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

/** The facts of a saved page that are counted. */
export type CountedPage = {
  readonly duplicate: boolean
  readonly bytes: number
  readonly judged: boolean
  readonly hot: boolean
}

/** The number of pages of a crawl without duplicates, and of hot pages among them. */
export type Stock = { readonly stored: number; readonly hot: number }
export type Limits = Pick<CrawlSettings, 'maxPages' | 'maxHot'>

/** True if the job has reached a limit; pages of the batch that is being written count. */
export function isFull({ maxPages, maxHot }: Limits, { stored, hot }: Stock): boolean {
  return stored >= maxPages || (maxHot !== null && hot >= maxHot)
}

/** True if some pages may replace others. A crawl above its limit may keep its number. */
export function isRoomFor(
  { maxPages, maxHot }: Limits,
  { stored, hot }: Stock,
  { before, after }: Readonly<Record<'before' | 'after', readonly CountedPage[]>>,
): boolean {
  const pages = ownOf(after).length - ownOf(before).length
  const hotPages = hotOf(after) - hotOf(before)
  if (pages > 0 && stored + pages > maxPages) return false
  return hotPages <= 0 || maxHot === null || hot + hotPages <= maxHot
}

function ownOf(pages: readonly CountedPage[]): readonly CountedPage[] {
  return pages.filter(({ duplicate }) => !duplicate)
}

function hotOf(pages: readonly CountedPage[]): number {
  return ownOf(pages).filter(({ hot }) => hot).length
}

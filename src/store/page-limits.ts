// How many pages a crawl may have.
import type { CrawlSettings } from '../core/job.ts'

/** What counts of a page that was saved. */
export type CountedPage = {
  readonly duplicate: boolean
  readonly bytes: number
  readonly judged: boolean
  readonly hot: boolean
}

/** Pages a crawl has, duplicates not counted, and the hot ones among them. */
export type Stock = { readonly stored: number; readonly hot: number }
export type Limits = Pick<CrawlSettings, 'maxPages' | 'maxHot'>

/** The job has all that it may have; pages of the batch that is being written count. */
export function isFull({ maxPages, maxHot }: Limits, { stored, hot }: Stock): boolean {
  return stored >= maxPages || (maxHot !== null && hot >= maxHot)
}

/** Whether some pages may take the place of others. Who has too many already may keep as many. */
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

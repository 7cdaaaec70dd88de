// Rules that stop a crawl although more could be fetched, beside the limits on pages and time.
import type { Harvest } from '../core/importance.ts'
import type { CrawlSettings } from '../core/job.ts'

/**
 * `hot`: enough hot pages are stored. `harvest`: too few of the last pages were hot. `left-out`: this run
 * left out so many pages that the limit on stored pages would never end it.
 */
export type StopRule = (typeof ENOUGH)[number]
const ENOUGH = ['hot', 'harvest', 'left-out'] as const

export type StopSettings = Pick<
  CrawlSettings,
  'maxPages' | 'maxHot' | 'harvestFloor' | 'harvestWindow'
>

/** A crawl that keeps less than one page in twenty fetches pages for nothing … */
const LEFT_OUT_PER_PAGE = 20
/** … but nothing is certain before this many. */
const MIN_LEFT_OUT = 1000

function maxLeftOut({ maxPages }: StopSettings): number {
  return Math.max(MIN_LEFT_OUT, LEFT_OUT_PER_PAGE * maxPages)
}

/** `hot`: hot pages stored so far, by all runs. Returns null to continue. */
export function stopRuleOf(settings: StopSettings, harvest: Harvest, hot: number): StopRule | null {
  const { maxHot, harvestFloor, harvestWindow } = settings
  if (maxHot !== null && hot >= maxHot) return 'hot'
  if (harvest.leftOut >= maxLeftOut(settings)) return 'left-out'
  const { recentJudged, recentHot } = harvest
  // Before the window is full, a few bad pages at the beginning would end every crawl.
  if (harvestFloor === null || recentJudged < harvestWindow) return null
  return recentHot < harvestFloor * recentJudged ? 'harvest' : null
}

export function isStopRule(end: string): end is StopRule {
  return ENOUGH.some((enough) => enough === end)
}

/** The note of a crawl that a rule has stopped. */
export function noteOf(enough: StopRule, settings: StopSettings): string {
  const { maxPages, maxHot, harvestFloor, harvestWindow } = settings
  if (enough === 'left-out') {
    return `${maxLeftOut(settings)} pages were not worth keeping before it had ${maxPages} that are`
  }
  if (enough === 'hot') return `it has its ${maxHot} hot ${maxHot === 1 ? 'page' : 'pages'}`
  const percents = Math.round((harvestFloor ?? 0) * 1e6) / 1e4
  return `harvest fell under ${percents} % over the last ${harvestWindow} pages`
}

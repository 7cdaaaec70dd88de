// When a crawl has enough, although more could be fetched: the stop models that a limit on pages or on
// time does not cover.
import type { Harvest } from '../core/harvest.ts'
import type { CrawlSettings } from '../core/job.ts'

/** `hot`: so many hot pages are stored. `harvest`: too few of the last pages were hot. */
export type Enough = 'hot' | 'harvest'

export type StopSettings = Pick<CrawlSettings, 'maxHot' | 'harvestFloor' | 'harvestWindow'>

/** `hot`: hot pages stored so far, by all runs. Null: go on. */
export function enoughOf(settings: StopSettings, harvest: Harvest, hot: number): Enough | null {
  const { maxHot, harvestFloor, harvestWindow } = settings
  if (maxHot !== null && hot >= maxHot) return 'hot'
  const { recentJudged, recentHot } = harvest
  // Before the window is full, a few bad pages at the beginning would end every crawl.
  if (harvestFloor === null || recentJudged < harvestWindow) return null
  return recentHot < harvestFloor * recentJudged ? 'harvest' : null
}

/** What is noted with a crawl that had enough. */
export function noteOf(enough: Enough, settings: StopSettings): string {
  const { maxHot, harvestFloor, harvestWindow } = settings
  if (enough === 'hot') return `it has its ${maxHot} hot ${maxHot === 1 ? 'page' : 'pages'}`
  const percents = Math.round((harvestFloor ?? 0) * 1e6) / 1e4
  return `harvest fell under ${percents} % over the last ${harvestWindow} pages`
}

// How much of a host's sitemaps is read. They are offers, and some are endless or say nothing: a host
// has so many files, entries and bytes, and ends its turn early when file after file brings nothing new.
// Whatever is left then is refused with the reason below; a later run with larger limits reads on.
import type { Job } from '../core/job.ts'

/** What one host's sitemaps have used. */
export type SitemapUse = {
  /** URLs listed, and decoded bytes. */
  entries: number
  bytes: number
  /** Files in a row that brought no URL to visit, and no further sitemap. */
  barren: number
}

export type SitemapBudget = SitemapUse & {
  readonly files: number
}

/** As many as the largest single file may list, by the protocol … */
const MIN_ENTRIES = 50_000
/** … and far more than a crawl can fetch. */
const ENTRIES_PER_PAGE = 10
const MIN_BYTES = 256 * 1024 * 1024
const BYTES_PER_ENTRY = 1024
const BARREN_FILES = 10

/** What sitemaps that nobody reads are refused with. */
export const SPENT = 'sitemap-budget'

export function sitemapBudget({ settings, round }: Job): SitemapBudget {
  const entries = Math.max(MIN_ENTRIES, ENTRIES_PER_PAGE * settings.maxPages)
  return {
    files: settings.maxSitemaps,
    entries,
    bytes: Math.max(MIN_BYTES, BYTES_PER_ENTRY * entries),
    // A crawl that is gone over again knows most of what they list.
    barren: round === undefined ? BARREN_FILES : Number.MAX_SAFE_INTEGER,
  }
}

/** Why no more of them are read; null while they are. */
export function spentOf(use: SitemapUse, budget: SitemapBudget): string | null {
  if (use.barren >= budget.barren) return `${SPENT}: ${use.barren} files brought nothing new`
  if (use.entries >= budget.entries) return `${SPENT}: ${use.entries} entries were read`
  if (use.bytes >= budget.bytes) return `${SPENT}: ${use.bytes} bytes were read`
  return null
}

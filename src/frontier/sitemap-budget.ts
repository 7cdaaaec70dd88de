// Limits how much of a host's sitemaps is read. Some sitemaps are endless or useless, so each host has a
// limit of files, entries and bytes, and reading stops early when file after file lists nothing new. The rest
// is refused with the reason below; a later run with larger limits continues.
import type { Job } from '../core/job.ts'

/** What one host's sitemaps have used so far. */
export type SitemapUse = {
  /** URLs listed and bytes decoded. */
  entries: number
  bytes: number
  /** Files in a row that listed no URL to visit and no further sitemap. */
  barren: number
}

export type SitemapBudget = SitemapUse & {
  readonly files: number
}

/** As many as the protocol allows in a single file … */
const MIN_ENTRIES = 50_000
/** … and far more than a crawl can fetch. */
const ENTRIES_PER_PAGE = 10
const MIN_BYTES = 256 * 1024 * 1024
const BYTES_PER_ENTRY = 1024
const BARREN_FILES = 10

/** The refusal code of sitemaps that are not read. */
export const SPENT = 'sitemap-budget'

export function sitemapBudget({ settings, round }: Job): SitemapBudget {
  const entries = Math.max(MIN_ENTRIES, ENTRIES_PER_PAGE * settings.maxPages)
  return {
    files: settings.maxSitemaps,
    entries,
    bytes: Math.max(MIN_BYTES, BYTES_PER_ENTRY * entries),
    // A recrawl already knows most of what they list.
    barren: round === undefined ? BARREN_FILES : Number.MAX_SAFE_INTEGER,
  }
}

/** Why no more sitemaps are read; null while the budget lasts. */
export function spentOf(use: SitemapUse, budget: SitemapBudget): string | null {
  if (use.barren >= budget.barren) return `${SPENT}: ${use.barren} files brought nothing new`
  if (use.entries >= budget.entries) return `${SPENT}: ${use.entries} entries were read`
  if (use.bytes >= budget.bytes) return `${SPENT}: ${use.bytes} bytes were read`
  return null
}

// Whether a job at rest can continue, and if not, what would allow it.
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import type { NewLimits } from './dispatcher.ts'

/** How far a job has come. */
export type JobCounts = {
  readonly stored: number
  /** The hot ones of them. */
  readonly hot: number
  /** URLs it could still fetch. */
  readonly queued: number
}

/** Null if it can continue. Otherwise why not, and what to request instead. */
export function resumeCheck(job: JobRecord, limits: NewLimits, stand: JobCounts): string | null {
  const settings = { ...job.settings, ...limits }
  const spent = whyNoTime(job, settings)
  if (spent !== null) return spent
  const isAtItsEnd = job.status === 'completed'
  if (isAtItsEnd || limits.maxPages !== undefined) {
    const { stored } = stand
    const enough = `it has its ${count(stored, 'page')}; give a max_pages above ${stored} to go on`
    if (stored >= settings.maxPages) return enough
  }
  return isAtItsEnd ? whyStillAtItsEnd(job, settings, stand) : null
}

/** At the terminal the time limit applies to every run. */
function whyNoTime({ origin, ranMs }: JobRecord, { durationMs }: CrawlSettings): string | null {
  if (origin !== 'api' || durationMs === null || ranMs < durationMs) return null
  const ran = Math.ceil(ranMs / 1000)
  return `its time is up: it has run for ${ran} s; give a duration above ${ran} to go on`
}

function whyStillAtItsEnd(
  { note, settings: before }: JobRecord,
  settings: CrawlSettings,
  { hot, queued }: JobCounts,
): string | null {
  const { maxHot, maxDepth, harvestFloor } = settings
  if (maxHot !== null && hot >= maxHot) {
    return `it has its ${count(hot, 'hot page')}; give a max_hot above ${hot} to go on`
  }
  // URLs that were too deep are queued when a run with a larger limit begins.
  if (queued === 0 && isSame(before.maxDepth, maxDepth)) {
    const deeper = maxDepth === null ? '' : '; give a larger max_depth to go deeper'
    return `it has completed: no URL is left to fetch${deeper}`
  }
  const isAsBefore = isSame(before, settings)
  if (note === '' || !isAsBefore) return null
  const remedy = harvestFloor === null ? 'larger max_pages' : 'smaller harvest_floor'
  return `it has completed: ${note}; give a ${remedy} to go on`
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}

// Pages stay marked as hot when a later run of the same crawl means something else by that.
import { hotIsImportance, weightsOf } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'

/** Equal where pages that were marked as hot are hot still. */
export function hotMeans({ settings, topic }: Pick<JobRecord, 'settings' | 'topic'>): string {
  const weights = hotIsImportance(settings) ? weightsOf(settings) : null
  return JSON.stringify([weights, topic?.fingerprint ?? '', settings.hotThreshold])
}

export type HotRun = {
  readonly job: JobRecord
  readonly last: JobRecord | null
  readonly before: { readonly hot: number }
}

/** How many pages may be marked in all: those of another meaning are there, but do not count. */
export function maxHotOf({ job, last, before }: HotRun): number | null {
  const { maxHot } = job.settings
  if (maxHot === null || last === null || hotMeans(last) === hotMeans(job)) return maxHot
  return maxHot + before.hot
}

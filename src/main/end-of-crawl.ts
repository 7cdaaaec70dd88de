// What is left to do when a crawl has ended: how important its pages are, from the graph they make.
import { CrawlerError } from '../core/errors.ts'
import { hotIsImportance, weightsOf } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'
import type { PageTotals } from '../store/page-store.ts'
import { openSqliteImportanceReader } from '../store/sqlite/sqlite-importance-store.ts'
import { openSqlitePageReader } from '../store/sqlite/sqlite-page-reader.ts'
import type { CrawlWatcher } from './crawl-watcher.ts'
import { refreshImportance } from './importance.ts'
import { storePath } from './places.ts'

export type EndedRun = {
  readonly job: JobRecord
  /** As the run before left it. */
  readonly last: JobRecord | null
  readonly before: PageTotals
  readonly dataDir: string
  readonly watcher: Pick<CrawlWatcher, 'onBusy' | 'onNotice'>
}

/** The pages are safe whatever comes of this, so that it fails is no more than a notice. */
export async function endOfCrawlImportance(run: EndedRun): Promise<void> {
  const { job, dataDir, watcher } = run
  try {
    const stored = await grownTo(run)
    if (stored === 0) return
    watcher.onBusy(`computing the importance of ${stored} pages`)
    const { settings } = job
    const hot = hotIsImportance(settings) ? { hotThreshold: settings.hotThreshold } : {}
    await refreshImportance(dataDir, job.id, weightsOf(settings), hot)
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error
    watcher.onNotice(`the importance of pages could not be computed: ${error.message}`)
  }
}

/** How many pages there are; 0 when all that importance follows from is as it was. */
async function grownTo({ job, last, before, dataDir }: EndedRun): Promise<number> {
  await using pages = await openSqlitePageReader(storePath(dataDir))
  const { stored, duplicates } = await pages.totals(job.id)
  const grew = stored !== before.stored || duplicates !== before.duplicates
  const asked = ({ settings }: JobRecord) =>
    JSON.stringify([weightsOf(settings), hotIsImportance(settings), settings.hotThreshold])
  if (grew || last === null || asked(last) !== asked(job)) return stored
  await using importance = await openSqliteImportanceReader(storePath(dataDir))
  return (await importance.best(job.id, 1)).length === 0 ? stored : 0
}

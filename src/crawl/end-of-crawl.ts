// What is left to do when a crawl has ended: how important its pages are, from the graph they make.

import { CrawlerError } from '../core/errors.ts'
import { hotIsImportance, weightsOf } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'
import { showNumber } from '../lib/format.ts'
import type { PageTotals } from '../store/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refreshImportance, tooLarge } from './importance.ts'
import type { CrawlWatcher } from './job-run.ts'

export type EndedRun = {
  readonly job: JobRecord
  /** As the run before left it. */
  readonly last: JobRecord | null
  readonly before: PageTotals
  /** Pages were looked at again: as many may be other ones. */
  readonly round?: unknown
  readonly workspace: Workspace
  readonly watcher: Pick<CrawlWatcher, 'onBusy' | 'onNotice'>
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal
}

/** The largest graph that is computed unasked. */
export type GraphLimits = { readonly pages: number; readonly links: number }

/** The graph is in memory as a whole: so many links take some 600 MB. */
const UNASKED: GraphLimits = { pages: 2_000_000, links: 50_000_000 }

/**
 * The pages are safe whatever comes of this, so that it fails is no more than a notice, unless they
 * are not. False when it
 * was stopped: another run computes it.
 */
export async function endOfCrawlImportance(run: EndedRun, limits = UNASKED): Promise<boolean> {
  try {
    await computeImportance(run, limits)
    return true
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'store-damaged') throw error
    if (run.signal?.aborted) {
      run.watcher.onNotice('the importance of pages is not computed yet; the same command does it')
      return false
    }
    const why = error instanceof Error ? error.message : String(error)
    run.watcher.onNotice(`the importance of pages could not be computed: ${why}`)
    return true
  }
}

async function computeImportance(run: EndedRun, limits: GraphLimits): Promise<void> {
  const { job, workspace, watcher } = run
  const { settings } = job
  const stored = await grownTo(run)
  if (stored === 0) return
  const isAskedFor = Object.keys(settings.importance).length > 0
  if (!isAskedFor && stored > limits.pages) throw tooLarge(limits.pages, 'page')
  watcher.onBusy(`computing the importance of ${showNumber(stored, 'page')}`)
  const { hotThreshold } = settings
  await refreshImportance(workspace, job.id, weightsOf(settings), {
    ...(hotIsImportance(settings) ? { hotThreshold } : {}),
    ...(isAskedFor ? {} : { maxLinks: limits.links }),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  })
}

/** How many pages there are; 0 when all that importance follows from is as it was. */
async function grownTo({ job, last, before, round, workspace }: EndedRun): Promise<number> {
  await using pages = await workspace.pageReader()
  const { stored, duplicates } = await pages.totals(job.id)
  const grew = stored !== before.stored || duplicates !== before.duplicates
  const asked = ({ settings }: JobRecord) =>
    JSON.stringify([weightsOf(settings), hotIsImportance(settings), settings.hotThreshold])
  // A run that did not come to its end had no time for this, whatever it brought.
  if (round != null) return stored
  if (grew || last?.status !== 'completed' || asked(last) !== asked(job)) return stored
  await using importance = await workspace.importanceReader()
  return (await importance.best(job.id, 1)).length === 0 ? stored : 0
}

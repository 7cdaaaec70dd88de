// The work that remains when a crawl has ended: computing the importance of its pages from the link graph.
import { CrawlerError } from '../core/errors.ts'
import { hotIsImportance, weightsOf } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'
import { showNumber } from '../lib/format.ts'
import type { PageTotals } from '../store/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refreshImportance, tooLarge } from './importance.ts'
import type { CrawlWatcher } from './job-run.ts'

type EndedRun = {
  readonly job: JobRecord
  /** The record that the run before left. */
  readonly last: JobRecord | null
  readonly before: PageTotals
  /** Pages were visited again: the same number may stand for other pages. */
  readonly round?: unknown
  readonly workspace: Workspace
  readonly watcher: Pick<CrawlWatcher, 'onBusy' | 'onNotice'>
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal
}

/** The largest graph that is computed by default. */
export type GraphLimits = { readonly pages: number; readonly links: number }

/** The whole graph is in memory: this many links take some 600 MB. */
const UNASKED: GraphLimits = { pages: 2_000_000, links: 50_000_000 }

/**
 * The pages are safe, so a failure here is only a notice, unless the store itself is damaged. False if it was
 * stopped; another run then computes it.
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

/** The number of pages; 0 if nothing has changed that importance depends on. */
async function grownTo({ job, last, before, round, workspace }: EndedRun): Promise<number> {
  await using pages = await workspace.pageReader()
  const { stored, duplicates } = await pages.totals(job.id)
  const grew = stored !== before.stored || duplicates !== before.duplicates
  const asked = ({ settings }: JobRecord) =>
    JSON.stringify([weightsOf(settings), hotIsImportance(settings), settings.hotThreshold])
  // A run that was cut short had no time for this, whatever it stored.
  if (round != null) return stored
  if (grew || last?.status !== 'completed' || asked(last) !== asked(job)) return stored
  await using importance = await workspace.importanceReader()
  return (await importance.best(job.id, 1)).length === 0 ? stored : 0
}

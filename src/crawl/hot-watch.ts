// Counts the hot pages of a running crawl whose hotness is based on importance. That needs the whole graph,
// so it is counted again whenever the crawl has grown by a certain share. It only reads; the flags are
// written when the crawl ends.
import { Worker } from 'node:worker_threads'
import { hotIsImportance, weightsOf } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { HotCountOrder } from './hot-count.ts'

/** With fewer pages there are hardly any links yet. */
const FIRST_LOOK = 20
/** Growth since the last count. All counts together cost a few times the last one. */
const GROWTH = 1.25

export class HotWatch {
  readonly #job: JobRecord
  readonly #workspace: Workspace
  #nextAt = FIRST_LOOK
  #looking: Promise<void> | null = null

  constructor({ job, workspace }: { readonly job: JobRecord; readonly workspace: Workspace }) {
    this.#job = job
    this.#workspace = workspace
  }

  /** Calls `onEnough` if the crawl, with `stored` pages, has enough hot ones. */
  look(stored: number, onEnough: () => void): void {
    const { maxHot } = this.#job.settings
    if (maxHot === null || stored < Math.max(this.#nextAt, maxHot) || this.#looking !== null) return
    this.#nextAt = Math.ceil(stored * GROWTH)
    this.#looking = this.#count(maxHot, onEnough).finally(() => {
      this.#looking = null
    })
  }

  /** Resolves when no count is running. */
  async idle(): Promise<void> {
    await this.#looking
  }

  async #count(maxHot: number, onEnough: () => void): Promise<void> {
    const { id: crawlId, settings } = this.#job
    const hot = await countInThread({
      workspace: this.#workspace.text,
      crawlId,
      weights: weightsOf(settings),
      threshold: settings.hotThreshold,
    })
    if (hot >= maxHot) onEnough()
  }
}

/** 0 if it cannot be counted now; the next count may succeed. */
function countInThread(order: HotCountOrder): Promise<number> {
  const thread = new Worker(moduleBeside(import.meta, 'hot-count'), { workerData: order })
  return new Promise((resolve) => {
    let counted = 0
    thread.once('message', (hot: number) => {
      counted = hot
    })
    thread.once('error', () => {})
    thread.once('exit', () => resolve(counted))
  })
}

/**
 * Equal for two runs with the same definition of hot. Pages stay marked as hot when a later run of the same
 * crawl uses another definition.
 */
export function hotMeans({ settings, topic }: Pick<JobRecord, 'settings' | 'topic'>): string {
  const weights = hotIsImportance(settings) ? weightsOf(settings) : null
  return JSON.stringify([weights, topic?.fingerprint ?? '', settings.hotThreshold])
}

type HotRun = {
  readonly job: JobRecord
  readonly last: JobRecord | null
  readonly before: { readonly hot: number }
}

/**
 * How many pages may be marked in all. Pages marked by an earlier run under another definition do not count.
 */
export function maxHotOf({ job, last, before }: HotRun): number | null {
  const { maxHot } = job.settings
  if (maxHot === null || last === null || hotMeans(last) === hotMeans(job)) return maxHot
  return maxHot + before.hot
}

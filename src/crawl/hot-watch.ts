// How many pages of a running crawl are hot, where hot is a matter of importance: that takes the graph
// as a whole, so it is looked at again whenever the crawl has grown by a part. Reads only; the flags
// themselves are written when the crawl ends.
import { Worker } from 'node:worker_threads'
import { hotIsImportance, weightsOf } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { HotCountOrder } from './hot-count.ts'

/** With so few pages nobody links to anybody yet. */
const FIRST_LOOK = 20
/** Of what was there at the last look: so all looks together cost a few times the last one. */
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

  /** Calls `onEnough` when the crawl, which has stored so many pages, has its hot ones. */
  look(stored: number, onEnough: () => void): void {
    const { maxHot } = this.#job.settings
    if (maxHot === null || stored < Math.max(this.#nextAt, maxHot) || this.#looking !== null) return
    this.#nextAt = Math.ceil(stored * GROWTH)
    this.#looking = this.#count(maxHot, onEnough).finally(() => {
      this.#looking = null
    })
  }

  /** Resolves when nothing is being read any more. */
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

/** 0 when it cannot be told now: the next look may. */
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
 * Equal for two runs in which a page is hot for the same reasons. Pages stay marked as hot when a later
 * run of the same crawl means something else by it.
 */
export function hotMeans({ settings, topic }: Pick<JobRecord, 'settings' | 'topic'>): string {
  const weights = hotIsImportance(settings) ? weightsOf(settings) : null
  return JSON.stringify([weights, topic?.fingerprint ?? '', settings.hotThreshold])
}

export type HotRun = {
  readonly job: JobRecord
  readonly last: JobRecord | null
  readonly before: { readonly hot: number }
}

/** How many pages may be marked in all; those that an earlier run marked for other reasons do not count. */
export function maxHotOf({ job, last, before }: HotRun): number | null {
  const { maxHot } = job.settings
  if (maxHot === null || last === null || hotMeans(last) === hotMeans(job)) return maxHot
  return maxHot + before.hot
}

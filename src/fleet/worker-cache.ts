// The workers as an owner last read them. With many workers, reading all of them every second would cost
// more than their news are worth.
import type { Announcement, WorkerRecord } from './worker-registry.ts'

/** Up to this number, an owner reads the workers every time; if there are more, the pause grows with them. */
const FEW_WORKERS = 100
const MS_PER_WORKER = 4

type LastRead = Pick<Announcement, 'phase'> & {
  readonly at: number
  readonly workers: readonly WorkerRecord[]
}

export class WorkerCache {
  readonly #read = new Map<number, LastRead>()

  /** The workers of a moment ago, if there are many and the crawl just continues; null: read them. */
  recent({ crawl, phase }: Announcement): readonly WorkerRecord[] | null {
    const last = this.#read.get(crawl)
    if (phase !== 'running' || last?.phase !== 'running') return null
    const { workers, at } = last
    if (workers.length <= FEW_WORKERS) return null
    return performance.now() - at < workers.length * MS_PER_WORKER ? workers : null
  }

  keep({ crawl, phase }: Announcement, workers: readonly WorkerRecord[]): void {
    if (phase === 'over') this.#read.delete(crawl)
    else this.#read.set(crawl, { phase, at: performance.now(), workers })
  }
}

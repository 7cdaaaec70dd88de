// What happened to jobs, in order, and their curves over time: for those who look later, and for those
// who were away for a moment and must miss nothing.
import type { JobStatus } from '../core/job.ts'

export type JobEvent =
  | { readonly type: 'status'; readonly status: JobStatus; readonly note: string }
  /** Something a person may want to know: a process died, a topic was built. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'removed' }

/** `id` grows over all jobs, without gaps that matter. */
export type KeptEvent = {
  readonly id: number
  readonly crawlId: number
  readonly at: number
  readonly event: JobEvent
}

/** One moment of a running job. */
export type Sample = {
  readonly at: number
  readonly stored: number
  readonly refused: number
  readonly outside: number
  readonly failed: number
  readonly queued: number
  /** Received over all runs. */
  readonly bytes: number
  readonly pagesPerSecond: number
  readonly recentHarvestRate: number | null
  readonly scouterRssBytes: number
  readonly parserRssBytes: number
  /** Share of one core, scouter and parser together. */
  readonly cpu: number
}

export interface JobJournal extends AsyncDisposable {
  /** Keeps an event durably. */
  append(crawlId: number, event: JobEvent): Promise<KeptEvent>
  /** Events after that id, oldest first; of one job when it is given. */
  list(options: {
    readonly after: number
    readonly limit: number
    readonly crawlId?: number
  }): Promise<readonly KeptEvent[]>
  /** Id of the last event of all jobs; 0 when there is none. */
  last(): Promise<number>
  /** Puts these in the place of all samples of the job. */
  saveHistory(crawlId: number, samples: readonly Sample[]): Promise<void>
  history(crawlId: number): Promise<readonly Sample[]>
}

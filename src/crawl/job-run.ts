// One run of a job, as a dispatcher sees it: it is started, watched, and asked to end.
import type { JobRecord, JobStatus } from '../core/job.ts'
import type { Progress } from './progress.ts'
import type { DrainReason } from './supervisor.ts'

/** Ends a run early. Work under way is finished, but for no longer than `withinMs`. */
export type Drain = (why: DrainReason, withinMs?: number) => void

/**
 * `elsewhere`: another program runs this job, so nothing was done here. `unreachable`: a store was away for
 * too long; nothing can be written, and the next owner continues the job.
 */
export type JobEnd =
  | { readonly outcome: 'rested'; readonly status: JobStatus; readonly note: string }
  | { readonly outcome: 'elsewhere' }
  | { readonly outcome: 'unreachable'; readonly note: string }

export type RunListener = {
  readonly onProgress: (progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** The current work while no page is fetched, before and after the crawl. */
  readonly onBusy: (text: string) => void
}

export interface RunningJob {
  readonly drain: Drain
  /** Resolves when all its processes are gone. Never rejects: errors are in the note. */
  readonly ended: Promise<JobEnd>
}

/** Runs a stored job. It reads the parts that the record leaves out from the store. */
export type RunJob = (job: JobRecord, listener: RunListener) => RunningJob

/** The status of a job that was asked to end. */
export function statusAfter(why: DrainReason): JobStatus {
  if (why === 'paused') return 'paused'
  return why === 'shutdown' ? 'started' : 'stopped'
}

/** Watches one run of a crawl: the terminal, a server, a test. */
export type RunWatcher = {
  readonly onProgress: (progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** The current work while no page is fetched, before and after the crawl. */
  readonly onBusy: (text: string) => void
  /** Receives the function that ends the crawl early. */
  readonly onDrainable: (drain: Drain) => void
}

/** Watches `jelajah crawl`. */
export type CrawlWatcher = RunWatcher & {
  readonly onStart: (job: JobRecord, continued: boolean) => void
}

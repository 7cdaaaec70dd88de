// One run of a job, as a dispatcher sees it: started, watched, asked to end.
import type { JobRecord, JobStatus } from '../core/job.ts'
import type { Progress } from './progress.ts'
import type { DrainReason } from './supervisor.ts'

/** Ends a run early: what is under way is finished, but nobody waits longer than `withinMs`. */
export type Drain = (why: DrainReason, withinMs?: number) => void

/**
 * `elsewhere`: another program runs this very job, so nothing was done here. `unreachable`: a store was
 * away for too long; nothing can be written, and whoever comes next goes on with the job.
 */
export type JobEnd =
  | { readonly outcome: 'rested'; readonly status: JobStatus; readonly note: string }
  | { readonly outcome: 'elsewhere' }
  | { readonly outcome: 'unreachable'; readonly note: string }

export type RunListener = {
  readonly onProgress: (progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** What is done while no page is fetched, before the crawl and after it. */
  readonly onBusy: (text: string) => void
}

export interface RunningJob {
  readonly drain: Drain
  /** Settled when all its processes are gone. Never rejects: what went wrong is in the note. */
  readonly ended: Promise<JobEnd>
}

/** Runs a job that is in the store: it reads there itself what the record leaves out. */
export type RunJob = (job: JobRecord, listener: RunListener) => RunningJob

/** What becomes of a job that was asked to end. */
export function statusAfter(why: DrainReason): JobStatus {
  if (why === 'paused') return 'paused'
  return why === 'shutdown' ? 'started' : 'stopped'
}

/** Who watches one run of a crawl: the terminal, a server, a test. */
export type RunWatcher = {
  readonly onProgress: (progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** What is done while no page is fetched, before the crawl and after it. */
  readonly onBusy: (text: string) => void
  /** Hands over the way to end the crawl early. */
  readonly onDrainable: (drain: Drain) => void
}

/** Who watches `jelajah crawl`. */
export type CrawlWatcher = RunWatcher & {
  readonly onStart: (job: JobRecord, continued: boolean) => void
}

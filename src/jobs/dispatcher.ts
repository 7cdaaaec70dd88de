// Accepts jobs and runs them, several at once, under one budget of connections and memory; the others wait in
// a queue, oldest first. A job is durable before anybody is notified, and jobs that were running when this
// process died continue when the next one opens.
//
//   started ──turn──▶ running ──▶ completed | stopped | failed
//                        │ ▲
//                   pause▼ │resume          (resume also from stopped and failed, and from completed
//                       paused               where a limit was all that ended it, with a larger one)
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import type { LiveJob } from '../crawl/run-measures.ts'
import type { KeptEvent } from '../store/job-journal.ts'
import type { JobOrder, Ordered } from '../store/job-store.ts'

export type Load = {
  readonly running: number
  readonly waiting: number
  /** Connections reserved by running jobs, and their limit. */
  readonly connections: number
  readonly maxConnections: number
  /** Memory of the processes of running jobs, and its limit. */
  readonly rssBytes: number
  readonly maxRssBytes: number
}

/** `no-job`: there is no job of that number. `conflict`: not possible in its state; the note says why. */
export type CommandResult =
  | { readonly outcome: 'done'; readonly job: JobRecord }
  | { readonly outcome: 'no-job' }
  | { readonly outcome: 'conflict'; readonly note: string }

/** Limits that may change when a job continues. */
export type NewLimits = Partial<
  Pick<CrawlSettings, 'maxPages' | 'maxDepth' | 'durationMs' | 'maxHot' | 'harvestFloor'>
>

export type DispatchListener = {
  /** An event was written to the journal. */
  readonly onEvent: (event: KeptEvent) => void
  /** A running job reported progress; every quarter of a second. */
  readonly onProgress: (crawlId: number) => void
}

export interface Dispatcher extends AsyncDisposable {
  /** The largest possible concurrency of a job here. */
  readonly maxConnections: number
  /** Accepts a job durably; it starts when its turn comes. */
  submit(order: JobOrder): Promise<Ordered>
  /** Finishes work under way and keeps the rest for later. Resolves when the job is at rest. */
  pause(id: number): Promise<CommandResult>
  /** Continues a job, with these limits if given; not if the reason that ended it still applies. */
  resume(id: number, limits?: NewLimits): Promise<CommandResult>
  /** Recrawls a completed job, or continues its recrawl. `due`: only pages that are due. */
  refresh(id: number, options: { readonly due: boolean }): Promise<CommandResult>
  stop(id: number): Promise<CommandResult>
  /** Stops a job if necessary, and removes it with all its pages. */
  remove(id: number): Promise<CommandResult>
  /** Saves a notice about a job, and notifies listeners. */
  notice(id: number, text: string): Promise<void>
  live(id: number): LiveJob | null
  /** Whether another program runs it at this moment. */
  isElsewhere(job: JobRecord): Promise<boolean>
  /** The number of jobs that start before this one; null unless it waits. */
  ahead(id: number): number | null
  load(): Load
  subscribe(listener: DispatchListener): () => void
}

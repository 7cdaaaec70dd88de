// Takes jobs and runs them, several at once, under one budget of connections and memory; more wait for
// their turn, oldest first. Jobs are durable before anybody is told, and what was running when this
// process died goes on when the next one opens.
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
  /** Connections promised to running jobs, of so many. */
  readonly connections: number
  readonly maxConnections: number
  /** Memory of the processes of running jobs, of so much. */
  readonly rssBytes: number
  readonly maxRssBytes: number
}

/** `no-job`: there is none of that number. `conflict`: not in the state it is in; the note says why. */
export type Told =
  | { readonly outcome: 'done'; readonly job: JobRecord }
  | { readonly outcome: 'no-job' }
  | { readonly outcome: 'conflict'; readonly note: string }

/** What a job may go on with otherwise than before. */
export type NewLimits = Partial<
  Pick<CrawlSettings, 'maxPages' | 'maxDepth' | 'durationMs' | 'maxHot' | 'harvestFloor'>
>

export type DispatchListener = {
  /** Something happened that was kept in the journal. */
  readonly onEvent: (event: KeptEvent) => void
  /** A running job gave a sign of life: every quarter of a second. */
  readonly onProgress: (crawlId: number) => void
}

export interface Dispatcher extends AsyncDisposable {
  /** The largest concurrency a job can have here. */
  readonly maxConnections: number
  /** Takes a job durably; it starts when its turn comes. */
  submit(order: JobOrder): Promise<Ordered>
  /** Finishes what is under way, keeps the rest for later. Settled when the job has come to rest. */
  pause(id: number): Promise<Told>
  /** Goes on, with these limits where they are given; not when what ended the job still holds. */
  resume(id: number, limits?: NewLimits): Promise<Told>
  /**
   * Looks again at the pages of a job that has completed, or goes on with that; `due`: only at those
   * whose time has come.
   */
  refresh(id: number, options: { readonly due: boolean }): Promise<Told>
  stop(id: number): Promise<Told>
  /** Stops it if need be, and removes it with all its pages. */
  remove(id: number): Promise<Told>
  /** Keeps what a person may want to know about a job, and tells those who listen. */
  notice(id: number, text: string): Promise<void>
  live(id: number): LiveJob | null
  /** Whether another program runs it at this moment. */
  isElsewhere(job: JobRecord): Promise<boolean>
  /** How many jobs start before this one; null unless it waits. */
  ahead(id: number): number | null
  load(): Load
  subscribe(listener: DispatchListener): () => void
}

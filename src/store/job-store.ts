// Jobs: the crawls of a workspace with their settings and states.
import type {
  CrawlSettings,
  Job,
  JobOrigin,
  JobRecord,
  JobRunRecord,
  JobStatus,
  KeptTopic,
  Webhook,
} from '../core/job.ts'

/** What a later run changes of a job; missing fields stay as they are. */
export type LaterRun = Pick<Job, 'settings'> & Partial<Pick<Job, 'seeds' | 'topic'>>

/** A job that will run when its turn comes: everything that must survive the process that took it. */
export type JobOrder = Pick<Job, 'name' | 'seeds' | 'settings'> & {
  /** The requested topic as plain JSON; the topic is built when the job first runs. */
  readonly topicRequest: unknown
  readonly webhook: Webhook | null
  /** Given by the client: the same key is the same job, however often it is sent. */
  readonly key: string | null
  /** Equal for equal requests. */
  readonly fingerprint: string
}

export type Ordered =
  /** `isNew` false: the key is known, and this is its job. */
  | { readonly outcome: 'taken'; readonly job: JobRecord; readonly isNew: boolean }
  /** The key was used for another request. */
  | { readonly outcome: 'key-taken'; readonly job: JobRecord }

export type ListOptions = {
  /** Only jobs with a smaller number. */
  readonly before?: number
  readonly limit?: number
  readonly status?: JobStatus
}

/** Reads jobs from any process, also while a crawl runs. Removed jobs are missing. */
export interface JobReader extends AsyncDisposable {
  /** The newest job of that name, and of that origin if one is given; null if there is none. */
  findByName(name: string, origin?: JobOrigin): Promise<JobRecord | null>
  get(id: number): Promise<JobRecord | null>
  /** Newest first. Topics may be large, so only their fingerprints are read. */
  list(options?: ListOptions): Promise<readonly JobRecord[]>
  /** The number of jobs in each status. */
  counts(): Promise<Readonly<Record<JobStatus, number>>>
  /** The runs of a job, oldest first. */
  runs(id: number): Promise<readonly JobRunRecord[]>
}

export interface JobStore extends JobReader {
  create(job: Omit<Job, 'id' | 'salt'>): Promise<JobRecord>
  /** Stores an order durably, at most once per key; the origin of the job is `api`. */
  order(order: JobOrder): Promise<Ordered>
  /**
   * The order of a job, with its current settings and seeds; null for jobs that were created in another way.
   */
  orderOf(id: number): Promise<JobOrder | null>
  /** Jobs that the server should run: started and not ended, oldest first; topics as in `list`. */
  unfinished(): Promise<readonly JobRecord[]>
  /**
   * Marks a job as started: the server continues it when its turn comes, with these settings if they are
   * given, whoever ran it before.
   */
  enqueue(id: number, settings?: CrawlSettings): Promise<JobRecord>
  /** Marks a job as started by the command line, with the settings and other changes of this run. */
  resume(id: number, later: LaterRun): Promise<JobRecord>
  /** Records the begin of a run; later runs do not change it. */
  beginRun(job: Pick<Job, 'id' | 'settings' | 'topic'>): Promise<void>
  /** Stores the topic of a job when it has been built. */
  setTopic(id: number, topic: KeptTopic | null): Promise<void>
  /** Sets `endedAt` if the status is final, otherwise clears it. */
  setStatus(id: number, status: JobStatus, note?: string): Promise<void>
  /** Adds to the time a job has been running. */
  addRanMs(id: number, ms: number): Promise<void>
  /** Hides the job from all readers at once; its pages are swept later. False if there is no such job. */
  remove(id: number): Promise<boolean>
  /** Deletes some rows of a removed job in one short step; false if nothing is left. */
  sweep(id: number): Promise<boolean>
  /** Removed jobs that still have rows. */
  unswept(): Promise<readonly number[]>
}

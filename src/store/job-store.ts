// Jobs: which crawls there are in this place, with what settings, in what state.
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

/** What a later run of a job brings; what it leaves out stays as it was. */
export type LaterRun = Pick<Job, 'settings'> & Partial<Pick<Job, 'seeds' | 'topic'>>

/** A job that will run when its turn comes: all that must outlive the one who took it. */
export type JobOrder = Pick<Job, 'name' | 'seeds' | 'settings'> & {
  /** What it is about as it was asked, in plain JSON; the topic is built when the job first runs. */
  readonly topicRequest: unknown
  readonly webhook: Webhook | null
  /** Given by the client: the same key is the same job, however often it is sent. */
  readonly key: string | null
  /** Equal for requests that ask for the same. */
  readonly fingerprint: string
}

export type Ordered =
  /** `isNew` false: the key was known, and this is its job. */
  | { readonly outcome: 'taken'; readonly job: JobRecord; readonly isNew: boolean }
  /** The key was used for another request. */
  | { readonly outcome: 'key-taken'; readonly job: JobRecord }

export type ListOptions = {
  /** Only those with a smaller number. */
  readonly before?: number
  readonly limit?: number
  readonly status?: JobStatus
}

/** What readers ask, from any process, also while a crawl runs. Removed jobs are not there. */
export interface JobReader extends AsyncDisposable {
  /** The newest job of that name, and of that origin if one is given; null when there is none. */
  findByName(name: string, origin?: JobOrigin): Promise<JobRecord | null>
  get(id: number): Promise<JobRecord | null>
  /** Newest first. A topic may be large: of theirs only the fingerprint is there. */
  list(options?: ListOptions): Promise<readonly JobRecord[]>
  /** How many there are in each status. */
  counts(): Promise<Readonly<Record<JobStatus, number>>>
  /** The runs of a job, oldest first. */
  runs(id: number): Promise<readonly JobRunRecord[]>
}

export interface JobStore extends JobReader {
  create(job: Omit<Job, 'id' | 'salt'>): Promise<JobRecord>
  /** Takes an order, durably and at most once per key; its origin is `api`. */
  order(order: JobOrder): Promise<Ordered>
  /**
   * The order a job was made from, with its settings and seeds as they are now; null for jobs that
   * were created otherwise.
   */
  orderOf(id: number): Promise<JobOrder | null>
  /** Jobs that the server should be running: started and not ended, oldest first; as in `list`. */
  unfinished(): Promise<readonly JobRecord[]>
  /**
   * The server will go on with it when its turn comes, whoever ran it before, and with these settings
   * where they are given: it is started.
   */
  enqueue(id: number, settings?: CrawlSettings): Promise<JobRecord>
  /** Takes the settings of a later run by the command line, and what else is given: it is started. */
  resume(id: number, later: LaterRun): Promise<JobRecord>
  /** A run of the job begins: what it does stays on record, whatever later runs do. */
  beginRun(job: Pick<Job, 'id' | 'settings' | 'topic'>): Promise<void>
  /** Keeps what the job is about, once that is built. */
  setTopic(id: number, topic: KeptTopic | null): Promise<void>
  /** `endedAt` is set when the status is a final one, cleared when it is not. */
  setStatus(id: number, status: JobStatus, note?: string): Promise<void>
  /** Adds to the time a job has been running. */
  addRanMs(id: number, ms: number): Promise<void>
  /** The job is gone for every reader at once; its pages are swept later. False: there is none. */
  remove(id: number): Promise<boolean>
  /** Deletes some of what a removed job left behind, in one short step. False: that was all. */
  sweep(id: number): Promise<boolean>
  /** Jobs that were removed but not swept to the end. */
  unswept(): Promise<readonly number[]>
}

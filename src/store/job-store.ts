// Jobs: which crawls there are in this place, with what settings, in what state.
import type { Job, JobRecord, JobStatus } from '../core/job.ts'

/** What a later run of a job brings; what it leaves out stays as it was. */
export type LaterRun = Pick<Job, 'settings'> & Partial<Pick<Job, 'seeds' | 'topic'>>

/** What readers ask, from any process, also while a crawl runs. */
export interface JobReader extends AsyncDisposable {
  /** The newest job of that name; null when there is none. */
  findByName(name: string): Promise<JobRecord | null>
  get(id: number): Promise<JobRecord | null>
  /** Newest first. */
  list(): Promise<readonly JobRecord[]>
}

export interface JobStore extends JobReader {
  create(job: Omit<Job, 'id' | 'salt'>): Promise<JobRecord>
  /** Takes the settings of a later run of the same job, and what else is given. */
  resume(id: number, later: LaterRun): Promise<JobRecord>
  /** `endedAt` is set when the status is a final one, cleared when it is not. */
  setStatus(id: number, status: JobStatus, note?: string): Promise<void>
}

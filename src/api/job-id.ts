// Jobs have numbers inside and names outside: `crawl_7`.
import type { JobRecord } from '../core/job.ts'
import type { JobReader } from '../store/job-store.ts'
import { Refusal } from './errors.ts'

const FORM = /^crawl_([1-9][0-9]{0,14})$/

export function jobId(crawlId: number): string {
  return `crawl_${crawlId}`
}

/** Null when that is not how a job is named. */
export function readJobId(id: string): number | null {
  const digits = FORM.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Throws a `Refusal` when there is no such job. */
export async function findJob(jobs: JobReader, id: string): Promise<JobRecord> {
  const crawlId = readJobId(id)
  const job = crawlId === null ? null : await jobs.get(crawlId)
  if (job === null) throw noJob(id)
  return job
}

export function noJob(id: string): Refusal {
  const known = readJobId(id) === null ? 'jobs are named like crawl_1' : `there is no job ${id}`
  return new Refusal(404, known)
}

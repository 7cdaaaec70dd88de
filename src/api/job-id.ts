// The job that a request names.
import type { JobRecord } from '../core/job.ts'
import { readJobId } from '../core/job-id.ts'
import type { JobReader } from '../store/job-store.ts'
import { Refusal } from './errors.ts'

/** Throws a `Refusal` if there is no such job. */
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

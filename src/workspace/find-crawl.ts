// What the reading commands share: the place, and the crawl they speak about.
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import type { Job, JobRecord } from '../core/job.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { JobReader } from '../store/job-store.ts'
import { noCrawlError } from './no-crawl-error.ts'
import type { Workspace } from './workspace.ts'

/** The crawl of that number or name, the newest when none is given; InvalidInput when it is not there. */
export async function chooseCrawl(workspace: Workspace, crawl: string | null): Promise<JobRecord> {
  await using jobs = await workspace.jobReader()
  if (jobs === null) throw nothingIn(workspace)
  const job = crawl === null ? await newest(jobs) : await find(jobs, crawl)
  if (job) return job
  if (crawl === null) throw nothingIn(workspace)
  throw new InvalidInput('--crawl', `there is no crawl "${crawl}"; 'jelajah crawls' lists them`)
}

/** Of a crawl that has come to its first URL. */
export async function openUrlStates(workspace: Workspace, job: Job): Promise<UrlStates> {
  const urlStates = await workspace.ledger(job)
  if (urlStates !== null) return urlStates
  const message = `there is no frontier of crawl ${job.id} in ${workspace.shown} yet`
  throw new CrawlerError('store-unreachable', message)
}

/** With its topic, which a list leaves out. */
async function newest(jobs: JobReader): Promise<JobRecord | null> {
  const [job] = await jobs.list({ limit: 1 })
  return job === undefined ? null : jobs.get(job.id)
}

/**
 * A name that is a number is still a name; but who says 3 mostly means crawl 3, and who says crawl_3
 * has it from a server.
 */
async function find(jobs: JobReader, crawl: string): Promise<JobRecord | null> {
  const digits = /^(?:crawl_)?(\d{1,15})$/.exec(crawl)?.[1]
  const byId = digits === undefined ? null : await jobs.get(Number(digits))
  return byId ?? jobs.findByName(crawl)
}

function nothingIn(workspace: Workspace): InvalidInput {
  return new InvalidInput('--data', noCrawlError(workspace))
}

// What the reading commands share: the place, and the crawl they speak about.
import { existsSync } from 'node:fs'
import { InvalidInput } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import { findSqliteUrlLedger } from '../frontier/sqlite/sqlite-url-ledger.ts'
import type { UrlLedger } from '../frontier/url-ledger.ts'
import type { JobReader } from '../store/job-store.ts'
import { openSqliteJobReader } from '../store/sqlite/sqlite-job-store.ts'
import { nothingHere } from './nothing-here.ts'
import { frontierPath, storePath } from './places.ts'

/** The crawl of that number or name, the newest when none is given; InvalidInput when it is not there. */
export async function chooseCrawl(dataDir: string, crawl: string | null): Promise<JobRecord> {
  await using jobs = await openSqliteJobReader(storePath(dataDir))
  if (jobs === null) throw nothingIn(dataDir)
  const job = crawl === null ? await newest(jobs) : await find(jobs, crawl)
  if (job) return job
  if (crawl === null) throw nothingIn(dataDir)
  throw new InvalidInput('--crawl', `there is no crawl "${crawl}"; 'jelajah crawls' lists them`)
}

/** Null when the crawl was made but has not come to its first URL. */
export async function openLedger(dataDir: string, job: JobRecord): Promise<UrlLedger | null> {
  const path = frontierPath(dataDir, job.id)
  return existsSync(path) ? findSqliteUrlLedger(path, job) : null
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

function nothingIn(dataDir: string): InvalidInput {
  return new InvalidInput('--data', nothingHere(dataDir))
}

// `jelajah crawls`: which crawls there are in a place.
import { EXIT, type ExitCode } from '../cli/exit-codes.ts'
import { type CrawlRow, crawlColumns, crawlJson } from '../cli/print.ts'
import type { ReaderOptions } from '../cli/reader-commands.ts'
import { table } from '../cli/table.ts'
import { CrawlerError } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import { lockIsHeld } from '../db/lock.ts'
import { openSqliteJobReader } from '../store/sqlite/sqlite-job-store.ts'
import { openSqlitePageReader } from '../store/sqlite/sqlite-page-reader.ts'
import type { Output } from './output.ts'
import { childLockPath, crawlLockPath, storePath } from './places.ts'

export async function runCrawls({ dataDir, json }: ReaderOptions, out: Output): Promise<ExitCode> {
  const rows = await rowsOf(dataDir)
  if (json) for (const row of rows) await out.write(crawlJson(row))
  else if (rows.length > 0) await out.write(table(crawlColumns(rows), rows))
  else out.warn(`no crawl in ${dataDir} yet; 'jelajah crawl <seed>' makes one\n`)
  return EXIT.done
}

async function rowsOf(dataDir: string): Promise<CrawlRow[]> {
  await using jobs = await openSqliteJobReader(storePath(dataDir))
  if (jobs === null) return []
  await using pages = await openSqlitePageReader(storePath(dataDir))
  const rows: CrawlRow[] = []
  const all = await jobs.list()
  const alive = await runningIn(dataDir, all)
  for (const job of all) {
    const { stored, duplicates, judged, hot } = await pages.totals(job.id)
    rows.push({ ...asItIs(job, alive), stored, duplicates, judged, hot })
  }
  return rows
}

/** A crawl that was killed had no time to say so: its row still claims that it runs. */
function asItIs(job: JobRecord, alive: ReadonlySet<number>): JobRecord {
  if (job.status !== 'running' || alive.has(job.id)) return job
  return { ...job, status: 'stopped', note: 'interrupted' }
}

/** Of those that claim to run, the ones that may: nobody else holds the folder's lock. */
async function runningIn(dataDir: string, jobs: readonly JobRecord[]): Promise<Set<number>> {
  const claiming = jobs.filter(({ status }) => status === 'running').map(({ id }) => id)
  if (claiming.length === 0 || !(await isHeld(crawlLockPath(dataDir)))) return new Set()
  if (claiming.length === 1) return new Set(claiming)
  // One crawl at a time: its scouter's own lock tells which. While that starts, nothing does.
  for (const id of claiming) {
    if (await isHeld(childLockPath(dataDir, 'scouter', id))) return new Set([id])
  }
  return new Set(claiming)
}

/** A lock that this user may not look at counts as held: better no word than a wrong one. */
async function isHeld(path: string): Promise<boolean> {
  try {
    return await lockIsHeld(path)
  } catch (error) {
    if (error instanceof CrawlerError) return true
    throw error
  }
}

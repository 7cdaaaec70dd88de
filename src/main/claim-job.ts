// Which crawl a command means: the one of its name, or a new one. Claimed in one step, so that of two
// commands at the same moment one makes the crawl and the other finds it running.
import { CrawlerError } from '../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { waitForLock } from '../db/lock.ts'
import type { JobStore } from '../store/job-store.ts'
import { crawlLockPath, folderLockPath } from './places.ts'

/** Who holds the folder's lock only looks and writes a row. */
const FOLDER_PATIENCE_MS = 10_000
/** Somebody who only looks whether a crawl runs has its lock for a moment, too. */
const LOOK_MS = 300

export type Wanted = {
  readonly name: string | null
  readonly seeds: readonly CanonicalUrl[]
  readonly settings: CrawlSettings
  readonly fresh: boolean
}

/** A job as this run finds it; nobody else can run it until this is disposed of. */
export interface ClaimedJob extends AsyncDisposable {
  readonly job: JobRecord
  /** As the last run left it; null for a new one. */
  readonly last: JobRecord | null
}

export async function claimJob(
  jobs: JobStore,
  dataDir: string,
  wanted: Wanted,
): Promise<ClaimedJob> {
  const { name, seeds, settings, fresh } = wanted
  await using _folder = await waitForLock(folderLockPath(dataDir), FOLDER_PATIENCE_MS)
  const called = name ?? [...seeds].sort().join(' ')
  const last = fresh ? null : await jobs.findByName(called, 'cli')
  const made = { name: called, origin: 'cli', seeds, settings, topic: null } as const
  const job = last ?? (await jobs.create(made))
  const lock = await lockCrawl(dataDir, job.id)
  // Who finds it later without its lock knows that it was interrupted.
  if (last === null) await jobs.setStatus(job.id, 'running')
  return { job, last, [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose]() }
}

/** Throws `store-busy` when that crawl is running. */
export async function lockCrawl(dataDir: string, crawlId: number): Promise<AsyncDisposable> {
  try {
    return await waitForLock(crawlLockPath(dataDir, crawlId), LOOK_MS)
  } catch (cause) {
    if (!(cause instanceof CrawlerError) || cause.code !== 'store-busy') throw cause
    const running = `crawl ${crawlId} is already running in ${dataDir}`
    const message = `${running}. Wait for it, stop it, or give this one another --name.`
    throw new CrawlerError('store-busy', message, { cause })
  }
}

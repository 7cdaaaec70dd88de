// The dispatcher with all it needs in a data folder.
import { existsSync, rmSync } from 'node:fs'
import type { JobRecord } from '../core/job.ts'
import type { Dispatcher } from '../crawl/dispatcher.ts'
import type { Stand } from '../crawl/going-on.ts'
import { createDispatcher, type DispatcherOptions } from '../crawl/job-dispatcher.ts'
import { openSqliteUrlLedger } from '../frontier/sqlite/sqlite-url-ledger.ts'
import { openSqlitePageReader } from '../store/sqlite/sqlite-page-reader.ts'
import { isRunning } from './job-reader.ts'
import { childLockPath, crawlLockPath, frontierPath, storePath } from './places.ts'
import { askForRound } from './rounds.ts'
import { createThreadRunner } from './thread-runner.ts'

export type OpenDispatcherOptions = Omit<
  DispatcherOptions,
  'runJob' | 'isElsewhere' | 'standOf' | 'beginRound' | 'discard'
> & {
  readonly dataDir: string
}

/** Jobs that should be running begin at once. `jobs` and `journal` stay the caller's. */
export function openDispatcher({
  dataDir,
  ...options
}: OpenDispatcherOptions): Promise<Dispatcher> {
  const { maxConnections } = options
  return createDispatcher({
    ...options,
    runJob: createThreadRunner({ dataDir, maxConnections }),
    isElsewhere: (id) => isRunning(dataDir, id),
    standOf: (job) => standOf(dataDir, job),
    beginRound: (job, due) => askForRound({ job, dataDir }, due),
    discard: async (id) => discardFiles(dataDir, id),
  })
}

async function standOf(dataDir: string, job: JobRecord): Promise<Stand> {
  await using pages = await openSqlitePageReader(storePath(dataDir))
  const { stored, hot } = await pages.totals(job.id)
  const path = frontierPath(dataDir, job.id)
  // A job that was stopped before it began has none yet.
  if (!existsSync(path)) return { stored, hot, queued: 0 }
  await using ledger = await openSqliteUrlLedger(path, job)
  const { queued, leased } = await ledger.counts()
  return { stored, hot, queued: queued + leased }
}

function discardFiles(dataDir: string, crawlId: number): void {
  const frontier = frontierPath(dataDir, crawlId)
  const roles = ['scouter', 'parser']
  const locks = roles.map((role) => childLockPath(dataDir, role, crawlId))
  const files = [frontier, `${frontier}-wal`, `${frontier}-shm`, ...locks]
  for (const file of [...files, crawlLockPath(dataDir, crawlId)]) rmSync(file, { force: true })
}

// The dispatcher with all it needs in a data folder.
import { existsSync, rmSync } from 'node:fs'
import { isFinal, type JobRecord } from '../core/job.ts'
import type { Dispatcher } from '../crawl/dispatcher.ts'
import type { Stand } from '../crawl/going-on.ts'
import { createDispatcher, type DispatcherOptions } from '../crawl/job-dispatcher.ts'
import { emptyLog } from '../db/sqlite.ts'
import { openSqliteUrlLedger } from '../frontier/sqlite/sqlite-url-ledger.ts'
import type { KeptEvent } from '../store/job-journal.ts'
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
export async function openDispatcher({
  dataDir,
  ...options
}: OpenDispatcherOptions): Promise<Dispatcher> {
  const { maxConnections } = options
  const dispatcher = await createDispatcher({
    ...options,
    runJob: createThreadRunner({ dataDir, maxConnections }),
    isElsewhere: (id) => isRunning(dataDir, id),
    standOf: (job) => standOf(dataDir, job),
    beginRound: (job, due) => askForRound({ job, dataDir }, due),
    discard: async (id) => discardFiles(dataDir, id),
  })
  const onEvent = ({ crawlId, event }: KeptEvent): void => {
    if (event.type !== 'status' || !isFinal(event.status)) return
    // Its thread has copied what it stored; while others store, their threads do so later.
    if (isAlone(dispatcher, crawlId)) emptyLog(storePath(dataDir))
  }
  dispatcher.subscribe({ onEvent, onProgress: () => {} })
  return dispatcher
}

function isAlone(dispatcher: Dispatcher, crawlId: number): boolean {
  return dispatcher.load().running === (dispatcher.live(crawlId) === null ? 0 : 1)
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

// The dispatcher with all it needs in a data folder.
import { rmSync } from 'node:fs'
import type { Dispatcher } from '../crawl/dispatcher.ts'
import { createDispatcher, type DispatcherOptions } from '../crawl/job-dispatcher.ts'
import { isRunning } from './job-reader.ts'
import { childLockPath, crawlLockPath, frontierPath } from './places.ts'
import { createThreadRunner } from './thread-runner.ts'

export type OpenDispatcherOptions = Omit<
  DispatcherOptions,
  'runJob' | 'isElsewhere' | 'discard'
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
    discard: async (id) => discardFiles(dataDir, id),
  })
}

function discardFiles(dataDir: string, crawlId: number): void {
  const frontier = frontierPath(dataDir, crawlId)
  const roles = ['scouter', 'parser']
  const locks = roles.map((role) => childLockPath(dataDir, role, crawlId))
  const files = [frontier, `${frontier}-wal`, `${frontier}-shm`, ...locks]
  for (const file of [...files, crawlLockPath(dataDir, crawlId)]) rmSync(file, { force: true })
}

// The store as whoever keeps jobs opens it: few and small writes, in a process that must not stand still
// while parsers write, nor copy their pages for them.
import type { DatabaseSync } from 'node:sqlite'
import { HARDLY_EVER_PAGES, HARDLY_MS, openSqlite } from '../../db/sqlite.ts'

export function openJobs(path: string): DatabaseSync {
  return openSqlite(path, {
    schema: 'store',
    durability: 'full',
    busyMs: HARDLY_MS,
    checkpointPages: HARDLY_EVER_PAGES,
  })
}

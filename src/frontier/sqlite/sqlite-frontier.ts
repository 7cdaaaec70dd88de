// A frontier in one SQLite file, written by one process.
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import { beginRecrawl } from '../engine/begin-recrawl.ts'
import { openEngineFrontier } from '../engine/engine-frontier.ts'
import type { FrontierOptions } from '../engine/frontier-options.ts'
import type { Frontier } from '../frontier.ts'
import type { NewRecrawl } from '../recrawls.ts'
import { openSqliteRows } from './sqlite-rows.ts'

export type SqliteFrontierOptions = FrontierOptions & {
  /** `<data>/frontier-<crawl id>.db`; created if it does not exist. */
  readonly path: string
}

export async function openSqliteFrontier(options: SqliteFrontierOptions): Promise<Frontier> {
  const { path } = options
  const rows = openSqliteRows(path)
  try {
    return await openEngineFrontier(rows, options)
  } catch (error) {
    throw asCrawlerError(error, path)
  }
}

/** Prepares a file for a recrawl; nobody may have it open. Does nothing if that recrawl has begun. */
export async function beginSqliteRecrawl(path: string, recrawl: NewRecrawl): Promise<void> {
  const rows = openSqliteRows(path)
  try {
    await beginRecrawl(rows, recrawl)
  } catch (error) {
    throw asCrawlerError(error, path)
  } finally {
    rows.close()
  }
}

// How the file of a store is opened for everything but the writing of pages, and what of a job is not in it.
import { forgetSecrets, keepSecrets, secretsOf } from '../../db/secrets-file.ts'
import {
  HARDLY_EVER_PAGES,
  HARDLY_MS,
  type OpenOptions,
  openSqlite,
  openSqliteReader,
  USUAL_PAGES,
} from '../../db/sqlite.ts'
import { numberOf } from '../row-values.ts'
import type { Sql, Work } from '../sql/sql.ts'
import type { JobSecrets, JobStoreOptions } from '../sql/sql-job-store.ts'
import { createSqliteSql } from './sqlite-sql.ts'

type Writing = Omit<OpenOptions, 'schema'>

/**
 * For few and small writes in a process that must not stand still while parsers write, nor copy their
 * pages for them.
 */
export const FEW_ROWS: Writing = {
  durability: 'full',
  busyMs: HARDLY_MS,
  checkpointPages: HARDLY_EVER_PAGES,
}

/**
 * A delivery lost by a power cut is made again from the journal with the id it had: no fsync is worth
 * making a server wait.
 */
export const DELIVERIES: Writing = {
  durability: 'normal',
  cacheBytes: 1024 * 1024,
  // How long a server may block because a parser writes.
  busyMs: 20,
  checkpointPages: HARDLY_EVER_PAGES,
}

export const MANY_ROWS: Writing = { durability: 'full' }

export function openSqliteStore(path: string, writing: Writing): Sql {
  return createSqliteSql(openSqlite(path, { ...writing, schema: 'store' }))
}

/** Touches nothing; null when there is no store at that path. */
export function openSqliteStoreReader(path: string): Sql | null {
  const db = openSqliteReader(path, 'store')
  return db === null ? null : createSqliteSql(db)
}

export function sqliteJobOptions(path: string, sql: Sql): JobStoreOptions {
  return {
    secrets: secretsBeside(path),
    sweep: (crawlId, rest) => sweepCrawl(sql, crawlId, rest),
  }
}

/** In a file of their own, by the salt of the job; on the disk before the transaction is committed. */
function secretsBeside(path: string): JobSecrets {
  return {
    keep: (_, { salt }, secrets) => withoutSql(() => keepSecrets(path, salt, secrets)),
    read: (_, { salt }) => withoutSql(() => secretsOf(path, salt)),
    forget: (_, { salt }) => withoutSql(() => forgetSecrets(path, salt)),
  }
}

// biome-ignore lint/correctness/useYield: it asks nothing of this database.
function* withoutSql<T>(work: () => T): Work<T> {
  return work()
}

/** Pages of a step: with their parts and text some milliseconds. */
const PAGES_AT_ONCE = 100
const OF_A_PAGE = [
  'page_parts',
  'page_html',
  'page_importance',
  'page_checks',
  'undelivered',
] as const

/**
 * One step: some pages, or some of the rest. False when nothing is left.
 *
 * The pages of a removed crawl are deleted in many short steps, so that crawls that run meanwhile wait for
 * none of them long.
 */
async function sweepCrawl(
  sql: Sql,
  crawlId: number,
  rest: () => Promise<boolean>,
): Promise<boolean> {
  // This writes much, and perhaps alone: many short checkpoints let others in between.
  await sql.all(`PRAGMA wal_autocheckpoint = ${USUAL_PAGES}`)
  try {
    return (await sweepPages(sql, crawlId)) || (await rest())
  } finally {
    // It may have been closed meanwhile, and then there is nothing to set back.
    await sql.all(`PRAGMA wal_autocheckpoint = ${HARDLY_EVER_PAGES}`).catch(() => {})
  }
}

function sweepPages(sql: Sql, crawlId: number): Promise<boolean> {
  return sql.transaction(function* (queries) {
    const text = 'SELECT id FROM pages WHERE crawl_id = $1 ORDER BY id LIMIT $2'
    const rows = yield* queries.all(text, [crawlId, PAGES_AT_ONCE])
    const ids = rows.map((row) => numberOf(row, 'id'))
    const last = ids.at(-1)
    if (last === undefined) return false
    const { value, condition } = queries.dialect.isAmong('page_id', ids)
    const deletions = OF_A_PAGE.map((table) => `DELETE FROM ${table} WHERE ${condition('$1')}`)
    yield* queries.runAll(deletions, [value])
    yield* queries.run('DELETE FROM pages WHERE crawl_id = $1 AND id <= $2', [crawlId, last])
    return true
  })
}

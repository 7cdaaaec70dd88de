// Everything but pages that is written to a store in SQLite, and everything that is read from it. Each
// opens the file for itself and closes it.
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { forgetSecrets, keepSecrets, secretsOf } from '../../db/secrets-file.ts'
import {
  HARDLY_EVER_PAGES,
  HARDLY_MS,
  openSqlite,
  openSqliteReader,
  setCheckpoints,
  USUAL_PAGES,
} from '../../db/sqlite.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed } from '../change-feed.ts'
import type { ClusterStore } from '../cluster-store.ts'
import type { GraphReader } from '../graph-reader.ts'
import type { ImportanceReader, ImportanceStore } from '../importance-store.ts'
import type { JobJournal } from '../job-journal.ts'
import type { JobReader, JobStore } from '../job-store.ts'
import type { PageReader } from '../page-reader.ts'
import type { RecrawlReader, RecrawlStore } from '../recrawl-store.ts'
import { numberOf } from '../row-values.ts'
import type { SavedSearches } from '../saved-searches.ts'
import type { Sql, Work } from '../sql/sql.ts'
import { SqlChangeFeed } from '../sql/sql-change-feed.ts'
import { SqlClusterStore } from '../sql/sql-cluster-store.ts'
import { SqlGraphReader } from '../sql/sql-graph-reader.ts'
import { SqlImportanceStore } from '../sql/sql-importance-store.ts'
import { SqlJobJournal } from '../sql/sql-job-journal.ts'
import { type JobSecrets, SqlJobReader, SqlJobStore } from '../sql/sql-job-store.ts'
import { SqlPageReader } from '../sql/sql-page-reader.ts'
import { SqlRecrawlStore } from '../sql/sql-recrawl-store.ts'
import { SqlSavedSearches } from '../sql/sql-saved-searches.ts'
import { type OutboxLimits, SqlWebhookOutbox } from '../sql/sql-webhook-outbox.ts'
import type { WebhookOutbox } from '../webhook-outbox.ts'
import { createSqliteSql } from './sqlite-sql.ts'

/** So long a server may stand still because a parser writes. */
const OUTBOX_BUSY_MS = 20

export async function openSqliteJobStore(path: string, clock?: Clock): Promise<JobStore> {
  const db = openForJobs(path)
  const sql = createSqliteSql(db)
  return new SqlJobStore(sql, {
    secrets: secretsBeside(path),
    sweep: (crawlId, rest) => sweepCrawl({ db, sql }, crawlId, rest),
    ...(clock === undefined ? {} : { clock }),
  })
}

/** For reading only, touching nothing and without secrets; null when there is no store at that path. */
export async function openSqliteJobReader(path: string): Promise<JobReader | null> {
  const sql = readerAt(path)
  return sql === null ? null : new SqlJobReader(sql)
}

export async function openSqliteJobJournal(path: string, clock?: Clock): Promise<JobJournal> {
  return new SqlJobJournal(createSqliteSql(openForJobs(path)), clock)
}

/**
 * A delivery lost by a power cut is made again from the journal with the id it had: no fsync is worth
 * making a server wait.
 */
export async function openSqliteWebhookOutbox(
  path: string,
  limits?: OutboxLimits,
): Promise<WebhookOutbox> {
  const db = openSqlite(path, {
    schema: 'store',
    durability: 'normal',
    cacheBytes: 1024 * 1024,
    busyMs: OUTBOX_BUSY_MS,
    checkpointPages: HARDLY_EVER_PAGES,
  })
  return new SqlWebhookOutbox(createSqliteSql(db), limits)
}

export async function openSqliteSavedSearches(path: string): Promise<SavedSearches> {
  return new SqlSavedSearches(createSqliteSql(openForJobs(path)))
}

export async function openSqliteRecrawlStore(path: string, clock?: Clock): Promise<RecrawlStore> {
  return new SqlRecrawlStore(createSqliteSql(openForJobs(path)), clock)
}

/** Null when there is no store yet. */
export async function openSqliteRecrawlReader(path: string): Promise<RecrawlReader | null> {
  const sql = readerAt(path)
  return sql === null ? null : new SqlRecrawlStore(sql)
}

export async function openSqliteImportanceStore(path: string): Promise<ImportanceStore> {
  const db = openSqlite(path, { schema: 'store', durability: 'full' })
  return new SqlImportanceStore(createSqliteSql(db))
}

export async function openSqliteImportanceReader(path: string): Promise<ImportanceReader> {
  return new SqlImportanceStore(existingAt(path))
}

export async function openSqliteClusterStore(path: string): Promise<ClusterStore> {
  return new SqlClusterStore(
    createSqliteSql(openSqlite(path, { schema: 'store', durability: 'full' })),
  )
}

/** Null when there is no store yet. */
export async function openSqliteChangeFeed(path: string): Promise<ChangeFeed | null> {
  const sql = readerAt(path)
  return sql === null ? null : new SqlChangeFeed(sql)
}

export async function openSqliteGraphReader(path: string): Promise<GraphReader> {
  return new SqlGraphReader(existingAt(path))
}

export async function openSqlitePageReader(path: string): Promise<PageReader> {
  return new SqlPageReader(existingAt(path))
}

/**
 * For few and small writes in a process that must not stand still while parsers write, nor copy their
 * pages for them.
 */
function openForJobs(path: string): DatabaseSync {
  return openSqlite(path, {
    schema: 'store',
    durability: 'full',
    busyMs: HARDLY_MS,
    checkpointPages: HARDLY_EVER_PAGES,
  })
}

function readerAt(path: string): Sql | null {
  const db = openSqliteReader(path, 'store')
  return db === null ? null : createSqliteSql(db)
}

function existingAt(path: string): Sql {
  const sql = readerAt(path)
  if (sql !== null) return sql
  throw new CrawlerError('store-unreachable', `there is no crawl at ${path} yet`)
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

// The pages of a removed crawl are deleted in many short steps, so that crawls that run meanwhile wait
// for none of them long.

/** Pages of a step: with their parts and text some milliseconds. */
const PAGES_AT_ONCE = 100
const OF_A_PAGE = [
  'page_parts',
  'page_html',
  'page_importance',
  'page_checks',
  'undelivered',
] as const

/** One step: some pages, or some of the rest. False when nothing is left. */
async function sweepCrawl(
  { db, sql }: { readonly db: DatabaseSync; readonly sql: Sql },
  crawlId: number,
  rest: () => Promise<boolean>,
): Promise<boolean> {
  // This writes much, and perhaps alone: many short checkpoints let others in between.
  setCheckpoints(db, USUAL_PAGES)
  try {
    return (await sweepPages(sql, crawlId)) || (await rest())
  } finally {
    if (db.isOpen) setCheckpoints(db, HARDLY_EVER_PAGES)
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

// Stores over a file or a database, as a workspace opens them. A test may bring its own clock and limits.
import { CrawlerError } from '../../src/core/errors.ts'
import type { Postgres } from '../../src/db/postgres.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createPostgresSql } from '../../src/store/postgres/postgres-sql.ts'
import { postgresJobOptions } from '../../src/store/postgres/postgres-store.ts'
import type { Sql } from '../../src/store/sql/sql.ts'
import { SqlChangeFeed } from '../../src/store/sql/sql-change-feed.ts'
import { SqlClusterStore } from '../../src/store/sql/sql-cluster-store.ts'
import { SqlGraphReader } from '../../src/store/sql/sql-graph-reader.ts'
import { SqlImportanceStore } from '../../src/store/sql/sql-importance-store.ts'
import { SqlJobJournal } from '../../src/store/sql/sql-job-journal.ts'
import { SqlJobReader, SqlJobStore } from '../../src/store/sql/sql-job-store.ts'
import { SqlPageReader } from '../../src/store/sql/sql-page-reader.ts'
import { SqlRecrawlStore } from '../../src/store/sql/sql-recrawl-store.ts'
import { SqlSavedSearches } from '../../src/store/sql/sql-saved-searches.ts'
import { type OutboxLimits, SqlWebhookOutbox } from '../../src/store/sql/sql-webhook-outbox.ts'
import {
  DELIVERIES,
  FEW_ROWS,
  MANY_ROWS,
  openSqliteStore,
  openSqliteStoreReader,
  sqliteJobOptions,
} from '../../src/store/sqlite/sqlite-store.ts'

export async function openSqliteJobStore(path: string, clock?: Clock): Promise<SqlJobStore> {
  const sql = openSqliteStore(path, FEW_ROWS)
  return new SqlJobStore(sql, { ...sqliteJobOptions(path, sql), ...(clock ? { clock } : {}) })
}

export async function openSqliteJobReader(path: string): Promise<SqlJobReader | null> {
  const sql = openSqliteStoreReader(path)
  return sql === null ? null : new SqlJobReader(sql)
}

export async function openSqliteJobJournal(path: string, clock?: Clock): Promise<SqlJobJournal> {
  return new SqlJobJournal(openSqliteStore(path, FEW_ROWS), clock)
}

export async function openSqliteWebhookOutbox(path: string, limits?: OutboxLimits) {
  return new SqlWebhookOutbox(openSqliteStore(path, DELIVERIES), limits)
}

export async function openSqliteSavedSearches(path: string): Promise<SqlSavedSearches> {
  return new SqlSavedSearches(openSqliteStore(path, FEW_ROWS))
}

export async function openSqliteRecrawlStore(path: string, clock?: Clock) {
  return new SqlRecrawlStore(openSqliteStore(path, FEW_ROWS), clock)
}

export async function openSqliteImportanceStore(path: string): Promise<SqlImportanceStore> {
  return new SqlImportanceStore(openSqliteStore(path, MANY_ROWS))
}

export async function openSqliteImportanceReader(path: string): Promise<SqlImportanceStore> {
  return new SqlImportanceStore(existingAt(path))
}

export async function openSqliteClusterStore(path: string): Promise<SqlClusterStore> {
  return new SqlClusterStore(openSqliteStore(path, MANY_ROWS))
}

export async function openSqliteChangeFeed(path: string): Promise<SqlChangeFeed | null> {
  const sql = openSqliteStoreReader(path)
  return sql === null ? null : new SqlChangeFeed(sql)
}

export async function openSqliteGraphReader(path: string): Promise<SqlGraphReader> {
  return new SqlGraphReader(existingAt(path))
}

export async function openSqlitePageReader(path: string): Promise<SqlPageReader> {
  return new SqlPageReader(existingAt(path))
}

function existingAt(path: string): Sql {
  const sql = openSqliteStoreReader(path)
  if (sql !== null) return sql
  throw new CrawlerError('store-unreachable', `there is no crawl in ${path} yet`)
}

export function createPostgresJobStore(db: Postgres, clock?: Clock): SqlJobStore {
  const options = { ...postgresJobOptions(db), ...(clock ? { clock } : {}) }
  return new SqlJobStore(createPostgresSql(db), options)
}

/** For users that may not read secrets: proxies are without passwords. */
export function createPostgresJobReader(db: Postgres): SqlJobReader {
  return new SqlJobReader(createPostgresSql(db))
}

export function createPostgresJobJournal(db: Postgres, clock?: Clock): SqlJobJournal {
  return new SqlJobJournal(createPostgresSql(db), clock)
}

export function createPostgresWebhookOutbox(db: Postgres, limits?: OutboxLimits): SqlWebhookOutbox {
  return new SqlWebhookOutbox(createPostgresSql(db), limits)
}

export function createPostgresSavedSearches(db: Postgres): SqlSavedSearches {
  return new SqlSavedSearches(createPostgresSql(db))
}

export function createPostgresRecrawlStore(db: Postgres, clock?: Clock): SqlRecrawlStore {
  return new SqlRecrawlStore(createPostgresSql(db), clock)
}

export function createPostgresImportanceStore(db: Postgres): SqlImportanceStore {
  return new SqlImportanceStore(createPostgresSql(db))
}

export function createPostgresClusterStore(db: Postgres): SqlClusterStore {
  return new SqlClusterStore(createPostgresSql(db))
}

export function createPostgresChangeFeed(db: Postgres): SqlChangeFeed {
  return new SqlChangeFeed(createPostgresSql(db))
}

export function createPostgresGraphReader(db: Postgres): SqlGraphReader {
  return new SqlGraphReader(createPostgresSql(db))
}

export function createPostgresPageReader(db: Postgres): SqlPageReader {
  return new SqlPageReader(createPostgresSql(db))
}

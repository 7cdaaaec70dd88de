// Everything but pages that is written to a store in PostgreSQL, and everything that is read from it. The
// caller closes the connections.
import type { Postgres } from '../../db/postgres.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed } from '../change-feed.ts'
import type { ClusterStore } from '../cluster-store.ts'
import type { GraphReader } from '../graph-reader.ts'
import type { ImportanceReader, ImportanceStore } from '../importance-store.ts'
import type { JobJournal } from '../job-journal.ts'
import type { JobReader, JobStore } from '../job-store.ts'
import type { PageReader } from '../page-reader.ts'
import type { RecrawlStore } from '../recrawl-store.ts'
import { textOf } from '../row-values.ts'
import type { SavedSearches } from '../saved-searches.ts'
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
import { createPostgresSql } from './postgres-sql.ts'

export function createPostgresJobStore(db: Postgres, clock?: Clock): JobStore {
  return new SqlJobStore(createPostgresSql(db), {
    secrets: SECRETS,
    sweep: (crawlId, rest) => sweepCrawl(db, crawlId, rest),
    ...(clock === undefined ? {} : { clock }),
  })
}

/** For users that may not read secrets: proxies are without passwords. */
export function createPostgresJobReader(db: Postgres): JobReader {
  return new SqlJobReader(createPostgresSql(db))
}

export function createPostgresJobJournal(db: Postgres, clock?: Clock): JobJournal {
  return new SqlJobJournal(createPostgresSql(db), clock)
}

export function createPostgresWebhookOutbox(db: Postgres, limits?: OutboxLimits): WebhookOutbox {
  return new SqlWebhookOutbox(createPostgresSql(db), limits)
}

export function createPostgresSavedSearches(db: Postgres): SavedSearches {
  return new SqlSavedSearches(createPostgresSql(db))
}

export function createPostgresRecrawlStore(db: Postgres, clock?: Clock): RecrawlStore {
  return new SqlRecrawlStore(createPostgresSql(db), clock)
}

export function createPostgresImportanceStore(db: Postgres): ImportanceStore {
  return new SqlImportanceStore(createPostgresSql(db))
}

export function createPostgresClusterStore(db: Postgres): ClusterStore {
  return new SqlClusterStore(createPostgresSql(db))
}

export function createPostgresImportanceReader(db: Postgres): ImportanceReader {
  return new SqlImportanceStore(createPostgresSql(db))
}

export function createPostgresChangeFeed(db: Postgres): ChangeFeed {
  return new SqlChangeFeed(createPostgresSql(db))
}

export function createPostgresGraphReader(db: Postgres): GraphReader {
  return new SqlGraphReader(createPostgresSql(db))
}

export function createPostgresPageReader(db: Postgres): PageReader {
  return new SqlPageReader(createPostgresSql(db))
}

/**
 * For the process that begins a run of a crawl when no other writes its pages: receipts of earlier writers are
 * delivered by the next, which need not wait until those are taken to be dead.
 */
export async function takeOverReceipts(db: Postgres, crawlId: number): Promise<void> {
  await createPostgresSql(db).run(
    `UPDATE writers SET seen_at = 0
     WHERE id IN (SELECT holder FROM undelivered WHERE crawl_id = $1)`,
    [crawlId],
  )
}

/** In a table of their own, which readers may be kept from. */
const SECRETS: JobSecrets = {
  *keep(sql, { id }, { proxies, webhook }) {
    if (proxies === null && webhook === null) return
    const text = 'INSERT INTO crawl_secrets (crawl_id, proxies, webhook) VALUES ($1, $2, $3)'
    yield* sql.run(text, [id, proxies, webhook])
  },
  *read(sql, { id }) {
    const text = 'SELECT proxies, webhook FROM crawl_secrets WHERE crawl_id = $1'
    const row = (yield* sql.get(text, [id])) ?? {}
    return { proxies: textOf(row, 'proxies') || null, webhook: textOf(row, 'webhook') || null }
  },
  *forget(sql, { id }) {
    yield* sql.run('DELETE FROM crawl_secrets WHERE crawl_id = $1', [id])
  },
}

// The pages of a removed crawl: its partitions are dropped one by one, each first detached in the way that
// lets everybody else go on.

type Partition = {
  readonly parent: string
  readonly name: string
  /** `pending`: somebody was interrupted while detaching it. */
  readonly is: 'attached' | 'pending' | 'alone'
}

/** One step: a partition, or some of the rest. False when nothing is left. Only one process sweeps. */
async function sweepCrawl(
  db: Postgres,
  crawlId: number,
  rest: () => Promise<boolean>,
): Promise<boolean> {
  const partition = await onePartition(db, crawlId)
  if (partition === null) return rest()
  await drop(db, partition)
  return true
}

async function onePartition(db: Postgres, crawlId: number): Promise<Partition | null> {
  const [row] = await db.run(
    (sql) => sql`
      SELECT parent.relname AS parent, part.relname AS name,
        CASE WHEN inhdetachpending IS NULL THEN 'alone' WHEN inhdetachpending THEN 'pending'
          ELSE 'attached' END AS is
      FROM pg_partitioned_table
      JOIN pg_class parent ON parent.oid = partrelid
      JOIN pg_class part ON part.relnamespace = parent.relnamespace AND part.relkind = 'r'
        AND part.relname = parent.relname || '_' || ${String(crawlId)}
      LEFT JOIN pg_inherits ON inhrelid = part.oid AND inhparent = parent.oid
      WHERE parent.relnamespace = current_schema()::regnamespace
      ORDER BY parent.relname LIMIT 1`,
  )
  if (row === undefined) return null
  const is = row.is === 'attached' || row.is === 'pending' ? row.is : 'alone'
  return { parent: textOf(row, 'parent'), name: textOf(row, 'name'), is }
}

/** Not in a transaction: this way of detaching asks for that, and waits for readers without a lock. */
async function drop(db: Postgres, { parent, name, is }: Partition): Promise<void> {
  const detach = `ALTER TABLE ${parent} DETACH PARTITION ${name}`
  const how = is === 'pending' ? 'FINALIZE' : 'CONCURRENTLY'
  if (is !== 'alone') await db.run((sql) => sql.unsafe(`${detach} ${how}`).simple())
  await db.run((sql) => sql.unsafe(`DROP TABLE IF EXISTS ${name}`).simple())
}

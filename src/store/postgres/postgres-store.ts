// Everything but pages that is written to a store in PostgreSQL, and everything that is read from it. The
// caller closes the connections.
import type { Postgres } from '../../db/postgres.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChangeFeed } from '../change-feed.ts'
import type { GraphReader } from '../graph-reader.ts'
import type { ImportanceReader, ImportanceStore } from '../importance-store.ts'
import type { JobJournal } from '../job-journal.ts'
import type { JobReader, JobStore } from '../job-store.ts'
import type { PageReader } from '../page-reader.ts'
import type { RecrawlStore } from '../recrawl-store.ts'
import { textOf } from '../row-values.ts'
import { SqlChangeFeed } from '../sql/sql-change-feed.ts'
import { SqlGraphReader } from '../sql/sql-graph-reader.ts'
import { SqlImportanceStore } from '../sql/sql-importance-store.ts'
import { SqlJobJournal } from '../sql/sql-job-journal.ts'
import { type JobSecrets, SqlJobReader, SqlJobStore } from '../sql/sql-job-store.ts'
import { SqlPageReader } from '../sql/sql-page-reader.ts'
import { SqlRecrawlStore } from '../sql/sql-recrawl-store.ts'
import { type OutboxLimits, SqlWebhookOutbox } from '../sql/sql-webhook-outbox.ts'
import type { WebhookOutbox } from '../webhook-outbox.ts'
import { createPostgresSql } from './postgres-sql.ts'
import { sweepCrawl } from './sweep-crawl.ts'

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

export function createPostgresRecrawlStore(db: Postgres, clock?: Clock): RecrawlStore {
  return new SqlRecrawlStore(createPostgresSql(db), clock)
}

export function createPostgresImportanceStore(db: Postgres): ImportanceStore {
  return new SqlImportanceStore(createPostgresSql(db))
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

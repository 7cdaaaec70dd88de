// How the pages of a removed crawl go, and receipts of dead writers.
import type { Postgres } from '../../db/postgres.ts'
import { textOf } from '../row-values.ts'
import type { JobStoreOptions } from '../sql/sql-job-store.ts'
import { createPostgresSql } from './postgres-sql.ts'

export function postgresJobOptions(db: Postgres): JobStoreOptions {
  return { sweep: (crawlId, rest) => sweepCrawl(db, crawlId, rest) }
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

type Partition = {
  readonly parent: string
  readonly name: string
  /** `pending`: somebody was interrupted while detaching it. */
  readonly is: 'attached' | 'pending' | 'alone'
}

/**
 * One step: a partition, or some of the rest. False when nothing is left. Only one process sweeps.
 *
 * The pages of a removed crawl: its partitions are dropped one by one, each first detached in the way that
 * lets everybody else go on.
 */
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

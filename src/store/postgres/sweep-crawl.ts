// What a removed crawl left behind. Its partitions are dropped one by one, each first detached in the way
// that lets everybody else go on; the rest goes in short steps.
import type { Postgres } from '../../db/postgres.ts'
import { numberOf, textOf } from '../row-values.ts'

/** Changes that are looked at in a step: a few milliseconds, also when all of them go. */
const CHANGES_AT_ONCE = 5000

type Partition = {
  readonly parent: string
  readonly name: string
  /** `pending`: somebody was interrupted while detaching it. */
  readonly is: 'attached' | 'pending' | 'alone'
}

/** One step. False when nothing is left. Only one process sweeps at a time. */
export async function sweepCrawl(db: Postgres, crawlId: number): Promise<boolean> {
  const partition = await onePartition(db, crawlId)
  if (partition !== null) {
    await drop(db, partition)
    return true
  }
  if (await sweepChanges(db, crawlId)) return true
  await sweepRest(db, crawlId)
  return false
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

/** One stretch of the log, which has no index by crawl: every page would pay for it. */
function sweepChanges(db: Postgres, crawlId: number): Promise<boolean> {
  return db.inTransaction(async (sql) => {
    const [row = {}] = await sql`
      SELECT swept_to, (SELECT max(cursor) FROM page_changes) AS last
      FROM removed_crawls WHERE crawl_id = ${crawlId}`
    const from = numberOf(row, 'swept_to')
    const to = from + CHANGES_AT_ONCE
    await sql`
      DELETE FROM page_changes
      WHERE cursor > ${from} AND cursor <= ${to} AND crawl_id = ${crawlId}
        AND change <> 'crawl-removed'`
    await sql`UPDATE removed_crawls SET swept_to = ${to} WHERE crawl_id = ${crawlId}`
    return to < numberOf(row, 'last')
  })
}

function sweepRest(db: Postgres, crawlId: number): Promise<void> {
  return db.inTransaction(async (sql) => {
    // That it was removed must be there for those who hear of it late.
    await sql`DELETE FROM crawl_events WHERE crawl_id = ${crawlId} AND type <> 'removed'`
    await sql`DELETE FROM host_totals WHERE crawl_id = ${crawlId}`
    await sql`DELETE FROM crawl_history WHERE crawl_id = ${crawlId}`
    await sql`DELETE FROM crawl_rounds WHERE crawl_id = ${crawlId}`
    await sql`DELETE FROM undelivered WHERE crawl_id = ${crawlId}`
    await sql`DELETE FROM page_batches WHERE crawl_id = ${crawlId}`
    await sql`DELETE FROM crawl_counts WHERE crawl_id = ${crawlId}`
    await sql`DELETE FROM removed_crawls WHERE crawl_id = ${crawlId}`
  })
}

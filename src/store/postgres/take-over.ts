// For who begins a run of a crawl and knows that nobody else writes its pages: whoever did is dead.
import type { Postgres } from '../../db/postgres.ts'

/** Receipts of earlier writers are delivered by the next, who need not wait for a sign of them. */
export async function takeOverReceipts(db: Postgres, crawlId: number): Promise<void> {
  await db.run(
    (sql) => sql`
      UPDATE writers SET seen_at = 0
      WHERE id IN (SELECT holder FROM undelivered WHERE crawl_id = ${crawlId})`,
  )
}

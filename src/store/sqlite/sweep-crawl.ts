// What a removed crawl left behind goes in many short steps, so that crawls that run meanwhile wait
// for none of them long.
import type { DatabaseSync } from 'node:sqlite'
import { numberOf } from '../row-values.ts'

/** Pages of a step: with their parts and text some milliseconds. */
const PAGES_AT_ONCE = 100
/** Changes that are looked at in a step: a few milliseconds, also when all of them go. */
const CHANGES_AT_ONCE = 5000
const OF_A_PAGE = [
  'page_parts',
  'page_html',
  'page_importance',
  'page_checks',
  'undelivered',
] as const

/** One step, inside a transaction. False when nothing is left. */
export function sweepCrawl(db: DatabaseSync, crawlId: number): boolean {
  const ids = db
    .prepare('SELECT id FROM pages WHERE crawl_id = ? ORDER BY id LIMIT ?')
    .all(crawlId, PAGES_AT_ONCE)
    .map((row) => numberOf(row, 'id'))
  const last = ids.at(-1)
  if (last === undefined) {
    if (sweepChanges(db, crawlId)) return true
    sweepRest(db, crawlId)
    return false
  }
  for (const table of OF_A_PAGE) {
    const forget = db.prepare(`DELETE FROM ${table} WHERE page_id = ?`)
    for (const id of ids) forget.run(id)
  }
  db.prepare('DELETE FROM pages WHERE crawl_id = ? AND id <= ?').run(crawlId, last)
  return true
}

/** One stretch of the log, which has no index by crawl: every page would pay for it. */
function sweepChanges(db: DatabaseSync, crawlId: number): boolean {
  const row = db.prepare(
    `SELECT swept_to, (SELECT max(cursor) FROM page_changes) AS last
    FROM removed_crawls WHERE crawl_id = ?`,
  )
  const { swept_to: from = 0, last = 0 } = row.get(crawlId) ?? {}
  const to = Number(from) + CHANGES_AT_ONCE
  db.prepare(
    `DELETE FROM page_changes
    WHERE cursor > ? AND cursor <= ? AND crawl_id = ? AND change <> 'crawl-removed'`,
  ).run(from, to, crawlId)
  db.prepare('UPDATE removed_crawls SET swept_to = ? WHERE crawl_id = ?').run(to, crawlId)
  return to < Number(last)
}

function sweepRest(db: DatabaseSync, crawlId: number): void {
  // That it was removed must be there for those who hear of it late.
  db.prepare("DELETE FROM crawl_events WHERE crawl_id = ? AND type <> 'removed'").run(crawlId)
  db.prepare('DELETE FROM host_totals WHERE crawl_id = ?').run(crawlId)
  db.prepare('DELETE FROM crawl_history WHERE crawl_id = ?').run(crawlId)
  db.prepare('DELETE FROM crawl_rounds WHERE crawl_id = ?').run(crawlId)
  // Of pages that were gone before.
  db.prepare('DELETE FROM undelivered WHERE crawl_id = ?').run(crawlId)
  db.prepare('DELETE FROM removed_crawls WHERE crawl_id = ?').run(crawlId)
}

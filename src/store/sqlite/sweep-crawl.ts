// What a removed crawl left behind goes in many short steps, so that crawls that run meanwhile wait
// for none of them long.
import type { DatabaseSync } from 'node:sqlite'
import { numberOf } from './page-row.ts'

/** Pages of a step: with their parts and text some milliseconds. */
const PAGES_AT_ONCE = 100
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

function sweepRest(db: DatabaseSync, crawlId: number): void {
  // That it was removed must be there for those who hear of it late.
  db.prepare("DELETE FROM crawl_events WHERE crawl_id = ? AND type <> 'removed'").run(crawlId)
  const changes = "DELETE FROM page_changes WHERE crawl_id = ? AND change <> 'crawl-removed'"
  db.prepare(changes).run(crawlId)
  db.prepare('DELETE FROM host_totals WHERE crawl_id = ?').run(crawlId)
  db.prepare('DELETE FROM crawl_history WHERE crawl_id = ?').run(crawlId)
  db.prepare('DELETE FROM removed_crawls WHERE crawl_id = ?').run(crawlId)
}

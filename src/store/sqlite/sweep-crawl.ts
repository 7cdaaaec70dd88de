// The pages of a removed crawl are deleted in many short steps, so that crawls that run meanwhile wait
// for none of them long.
import type { DatabaseSync } from 'node:sqlite'
import { HARDLY_EVER_PAGES, setCheckpoints, USUAL_PAGES } from '../../db/sqlite.ts'
import { numberOf } from '../row-values.ts'
import type { Sql } from '../sql/sql.ts'

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
export async function sweepCrawl(
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
    const { isAmong, numbers } = queries.dialect
    const deletions = OF_A_PAGE.map(
      (table) => `DELETE FROM ${table} WHERE ${isAmong('page_id', '$1')}`,
    )
    yield* queries.runAll(deletions, [numbers(ids)])
    yield* queries.run('DELETE FROM pages WHERE crawl_id = $1 AND id <= $2', [crawlId, last])
    return true
  })
}

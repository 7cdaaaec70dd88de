// What a removed crawl leaves beside its pages: deleted in short steps, so that no crawl waits for long.
import { numberOf } from '../row-values.ts'
import type { Sql } from './sql.ts'

/** Changes that are looked at in a step: a few milliseconds, also when all of them go. */
const CHANGES_AT_ONCE = 5000
const TABLES = [
  'host_totals',
  'crawl_history',
  'crawl_rounds',
  'undelivered',
  'removed_crawls',
] as const

/** One step. False when nothing is left. */
export function sweepRows(sql: Sql, crawlId: number): Promise<boolean> {
  return sql.transaction(function* (queries) {
    const row = (yield* queries.get(SWEPT, [crawlId])) ?? {}
    const from = numberOf(row, 'swept_to')
    const to = from + CHANGES_AT_ONCE
    yield* queries.run(DELETE_CHANGES, [crawlId, from, to])
    yield* queries.run('UPDATE removed_crawls SET swept_to = $2 WHERE crawl_id = $1', [crawlId, to])
    if (to < numberOf(row, 'last')) return true
    const deletions = TABLES.map((table) => `DELETE FROM ${table} WHERE crawl_id = $1`)
    const { forgetCrawl } = queries.dialect.statements
    yield* queries.runAll([DELETE_EVENTS, ...deletions, ...forgetCrawl], [crawlId])
    return false
  })
}

const SWEPT = `
  SELECT swept_to, (SELECT max(cursor) FROM page_changes) AS last
  FROM removed_crawls WHERE crawl_id = $1`
/** A stretch of the log, which has no index by crawl: every page would pay for it. */
const DELETE_CHANGES = `
  DELETE FROM page_changes
  WHERE cursor > $2 AND cursor <= $3 AND crawl_id = $1 AND change <> 'crawl-removed'`
/** The removal itself stays, for readers that hear of it late. */
const DELETE_EVENTS = `DELETE FROM crawl_events WHERE crawl_id = $1 AND type <> 'removed'`

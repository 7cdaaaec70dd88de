// Who knows the tables of a crawl in SQLite knows them in PostgreSQL.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestStore } from '../../../test/support/postgres-store.ts'
import { PARTS } from '../../core/page.ts'
import { type OpenOptions, openSqlite } from '../../db/sqlite.ts'

type Columns = Readonly<Record<string, readonly string[]>>

const PUBLIC_OF_FRONTIER = ['urls', 'hosts'] as const
/** A sequence and `page_log` stand in its place, for many writers. */
const REPLACED = 'page_ids'
/** Of crawls that keep only their best pages, which needs a folder. */
const OF_FOLDERS = ['best_pages', 'linked_urls', 'dropped_pages']

async function columnsInPostgres(): Promise<Columns> {
  await using store = openTestStore()
  const { sql } = await store.store()
  const rows = await sql<{ table: string; column: string }[]>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`
  return grouped(rows)
}

function columnsInSqlite(schema: OpenOptions['schema']): Columns {
  using db = openSqlite(':memory:', { schema, durability: 'full' })
  const rows = db.prepare(`
    SELECT kept.name AS "table", columns.name AS "column"
    FROM sqlite_schema kept, pragma_table_xinfo(kept.name) columns
    WHERE kept.type IN ('table', 'view') AND kept.name NOT LIKE 'sqlite_%' ORDER BY 1, columns.cid`)
  return grouped(rows.all())
}

function grouped(rows: readonly Readonly<Record<string, unknown>>[]): Columns {
  const groups = Object.groupBy(rows, ({ table }) => String(table))
  return Object.fromEntries(
    Object.entries(groups).map(([table, some]) => [
      table,
      some!.map(({ column }) => String(column)),
    ]),
  )
}

test('every table and view of a store has in PostgreSQL all columns it has in SQLite', async () => {
  const inPostgres = await columnsInPostgres()
  const { [REPLACED]: _, ...inSqlite } = columnsInSqlite('store')
  for (const [table, columns] of Object.entries(inSqlite)) {
    if (OF_FOLDERS.includes(table)) continue
    const missing = columns.filter((column) => !inPostgres[table]?.includes(column))
    assert.deepEqual(missing, [], table)
  }
})

test('views have the same columns in the same order', async () => {
  const inPostgres = await columnsInPostgres()
  const inSqlite = columnsInSqlite('store')
  for (const part of PARTS) {
    assert.deepEqual(inPostgres[`page_${part}`], inSqlite[`page_${part}`])
  }
})

test('what a frontier tells has the same names, and says which crawl it is of', async () => {
  const inPostgres = await columnsInPostgres()
  const inSqlite = columnsInSqlite('frontier')
  for (const view of PUBLIC_OF_FRONTIER) {
    const columns = inSqlite[view] ?? []
    const withCrawl = columns.includes('crawl_id') ? columns : ['crawl_id', ...columns]
    assert.deepEqual(inPostgres[view], withCrawl)
  }
})

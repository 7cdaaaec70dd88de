// Checks that a file has the tables and columns that the migrations create. Until the first release a migration
// may be edited in place; a file created before that has the same version and other columns.
import { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../core/errors.ts'

const COLUMNS = `
  SELECT kept.name || '.' || columns.name AS name
  FROM sqlite_schema kept, pragma_table_xinfo(kept.name) columns
  WHERE kept.type IN ('table', 'view')`

export type MadeSchema = {
  readonly columns: readonly string[]
  /** SQL that makes its tables and indexes in one step. */
  readonly tables: string
}

/** As `migrations`, the SQL of all of them, make it. */
export function madeBy(migrations: string): MadeSchema {
  const db = new DatabaseSync(':memory:')
  try {
    db.exec(migrations)
    const made = db.prepare(TABLES).all()
    return { columns: columnsIn(db), tables: made.map(({ sql }) => `${sql};`).join('\n') }
  } finally {
    db.close()
  }
}

/** Those that SQLite makes by itself have no SQL, or a name of its own. */
const TABLES = `
  SELECT sql FROM sqlite_schema
  WHERE type IN ('table', 'index') AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
  ORDER BY rowid`

/** Throws CrawlerError when one of `columns` is missing. */
export function refuseOlder(db: DatabaseSync, path: string, columns: readonly string[]): void {
  const found = new Set(columnsIn(db))
  const missing = columns.find((column) => !found.has(column))
  if (missing === undefined) return
  throw new CrawlerError(
    'store-older',
    `${path} was made by an earlier development version of Jelajah (it has no ${missing}). ` +
      'Use another --data folder, or move this one away and start again.',
  )
}

/** Those of all tables and views. */
export function columnsIn(db: DatabaseSync): string[] {
  return db
    .prepare(COLUMNS)
    .all()
    .map(({ name }) => String(name))
}

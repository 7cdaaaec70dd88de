// Checks that a file has the tables and columns that the migrations create. Until the first release a migration
// may be edited in place; a file created before that has the same version and other columns.
import { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../core/errors.ts'

const COLUMNS = `
  SELECT kept.name || '.' || columns.name AS name
  FROM sqlite_schema kept, pragma_table_xinfo(kept.name) columns
  WHERE kept.type IN ('table', 'view')`

/** As `migrations`, the SQL of all of them, make them. */
export function columnsBy(migrations: string): readonly string[] {
  const db = new DatabaseSync(':memory:')
  try {
    db.exec(migrations)
    return columnsIn(db)
  } finally {
    db.close()
  }
}

/** Throws CrawlerError when one of `columns` is missing. */
export function refuseOlder(db: DatabaseSync, path: string, columns: readonly string[]): void {
  const found = new Set(columnsIn(db))
  const missing = columns.find((column) => !found.has(column))
  if (missing === undefined) return
  throw new CrawlerError(
    'store-older',
    `${path} was made by an earlier development version of Jelajah (it has no ${missing}). ` +
      'Use another --data folder, or move this one away and start anew.',
  )
}

function columnsIn(db: DatabaseSync): string[] {
  return db
    .prepare(COLUMNS)
    .all()
    .map(({ name }) => String(name))
}

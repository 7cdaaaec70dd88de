// Whether the structure of a file is sound, by SQLite's own quick look at all of it.
import { statSync } from 'node:fs'
import { openSqliteReader } from './sqlite.ts'
import { damaged } from './sqlite-errors.ts'

/** Looked at in about a tenth of a second. */
const IN_A_MOMENT_BYTES = 64 * 1024 * 1024

/** Throws `store-damaged`. A file that is not there, or larger than `atMost` bytes, passes. */
export function refuseDamaged(
  path: string,
  schema: 'store' | 'frontier',
  { atMost = IN_A_MOMENT_BYTES }: { readonly atMost?: number | null } = {},
): void {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (atMost !== null && bytes > atMost) return
  const db = openSqliteReader(path, schema)
  if (db === null) return
  try {
    const [said] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})
    if (said !== 'ok') throw damaged(path, String(said).replaceAll(/\s+/g, ' '))
  } finally {
    db.close()
  }
}

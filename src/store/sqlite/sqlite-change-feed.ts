// What became of pages, read from `page_changes`.
import type { DatabaseSync } from 'node:sqlite'
import { openSqliteReader } from '../../db/sqlite.ts'
import type { ChangeFeed, Changes } from '../change-feed.ts'
import { changeFromRow } from '../reader-rows.ts'
import { numberOf, textOf } from '../row-values.ts'

/** Null when there is no store yet. */
export async function openSqliteChangeFeed(path: string): Promise<ChangeFeed | null> {
  const db = openSqliteReader(path, 'store')
  return db === null ? null : new SqliteChangeFeed(db)
}

class SqliteChangeFeed implements ChangeFeed {
  readonly #db: DatabaseSync
  readonly #sql: ReturnType<typeof prepare>
  #version = -1

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#sql = prepare(db)
  }

  async mark(): Promise<string> {
    return textOf(this.#sql.mark.get() ?? {}, 'mark')
  }

  async after(cursor: number, limit: number): Promise<Changes> {
    const rows = this.#sql.after.all(cursor, limit)
    const changes = rows.flatMap((row) => changeFromRow(row) ?? [])
    const last = rows.at(-1)
    return { changes, cursor: last === undefined ? cursor : numberOf(last, 'cursor') }
  }

  async last(): Promise<number> {
    return numberOf(this.#sql.last.get() ?? {}, 'cursor')
  }

  async mayHaveChanged(): Promise<boolean> {
    const version = numberOf(this.#sql.version.get() ?? {}, 'data_version')
    const other = version !== this.#version
    this.#version = version
    return other
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }
}

function prepare(db: DatabaseSync) {
  return {
    mark: db.prepare('SELECT mark FROM page_ids'),
    after: db.prepare(`
      SELECT c.cursor, c.change, c.crawl_id, c.page_id, c.at, coalesce(c.url, p.url) AS url, c.reason,
        p.duplicate_of, p.noindex
      FROM page_changes c LEFT JOIN pages p ON p.id = c.page_id
      WHERE c.cursor > ? ORDER BY c.cursor LIMIT ?`),
    last: db.prepare('SELECT max(cursor) AS cursor FROM page_changes'),
    version: db.prepare('PRAGMA data_version'),
  }
}

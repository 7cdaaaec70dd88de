// Saved searches: the table `saved_searches`.
import { numberOf, numberOrNull, type Row, textOf } from '../row-values.ts'
import { MAX_SAVED, type SavedSearch, type SavedSearches } from '../saved-searches.ts'
import type { Sql } from './sql.ts'

const SAVE = `
  INSERT INTO saved_searches (name, request, saved_at, seen) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name) DO UPDATE SET request = excluded.request, saved_at = excluded.saved_at,
    seen = excluded.seen, seen_at = NULL`
const SEE = `
  UPDATE saved_searches SET seen_at = $3, seen = CASE WHEN seen < $2 THEN $2 ELSE seen END
  WHERE name = $1`

export class SqlSavedSearches implements SavedSearches {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async list(): Promise<readonly SavedSearch[]> {
    const text = 'SELECT * FROM saved_searches ORDER BY name LIMIT $1'
    return (await this.#sql.all(text, [MAX_SAVED])).map(savedFromRow)
  }

  async find(name: string): Promise<SavedSearch | null> {
    const row = await this.#sql.get('SELECT * FROM saved_searches WHERE name = $1', [name])
    return row === undefined ? null : savedFromRow(row)
  }

  async save({ name, request, savedAt, seen }: Omit<SavedSearch, 'seenAt'>): Promise<boolean> {
    return this.#sql.transaction(function* (sql) {
      const text = 'SELECT count(*) AS others FROM saved_searches WHERE name <> $1'
      const others = numberOf((yield* sql.get(text, [name])) ?? {}, 'others')
      if (others >= MAX_SAVED) return false
      yield* sql.run(SAVE, [name, request, savedAt, seen])
      return true
    })
  }

  async see(name: string, seen: number, at: number): Promise<boolean> {
    return (await this.#sql.run(SEE, [name, seen, at])) > 0
  }

  async remove(name: string): Promise<boolean> {
    return (await this.#sql.run('DELETE FROM saved_searches WHERE name = $1', [name])) > 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql[Symbol.asyncDispose]()
  }
}

function savedFromRow(row: Row): SavedSearch {
  return {
    name: textOf(row, 'name'),
    request: textOf(row, 'request'),
    savedAt: numberOf(row, 'saved_at'),
    seen: numberOf(row, 'seen'),
    seenAt: numberOrNull(row, 'seen_at'),
  }
}

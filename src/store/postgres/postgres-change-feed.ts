// What became of pages, read from `page_changes`. Cursors become visible in their order, since who gives
// them holds the row of `page_log` until its commit: reading on after the last one seen misses none.
//
// Whether something came is asked, not told by the server: NOTIFY would have all commits wait for each
// other, and who was away for a moment would have to ask anyway.
import type { Postgres } from '../../db/postgres.ts'
import { numberArray } from '../../db/postgres-array.ts'
import type { ChangeFeed, Changes } from '../change-feed.ts'
import { changeFromRow } from '../reader-rows.ts'
import { numberOf, type Row, textOf } from '../row-values.ts'
import { ask, askOne } from './ask.ts'

/** The store stays its opener's. */
export function createPostgresChangeFeed(db: Postgres): ChangeFeed {
  return new PostgresChangeFeed(db)
}

class PostgresChangeFeed implements ChangeFeed {
  readonly #db: Postgres
  #pulse: string | null = null

  constructor(db: Postgres) {
    this.#db = db
  }

  async mark(): Promise<string> {
    return textOf(await askOne(this.#db, 'SELECT mark FROM page_log'), 'mark')
  }

  async after(cursor: number, limit: number): Promise<Changes> {
    const rows = await ask(this.#db, AFTER, [cursor, limit])
    const pages = await this.#pagesOf(rows)
    const changes = rows.flatMap((row) => {
      return changeFromRow({ ...row, ...pages.get(numberOf(row, 'page_id')) }) ?? []
    })
    const last = rows.at(-1)
    return { changes, cursor: last === undefined ? cursor : numberOf(last, 'cursor') }
  }

  async last(): Promise<number> {
    return numberOf(await askOne(this.#db, 'SELECT last_cursor FROM page_log'), 'last_cursor')
  }

  async mayHaveChanged(): Promise<boolean> {
    const { pulse } = await askOne(this.#db, PULSE)
    const other = pulse !== this.#pulse
    this.#pulse = String(pulse)
    return other
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** What pages are like now; those that are gone are not there. */
  async #pagesOf(changes: readonly Row[]): Promise<ReadonlyMap<number, Row>> {
    const asked = changes.filter(({ page_id, url }) => Number(page_id) > 0 && url === null)
    if (asked.length === 0) return new Map()
    const [crawls, ids] = ['crawl_id', 'page_id'].map((column) => {
      return numberArray([...new Set(asked.map((row) => numberOf(row, column)))])
    })
    const rows = await ask(this.#db, PAGES, [crawls ?? '', ids ?? ''])
    return new Map(rows.map((row) => [numberOf(row, 'id'), row]))
  }
}

const AFTER = `
  SELECT cursor, change, crawl_id, page_id, at, url, reason FROM page_changes
  WHERE cursor > $1 ORDER BY cursor LIMIT $2`
const PAGES = `
  SELECT id, url, duplicate_of, noindex FROM pages
  WHERE crawl_id = ANY($1::bigint[]) AND id = ANY($2::bigint[])`
/** The end of a crawl is no change of pages, and followers want to know of it. */
const PULSE = `
  SELECT last_cursor || ' ' || coalesce((SELECT sum(ended_at) FROM crawls), 0) AS pulse FROM page_log`

// Questions to a store in PostgreSQL, each one short read that is tried again while the server is away.
//
// Pages stand in one partition per crawl. A question names the crawls it is about: then the server looks
// at their partitions alone, however many crawls there are beside them.
import type { Postgres, Row } from '../../db/postgres.ts'
import { numberArray } from '../../db/postgres-array.ts'
import { numberOf, numberOrNull } from '../row-values.ts'
import type { Bound } from './conditions.ts'

export function ask(
  db: Postgres,
  query: string,
  values: readonly Bound[] = [],
): Promise<readonly Row[]> {
  return db.run(async (sql) => sql.unsafe<Row[]>(query, [...values], { prepare: true }))
}

/** The first row; one without columns when there is none. */
export async function askOne(
  db: Postgres,
  query: string,
  values: readonly Bound[] = [],
): Promise<Row> {
  return (await ask(db, query, values))[0] ?? {}
}

/** To which crawl a page belongs, or did; null: to none. */
export async function crawlOf(db: Postgres, pageId: number): Promise<number | null> {
  return numberOrNull(
    await askOne(db, 'SELECT crawl_of_page($1) AS crawl_id', [pageId]),
    'crawl_id',
  )
}

/** To which crawls pages belong, or did. */
export async function crawlsOf(db: Postgres, ids: readonly number[]): Promise<readonly number[]> {
  const query = 'SELECT DISTINCT crawl_of_page(id) AS crawl_id FROM unnest($1::bigint[]) id'
  const rows = await ask(db, query, [numberArray(ids)])
  return rows.filter((row) => row.crawl_id !== null).map((row) => numberOf(row, 'crawl_id'))
}

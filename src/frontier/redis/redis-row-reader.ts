// Rows of a crawl as they are read for people.
import type { RedisConnection } from '../../db/redis.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { RowReader } from '../partitions/row-reader.ts'
import { RowsUrlStates } from '../partitions/rows-url-states.ts'
import { type Row, type RowValue, TABLES, type TableName } from '../storage.ts'
import type { CrawlMade } from './crawl-made.ts'
import { keptTable } from './keys.ts'
import { currentRows } from './reading.ts'

const URL_COLUMN = TABLES.url.columns.indexOf('url')

export function redisUrlStates(
  connection: RedisConnection,
  crawlId: number,
  { salt, partitions }: CrawlMade,
): RowsUrlStates {
  const hash = createUrlHasher(salt)
  const open = (partition: number) => currentRows(connection, { crawlId, partition })
  const row = async (partition: number, table: TableName, key: RowValue): Promise<Row | null> =>
    (await (await open(partition))?.row(keptTable(table), key)) ?? null
  const reader: RowReader = {
    crawlId,
    partitions,
    async *rows(partition, table, after) {
      const set = await open(partition)
      if (set !== null) yield* set.rows(keptTable(table), after)
    },
    async *unsettled(partition) {
      const set = await open(partition)
      if (set !== null) yield* set.marked()
    },
    row,
    async idOf(partition, url) {
      const set = await open(partition)
      if (set === null) return null
      for await (const id of set.idsOf(hash(url).lo)) {
        const found = await set.row(keptTable('url'), id)
        if (found?.[URL_COLUMN] === url) return id
      }
      return null
    },
  }
  return new RowsUrlStates(reader)
}

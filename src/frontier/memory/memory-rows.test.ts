// The contract of frontiers over rows in memory. The rows outlive the frontiers opened on them.
import type { FrontierFixture } from '../../../test/contract/frontier/rig.ts'
import { frontierContract } from '../../../test/contract/frontier.contract.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { beginRecrawl } from '../engine/begin-recrawl.ts'
import { openEngineFrontier } from '../engine/engine-frontier.ts'
import type { Rows } from '../engine/rows.ts'
import { SqliteRows } from '../sqlite/sqlite-rows.ts'
import { SqliteUrlStates } from '../sqlite/sqlite-url-states.ts'
import { MemoryRows } from './memory-rows.ts'

async function openFixture(): Promise<FrontierFixture> {
  let rows = new MemoryRows()
  return {
    open: (setup) => openEngineFrontier(rows, { idleInMemory: 0, ...setup }),
    // Readers read files, so they get the rows in one.
    urlStates: async ({ salt }) => {
      const db = openSqlite(':memory:', { schema: 'frontier', durability: 'none' })
      const copy = new SqliteRows(db)
      const hashUrl = createUrlHasher(salt)
      copy.transaction(() => {
        copyRows(rows, copy)
        for (const { id, url } of rows.url.names()) {
          const { hi, lo } = hashUrl(url)
          copy.seen?.add(id, Uint32Array.of(lo, hi), Uint16Array.of(0))
        }
      })
      return new SqliteUrlStates(db, hashUrl)
    },
    beginRecrawl: (round) => beginRecrawl(rows, round),
    // What a killed process writes later is lost.
    crash: async () => {
      const left = new MemoryRows()
      copyRows(rows, left)
      rows = left
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

function copyRows(from: MemoryRows, to: Rows): void {
  for (const row of from.crawl.all()) to.crawl.put(row)
  for (const row of from.host.all()) to.host.put(row)
  for (const { id } of from.url.names()) {
    const row = from.url.get(id)
    if (row !== undefined) to.url.add(row)
  }
  for (const row of from.edge.all()) to.edge.put(row)
  for (const row of from.ordering.all()) to.ordering.put(row)
  for (const row of from.template.all()) to.template.put(row)
  for (const row of from.robots.all()) to.robots.put(row)
  for (const row of from.sitemap.all()) to.sitemap.put(row)
  for (const row of from.revisit.all()) to.revisit.put(row)
}

frontierContract('memory', openFixture)

// Searches in an index of very many made-up pages in PostgreSQL: how long each kind of query takes, the first time and
// again, with facets, folding and snippets, and the cost of indexing. A server of its own is started. Times are of the
// clock, since the server works in several processes: run it on an idle machine. Asserts nothing.
//
// Usage: bench/search/postgres-scale.ts [--pages N] [--queries N] [--only TEXT] [--pause]
// With --pause it waits for Enter before it searches.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Postgres } from '../../src/db/postgres.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { openPostgresSearchIndex } from '../../src/search/postgres/open-search-index.ts'
import type { SearchIndex } from '../../src/search/search-index.ts'
import { startPostgres, testDatabase } from '../../test/servers/postgres.ts'
import { machine } from '../machine.ts'
import { cpuSecondsBelow } from '../scale/cpu.ts'
import { markdownTable } from '../table.ts'
import { madeUpPage } from './made-up-pages.ts'
import { asked, BATCH, batchFrom, givenBy, kindsOf, shown } from './scale-queries.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '300000' },
    queries: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    pause: { type: 'boolean', default: false },
  },
})
const PAGES = Number(values.pages)
const QUERIES = Number(values.queries)
const settings = ['shared_buffers=2GB', 'work_mem=64MB', 'max_wal_size=8GB', 'wal_compression=on']

await using server = await startPostgres({ settings })
await using database = await testDatabase(server.url)
await using db = new Postgres({ url: database.url, max: 4 })
const pagesOf = async (ids: readonly number[]) => ids.map((id) => madeUpPage(id))
await using index = await openPostgresSearchIndex({ db, pagesOf })
await fill(index)
await db.sql`VACUUM ANALYZE`
if (values.pause) await once(process.stdin, 'data')
await measure(index)
process.exit(0)

async function fill(index: SearchIndex): Promise<void> {
  const cpu = () => cpuSecondsBelow(server.pid()) + process.cpuUsage().user / 1e6
  const before = cpu()
  for (let first = 1; first <= PAGES; first += BATCH) {
    const pages = batchFrom(first, PAGES)
    const position = { mark: 'm', cursor: first + pages.length - 1 }
    await index.add({ pages, gone: [], given: givenBy(pages, PAGES), position })
    if ((first - 1) % 20_000 === 0) console.error(`${first - 1} pages`)
  }
  const [row] = await db.sql`SELECT pg_database_size(current_database())::float8 AS bytes`
  const ms = (1000 * (cpu() - before)) / PAGES
  const bytes = Number(row?.bytes) / PAGES
  console.log(`index: ${ms.toFixed(2)} ms of CPU and ${bytes.toFixed(0)} bytes per page`)
}

async function measure(index: SearchIndex): Promise<void> {
  const rows: string[][] = []
  for (const [name, next] of kindsOf(seededRandom(11), PAGES)) {
    const texts = Array.from({ length: QUERIES }, next)
    if (!name.includes(values.only)) continue
    const [first, again]: [number[], number[]] = [[], []]
    let found = 0
    for (const text of texts) {
      first.push(await msOf(async () => (found += (await asked(index, text)).pages)))
    }
    for (const text of texts) again.push(await msOf(() => asked(index, text)))
    rows.push([name, String(Math.round(found / QUERIES)), shown(first), shown(again)])
    console.error(rows.at(-1)?.join(' | '))
  }
  console.log(`\n${machine()}\n${PAGES} pages; ms, p50/p95/max of ${QUERIES} queries\n`)
  console.log(markdownTable(['', 'pages found', 'first', 'again'], rows))
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

// Searches in an index of very many made-up pages in PostgreSQL: the CPU time of each kind of query, in this process and
// in the server's, the first time and again, with facets, folding and snippets; the cost of indexing, and memory. A
// server of its own is started. Asserts nothing.
//
// With --copy the index is one that bench/search/scale.ts has left in a folder (--at, with the same --pages and --times):
// indexing very many pages takes long, copying them does not.
//
// Usage: bench/search/postgres-scale.ts [--pages N] [--queries N] [--only TEXT,…] [--copy FOLDER]
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
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
    copy: { type: 'string' },
  },
})
const PAGES = Number(values.pages)
const QUERIES = Number(values.queries)
const settings = ['shared_buffers=2GB', 'work_mem=64MB', 'max_wal_size=8GB', 'wal_compression=on']

/** What searches read, with the columns that both databases have. */
const TABLES: readonly (readonly [table: string, ...columns: string[]])[] = [
  ['search_position', ...'mark cursor pages length next_doc gone next_link batch'.split(' ')],
  ['searched_languages', 'language'],
  ['page_columns', 'key', 'changed', 'bytes'],
  ['shared_values', 'id', 'value'],
  [
    'segments',
    ...'id kind base end_doc mean_length state sources'.split(' '),
    "'' AS done",
    'written',
  ],
  ['term_blocks', 'segment', 'first', 'at', 'terms'],
  ['segment_pieces', 'key', 'bytes'],
  ['link_texts', 'id', 'target', 'from_host', 'text', 'pages'],
  ['common_words', 'word', 'level', 'since'],
  ['known_words', 'initial', 'length', 'word', 'pages'],
]
/** Copied at once. */
const ROWS = 500

const stack = new AsyncDisposableStack()
const server = stack.use(await startPostgres({ settings }))
const database = stack.use(await testDatabase(server.url))
const db = stack.use(new Postgres({ url: database.url, max: 4 }))
const pagesOf = async (ids: readonly number[]) =>
  ids.map((id) => ({ ...madeUpPage(((id - 1) % PAGES) + 1), id }))
const index = stack.use(await openPostgresSearchIndex({ db, pagesOf }))
if (values.copy === undefined) await fill(index)
else await copyIndex(join(values.copy, 'search.db'))
await db.sql`VACUUM ANALYZE`
const [size] = await db.sql`SELECT pg_database_size(current_database())::float8 AS bytes`
console.log(`${megabytes(Number(size?.bytes))} MB in the database`)
await measure(index)
console.log(`memory: ${megabytes(process.memoryUsage().rss)} MB in this process`)
await stack.disposeAsync()
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

/** The tables that searches read. */
async function copyIndex(path: string): Promise<void> {
  using from = new DatabaseSync(path, { readOnly: true })
  for (const [table, ...columns] of TABLES) {
    const names = columns.map((column) => column.split(' ').at(-1)).join(', ')
    const into = `INSERT INTO search.${table} (${names}) OVERRIDING SYSTEM VALUE VALUES`
    const rows = from.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).iterate()
    await db.sql.unsafe(`TRUNCATE search.${table}`)
    for (let some = taken(rows); some.length > 0; some = taken(rows)) {
      const each = columns.length
      const places = some.map(
        (_, row) => `(${columns.map((_, at) => `$${row * each + at + 1}`).join(', ')})`,
      )
      const all = some.flatMap((row) => Object.values(row).map(asParameter))
      await db.sql.unsafe(`${into} ${places.join(', ')}`, all, { prepare: false })
    }
  }
}

function asParameter(value: SQLOutputValue): string | Buffer | null {
  return value instanceof Uint8Array ? Buffer.from(value) : value === null ? null : String(value)
}

function taken(rows: Iterator<Record<string, SQLOutputValue>>) {
  const some: Record<string, SQLOutputValue>[] = []
  while (some.length < ROWS) {
    const { value, done } = rows.next()
    if (done) break
    some.push(value)
  }
  return some
}

async function measure(index: SearchIndex): Promise<void> {
  const rows: string[][] = []
  for (const [name, next] of kindsOf(seededRandom(11), PAGES)) {
    const texts = Array.from({ length: QUERIES }, next)
    if (!values.only.split(',').some((part) => name.includes(part))) continue
    let found = 0
    const first = await spentOn(texts, async (text) => {
      found += (await asked(index, text)).pages
    })
    const again = await spentOn(texts, (text) => asked(index, text))
    rows.push([
      name,
      String(Math.round(found / QUERIES)),
      first.own,
      first.servers,
      again.own,
      again.servers,
    ])
    console.error(rows.at(-1)?.join(' | '))
  }
  console.log(
    `\n${machine()}\nCPU ms: p50/p95/max of ${QUERIES} queries here, the mean in the server\n`,
  )
  console.log(markdownTable(['', 'pages found', 'first', 'server', 'again', 'server'], rows))
}

/** Times of the server are counted in hundredths of a second: only their sum tells something. */
async function spentOn(texts: readonly string[], work: (text: string) => Promise<unknown>) {
  const own: number[] = []
  const before = cpuSecondsBelow(server.pid())
  for (const text of texts) {
    const begun = process.cpuUsage()
    await work(text)
    const { user, system } = process.cpuUsage(begun)
    own.push((user + system) / 1000)
  }
  const servers = (1000 * (cpuSecondsBelow(server.pid()) - before)) / texts.length
  return { own: shown(own), servers: servers.toFixed(1) }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}

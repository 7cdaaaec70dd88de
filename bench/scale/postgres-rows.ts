// What the rows of a frontier cost in PostgreSQL: processor time per page to write them, bytes per URL, and
// the time to load them again. URLs have some 55 characters, at 10,000 hosts. A page changes ten rows of
// URLs, eight of them new, and the row of its host. Asserts nothing.
//
//   sh scripts/node bench/scale/postgres-rows.ts [--urls 1000000] [--batches 20,50,100,200] [--signals]
import { parseArgs } from 'node:util'
import type { CanonicalUrl } from '../../src/core/url.ts'
import { openPostgres, type Postgres } from '../../src/db/postgres.ts'
import { createPostgresStorage } from '../../src/frontier/postgres/postgres-storage.ts'
import type { FrontierStorage, Ownership, Row } from '../../src/frontier/storage.ts'
import { startPostgres, testDatabase } from '../../test/servers/postgres.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { cpuSecondsBelow } from './cpu.ts'

const HOSTS = 10_000
const NEW_PER_PAGE = 8
const KNOWN_PER_PAGE = 2
const CRAWL = 1
/** Pages written for each size of batch, before the table is filled. */
const MEASURED_PAGES = 10_000
const FILL_PAGES = 500

const { values: options } = parseArgs({
  options: {
    urls: { type: 'string', default: '1000000' },
    batches: { type: 'string', default: '20,50,100,200' },
    signals: { type: 'boolean', default: false },
  },
})

/** A web that is found in order; a page that was fetched is some way behind the newest. */
class Pages {
  next = 1

  /** The changed rows of so many pages, each once. */
  rows(pages: number): { readonly urls: Row[]; readonly hosts: Row[] } {
    const urls = new Map<number, Row>()
    const hosts = new Map<number, Row>()
    for (let page = 0; page < pages; page++) {
      const finder = this.#known()
      for (let nth = 0; nth < NEW_PER_PAGE; nth++) {
        const id = this.next++
        urls.set(id, urlRow(id, 0, finder))
      }
      for (let nth = 1; nth < KNOWN_PER_PAGE; nth++) {
        const id = this.#known()
        urls.set(id, urlRow(id, 0, 1))
      }
      urls.set(finder, urlRow(finder, 2, 1))
      const host = finder % HOSTS
      hosts.set(host, hostRow(host, page))
    }
    return { urls: [...urls.values()], hosts: [...hosts.values()] }
  }

  #known(): number {
    return Math.max(1, Math.floor(this.next * (0.2 + 0.8 * Math.random())))
  }
}

function urlRow(id: number, state: number, finder: number): Row {
  const host = id % HOSTS
  const url = `https://www.h${host}.test/section-${id % 17}/article-${id}.html`
  const signals = options.signals
    ? new Uint8Array(Float64Array.of(Math.random(), Math.random(), 1).buffer)
    : null
  return [
    ...[id, 2 * host + 1, url, state, '', 3, 0, finder, 0, id, 1],
    ...[signals, Math.random(), state === 0 ? 0 : 1, null],
  ]
}

function hostRow(host: number, page: number): Row {
  const name = `www.h${host}.test`
  return [host, name, name, 0, 5, 0, page, 0, '', 0, 1000, 0, page, 50_000 * page, page, 2, 0]
}

type Cost = { readonly client: number; readonly server: number; readonly walBytes: number }

/** Microseconds of processor time; making the rows is not counted. */
async function write(
  at: Place,
  pages: number,
  batch: number,
): Promise<Cost & { readonly rows: number }> {
  let [client, rows] = [0, 0]
  const [serverBefore, walBefore] = [cpuSecondsBelow(at.pid), await walBytes(at.db)]
  for (let done = 0; done < pages; done += batch) {
    const { urls, hosts } = at.pages.rows(Math.min(batch, pages - done))
    rows += urls.length
    const changes = [
      { table: 'url', rows: urls, dropped: [] },
      { table: 'host', rows: hosts, dropped: [] },
    ] as const
    const before = process.cpuUsage()
    const { own: ownership } = at
    await at.storage.write([
      { ownership, changes, messages: [], taken: new Map(), summary: `{"done":${done}}` },
    ])
    const { user, system } = process.cpuUsage(before)
    client += user + system
  }
  const server = 1e6 * (cpuSecondsBelow(at.pid) - serverBefore)
  return { client, server, walBytes: (await walBytes(at.db)) - walBefore, rows }
}

async function walBytes(db: Postgres): Promise<number> {
  const [row] = await db.sql`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`
  return Number(row?.bytes)
}

type Place = {
  readonly db: Postgres
  readonly pid: number
  readonly storage: FrontierStorage
  readonly own: Ownership
  readonly pages: Pages
}

async function costs(place: Place): Promise<string> {
  const rows: string[][] = []
  await write(place, 2000, 100)
  for (const batch of options.batches.split(',').map(Number)) {
    const cost = await write(place, MEASURED_PAGES, batch)
    const perPage = (sum: number) => (sum / MEASURED_PAGES).toFixed(0)
    const sums = [cost.client, cost.server, cost.client + cost.server, cost.walBytes]
    rows.push([String(batch), (cost.rows / MEASURED_PAGES).toFixed(1), ...sums.map(perPage)])
  }
  const head = ['pages in a batch', 'rows/page', 'client µs/page', 'server µs/page']
  return markdownTable([...head, 'µs/page', 'WAL bytes/page'], rows)
}

async function sizes({ db, pages }: Place): Promise<string> {
  const found = await db.sql`
    SELECT relname AS name, pg_relation_size(oid)::float8 AS bytes FROM pg_class
    WHERE relname LIKE 'frontier\\_%\\_1%' AND relkind IN ('r', 'i') AND relname LIKE 'frontier_urls%'
    ORDER BY 2 DESC`
  const urls = pages.next - 1
  const [hot] = await db.sql`
    SELECT n_tup_upd::float8 AS all, n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables
    WHERE relname = 'frontier_urls_1'`
  const rows = found.map(({ name, bytes }) => [String(name), (Number(bytes) / urls).toFixed(1)])
  const sum = found.reduce((all, { bytes }) => all + Number(bytes), 0)
  rows.push([`all, with ${urls.toLocaleString('en')} URLs`, (sum / urls).toFixed(1)])
  rows.push(['updates in place (HOT), %', ((100 * Number(hot?.hot)) / Number(hot?.all)).toFixed(1)])
  return markdownTable(['', 'bytes/URL'], rows)
}

/** Milliseconds until somebody has an answer. */
async function answers({ storage: from, pages }: Place): Promise<string> {
  const job = { id: CRAWL } as Parameters<FrontierStorage['states']>[0]
  const states = await from.states(job)
  if (states === null) return ''
  const url = String(urlRow(pages.next >> 1, 0, 1)[2]) as CanonicalUrl
  const questions = {
    'one URL': () => states.find(url),
    'URLs ahead of it': () => states.ahead(url),
    '100 URLs from the middle': () => states.list({ after: pages.next >> 1, limit: 100 }),
    counts: () => states.counts(),
    '50 hosts': () => states.hosts(50),
    outcomes: () => states.outcomes(),
    report: () => from.report(CRAWL, 'bench', 3_600_000),
  }
  const rows: string[][] = []
  for (const [name, ask] of Object.entries(questions)) {
    await ask()
    const begun = performance.now()
    await ask()
    rows.push([name, (performance.now() - begun).toFixed(1)])
  }
  return markdownTable(['question', 'ms'], rows)
}

async function loading({ storage, own, pid }: Place): Promise<string> {
  const [before, serverBefore] = [process.cpuUsage(), cpuSecondsBelow(pid)]
  const begun = performance.now()
  let [rows, rss] = [0, 0]
  for await (const chunk of storage.load(own)) {
    rows += chunk.rows.length
    rss = Math.max(rss, process.memoryUsage.rss())
  }
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(before)
  const cells = [
    ...[rows.toLocaleString('en'), seconds.toFixed(1), (rows / seconds).toFixed(0)],
    ...[
      ((user + system) / rows).toFixed(2),
      ((1e6 * (cpuSecondsBelow(pid) - serverBefore)) / rows).toFixed(2),
    ],
    (rss / 1e6).toFixed(0),
  ]
  const head = ['rows loaded', 's', 'rows/s', 'client µs/row', 'server µs/row', 'MB at most']
  return markdownTable(head, [cells])
}

const settings = ['shared_buffers=512MB', 'max_wal_size=4GB', 'wal_compression=on']
await using server = await startPostgres({ durable: true, settings })
await using database = await testDatabase(server.url)
await using db = await openPostgres({ url: database.url, max: 2 })
const storage = createPostgresStorage(db)
await storage.divide({ id: CRAWL, salt: 1 }, 1)
await storage.report(CRAWL, 'bench', 3_600_000)
const own = await storage.claim(CRAWL, 0, 'bench')
if (own === null) throw new Error('the partition is not free')
const place: Place = { db, pid: server.pid(), storage, own, pages: new Pages() }
process.stdout.write(`${machine()}\n\n${await costs(place)}\n`)
const filling = performance.now()
const missing = Number(options.urls) - place.pages.next
await write(place, Math.max(0, Math.ceil(missing / NEW_PER_PAGE)), FILL_PAGES)
const seconds = ((performance.now() - filling) / 1000).toFixed(0)
const parts = [await sizes(place), `filled in ${seconds} s`, await loading(place)]
process.stdout.write(`\n${[...parts, await answers(place)].join('\n\n')}\n`)

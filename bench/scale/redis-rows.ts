// Rows of frontiers in a Redis: how many bytes a URL takes, and how many pages per second fill one core of the
// server. URLs have some 55 characters at 10,000 hosts; every other one waits, the others are stored. A page
// changes ten rows of URLs (eight new ones, itself, one that it leads to again) and its host. Asserts nothing.
//
//   sh scripts/node bench/scale/redis-rows.ts [--urls 1000000,10000000] [--writers 1,2,4] [--pages 40000]
//     [--batch 100]
import { parseArgs } from 'node:util'
import { openRedis, type RedisConnection } from '../../src/db/redis.ts'
import { createRedisStorage, type RedisStorage } from '../../src/frontier/redis/redis-storage.ts'
import type { Batch, Ownership, Row, RowsOfTable } from '../../src/frontier/storage.ts'
import { startRedis } from '../../test/servers/redis.ts'
import { SALT } from '../endless-web.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { cpuSecondsBelow } from './cpu.ts'

const HOSTS = 10_000
const ROWS_AT_ONCE = 2000
const NEW_URLS = 8
const LEASE_MS = 600_000
const JOB = { id: 1, salt: SALT }

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '1000000,10000000' },
    writers: { type: 'string', default: '1,2,4' },
    pages: { type: 'string', default: '40000' },
    batch: { type: 'string', default: '100' },
  },
})
const pagesAtOnce = Number(values.batch)

function urlRow(id: number, state = Math.floor(id / HOSTS) % 2 === 0 ? 0 : 2): Row {
  const host = id % HOSTS
  const page = Math.floor(id / HOSTS)
  const url = `https://www.h${host}.test/section-${page % 17}/article-${id}.html`
  const foundOn = Math.max(1, id - 5000)
  return [
    id,
    2 * host + 3,
    url,
    state,
    '',
    3,
    0,
    foundOn,
    0,
    id,
    1,
    null,
    -3,
    state === 2 ? 1 : 0,
    null,
  ]
}

function hostRow(id: number, stored: number): Row {
  const name = `www.h${id}.test`
  const spent = [stored, 60_000 * stored, 9 * stored]
  return [id + 1, name, name.slice(4), 0, 50, 0, stored, 0, '', 0, 1000, Date.now(), ...spent, 2, 0]
}

function batch(ownership: Ownership, changes: readonly RowsOfTable[], summary: string): Batch {
  const all = changes.map((each) => ({ ...each, dropped: [] }))
  return { ownership, changes: all, messages: [], taken: new Map(), summary }
}

async function begin(storage: RedisStorage, partitions: number): Promise<Ownership[]> {
  await storage.divide(JOB, partitions)
  await storage.report(JOB.id, 'bench', LEASE_MS)
  const all: Ownership[] = []
  for (let partition = 0; partition < partitions; partition++) {
    const own = await storage.claim(JOB.id, partition, 'bench')
    if (own !== null) all.push(own)
  }
  return all
}

async function fill(storage: RedisStorage, own: Ownership, urls: number): Promise<void> {
  for (let from = 1; from <= urls; from += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, urls - from + 1)
    const rows = Array.from({ length }, (_, at) => urlRow(from + at))
    await storage.write([batch(own, [{ table: 'url', rows }], '')])
  }
}

async function usedMemory(connection: RedisConnection): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(String(await connection.call('INFO', 'memory')))?.[1])
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

async function measureMemory(urls: number): Promise<string[]> {
  await using server = await startRedis()
  await using connection = await openRedis({ url: server.url })
  const storage = createRedisStorage(connection)
  const empty = await usedMemory(connection)
  const [own] = await begin(storage, 1)
  if (own === undefined) throw new Error('no partition')
  const filled = await seconds(() => fill(storage, own, urls))
  const used = (await usedMemory(connection)) - empty
  let rows = 0
  const loaded = await seconds(async () => {
    for await (const chunk of storage.load(own)) rows += chunk.rows.length
  })
  const states = await storage.states({ ...JOB } as never)
  const times: number[] = []
  for (let nth = 1; nth <= 20; nth++) {
    const url = String(urlRow(Math.floor((urls * nth) / 20))[2])
    times.push(await seconds(async () => states?.find(url as never)))
  }
  const median = times.toSorted((a, b) => a - b)[10] ?? 0
  return [
    ...[urls.toLocaleString('en'), (used / 1e6).toFixed(0), (used / urls).toFixed(1)],
    ...[filled.toFixed(0), `${loaded.toFixed(1)} (${rows.toLocaleString('en')} rows)`],
    (median * 1000).toFixed(0),
  ]
}

/** Batches of one owner, one after the other. */
async function crawl(
  storage: RedisStorage,
  own: Ownership,
  { from, pages }: { from: number; pages: number },
): Promise<number> {
  let [next, seed] = [from + 1, own.partition + 1]
  const any = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return 1 + (seed % below)
  }
  let slowest = 0
  for (let done = 0; done < pages; done += pagesAtOnce) {
    const rows = new Map<number, Row>()
    const hosts = new Map<number, Row>()
    for (let page = 0; page < pagesAtOnce; page++) {
      for (let link = 0; link < NEW_URLS; link++) rows.set(next, urlRow(next++))
      const [itself, known] = [any(next - 1), any(next - 1)]
      rows.set(known, urlRow(known))
      rows.set(itself, urlRow(itself, 2))
      hosts.set(itself % HOSTS, hostRow(itself % HOSTS, done))
    }
    const changes: RowsOfTable[] = [
      { table: 'url', rows: [...rows.values()] },
      { table: 'host', rows: [...hosts.values()] },
    ]
    const took = await seconds(() => storage.write([batch(own, changes, `{"pages":${done}}`)]))
    slowest = Math.max(slowest, took)
  }
  return slowest
}

async function measureWriting(
  writers: number,
  { pages, appendOnly }: { pages: number; appendOnly: boolean },
): Promise<string[]> {
  await using server = await startRedis({ appendOnly })
  await using connection = await openRedis({ url: server.url })
  const storage = createRedisStorage(connection)
  const owned = await begin(storage, writers)
  const from = 100_000
  for (const own of owned) await fill(storage, own, from)
  await connection.call('CONFIG', 'RESETSTAT')
  const [ownBefore, serverBefore] = [process.cpuUsage(), cpuSecondsBelow(server.pid())]
  let slowest = 0
  const wall = await seconds(async () => {
    const each = pages / writers
    const all = await Promise.all(owned.map((own) => crawl(storage, own, { from, pages: each })))
    slowest = Math.max(...all)
  })
  const own = process.cpuUsage(ownBefore)
  const perPage = ((cpuSecondsBelow(server.pid()) - serverBefore) / pages) * 1e6
  const stats = String(await connection.call('INFO', 'commandstats'))
  const inScript = Number(/cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(stats)?.[1] ?? Number.NaN)
  return [
    ...[String(writers), appendOnly ? 'everysec' : 'off', (pages / wall).toFixed(0)],
    ...[perPage.toFixed(1), (1e6 / perPage).toFixed(0)],
    ((own.user + own.system) / pages).toFixed(1),
    ...[(inScript / 1000).toFixed(2), (slowest * 1000).toFixed(0)],
  ]
}

const numbersOf = (text: string): number[] => text.split(',').filter(Boolean).map(Number)
process.stdout.write(`${machine()}\n\n`)
const memory: string[][] = []
for (const urls of numbersOf(values.urls)) memory.push(await measureMemory(urls))
process.stdout.write(
  `${markdownTable(['URLs', 'MB', 'bytes/URL', 's to fill', 's to load', 'ms to find one'], memory)}\n\n`,
)
const speed: string[][] = []
for (const appendOnly of [false, true]) {
  for (const writers of numbersOf(values.writers)) {
    speed.push(await measureWriting(writers, { pages: Number(values.pages), appendOnly }))
  }
}
const HEAD = [
  ...['writers', 'AOF', 'pages/s', 'µs of Redis per page', 'pages/s that fill a Redis'],
  ...['µs of our CPU per page', `ms in a script of ${pagesAtOnce} pages`, 'slowest batch, ms'],
]
process.stdout.write(`${markdownTable(HEAD, speed)}\n`)

// What a URL takes of a Redis: a frontier with so many URLs of some 55 characters at 10,000 hosts, every
// other one waiting, the others stored; in all and by kind of key. Asserts nothing.
//
//   sh scripts/node bench/scale/redis-memory.ts [--urls 1000000,10000000]
import { parseArgs } from 'node:util'
import type { CanonicalUrl } from '../../src/core/url.ts'
import type { UrlCopy } from '../../src/core/url-copy.ts'
import { openRedis, type RedisConnection } from '../../src/db/redis.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { rebuildRedisFrontier } from '../../src/frontier/redis/rebuild.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { orderingNamed } from '../../src/ordering/index.ts'
import { startRedis } from '../../test/servers/redis.ts'
import { SALT } from '../endless-web.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'

const HOSTS = 10_000
const AT_ONCE = 10_000
/** So many keys of a kind are measured. */
const SAMPLE = 400
const KINDS = {
  s: 'seen',
  u: 'rows',
  t: 'texts',
  q: 'queues',
  h: 'hosts',
} as const satisfies Record<string, string>
const OTHERS = 'others'

function copyOf(position: number): UrlCopy {
  const host = position % HOSTS
  const page = Math.floor(position / HOSTS)
  const url = `https://www.h${host}.test/section-${page % 17}/article-${position}.html`
  return {
    ...{ position, url: url as CanonicalUrl, state: page % 2 === 0 ? 'queued' : 'stored' },
    ...{
      outOfReach: false,
      reason: '',
      depth: 3,
      hops: 0,
      foundOn: null,
      foundIn: null,
      via: 'link',
      foundAt: position,
      inLinks: 1,
    },
    ...{ signals: null, priority: -3, tries: 0, nextAt: null },
  }
}

async function* copies(upTo: number): AsyncIterable<UrlCopy[]> {
  for (let from = 1; from <= upTo; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, upTo - from + 1)
    yield Array.from({ length }, (_, at) => copyOf(from + at))
  }
}

async function fill(connection: RedisConnection, urls: number): Promise<void> {
  const ordering = orderingNamed('breadth-first')
  const settings = { ...DEFAULT_SETTINGS, maxPages: Number.MAX_SAFE_INTEGER, trapBudget: 0 }
  const job = {
    ...({ id: 1, name: 'bench', origin: 'cli', seeds: [], topic: null, salt: SALT } as const),
    settings,
  }
  await rebuildRedisFrontier({
    frontier: {
      ...{ connection, job, ordering, scorer: ordering.createScorer({}, SALT), clock: systemClock },
      ...{ policy: hostPolicyNamed('fair'), admit: () => null, templateOf: () => null },
    },
    urls: copies(urls),
    hosts: (async function* () {})(),
  })
}

async function usedMemory(connection: RedisConnection): Promise<number> {
  const info = String(await connection.call('INFO', 'memory'))
  return Number(/used_memory:(\d+)/.exec(info)?.[1])
}

/** Bytes of each kind of key, from a sample of them. */
async function bytesByKind(connection: RedisConnection): Promise<ReadonlyMap<string, number>> {
  const kinds = new Map<string, { keys: number; measured: number; bytes: number }>()
  let cursor = '0'
  do {
    const [next, keys] = (await connection.call('SCAN', cursor, 'COUNT', 1000)) as [
      string,
      string[],
    ]
    cursor = next
    for (const key of keys) {
      const [, letter = ''] = /^\{[^}]+\}:(\w):/.exec(key) ?? []
      const name = Object.entries(KINDS).find(([each]) => each === letter)?.[1] ?? OTHERS
      const kind = kinds.get(name) ?? { keys: 0, measured: 0, bytes: 0 }
      kinds.set(name, kind)
      kind.keys += 1
      // The order of a scan is that of hashes: the first ones are any ones.
      if (kind.measured >= SAMPLE && name !== OTHERS) continue
      kind.measured += 1
      kind.bytes += Number(await connection.call('MEMORY', 'USAGE', key, 'SAMPLES', 0))
    }
  } while (cursor !== '0')
  return new Map(
    Array.from(kinds, ([name, { keys, measured, bytes }]) => [name, (bytes / measured) * keys]),
  )
}

async function measure(urls: number): Promise<string[]> {
  await using server = await startRedis()
  await using connection = await openRedis({ url: server.url })
  const empty = await usedMemory(connection)
  const begun = performance.now()
  await fill(connection, urls)
  const seconds = (performance.now() - begun) / 1000
  const used = (await usedMemory(connection)) - empty
  const kinds = await bytesByKind(connection)
  const names = [...Object.values(KINDS), OTHERS]
  return [
    ...[urls.toLocaleString('en'), seconds.toFixed(0), (used / 1e6).toFixed(0)],
    (used / urls).toFixed(1),
    ...names.map((name) => ((kinds.get(name) ?? 0) / urls).toFixed(1)),
  ]
}

const { values } = parseArgs({ options: { urls: { type: 'string', default: '1000000,10000000' } } })
const HEAD = ['URLs', 's to fill', 'MB', 'bytes/URL', ...Object.values(KINDS), OTHERS]
const rows: string[][] = []
for (const urls of values.urls.split(',').map(Number)) {
  rows.push(await measure(urls))
  process.stderr.write(`${rows.at(-1)?.join(' · ')}\n`)
}
process.stdout.write(`${machine()}\n\n${markdownTable(HEAD, rows)}\n`)

// While a script runs nobody else is served: however large a frontier is, each does a bounded part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { SharedCrawl as Crawl } from '../../../test/contract/frontier/shared-crawl.ts'
import { startRedis } from '../../../test/servers/redis.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { Lease } from '../frontier.ts'
import { beginRedisRecrawl } from './begin-recrawl.ts'
import type { RedisFrontier } from './redis-frontier.ts'

const hosts = (number: number): string[] =>
  Array.from({ length: number }, (_, at) => `h${at}.test/`)
const pages = (number: number, host = 'a.test'): string[] =>
  Array.from({ length: number }, (_, at) => `${host}/${at}`)

test('of many retries whose moment has come one call wakes some, and says that there are more', async () => {
  await using crawl = await Crawl.begin({ delayMs: 0, perHost: 3000, maxPages: 9000 })
  const frontier = await crawl.open()
  await frontier.add(founds(...pages(2100)), 'seed')
  const leases = await frontier.lease(2100)
  const retryAt = crawl.clock.now() + 5000
  await frontier.settle(
    leases.map((lease) => ({ lease, outcome: 'failed', reason: 'http-503', retryAt })),
  )
  await crawl.pass(5000, frontier)
  assert.deepEqual(await frontier.lease(0), [])
  assert.equal(await crawl.connection.call('ZCARD', crawl.key('retry')), 100)
  assert.equal(frontier.status().readyAt, crawl.clock.now())
  assert.equal((await frontier.lease(2100)).length, 2100)
})

/** How often the server ran a command for whatever is done. */
async function timesRun(
  connection: RedisConnection,
  command: string,
  done: () => Promise<unknown>,
): Promise<number> {
  await connection.call('CONFIG', 'RESETSTAT')
  await done()
  const told = String(await connection.call('INFO', 'commandstats'))
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(told)?.[1] ?? 0)
}

async function fail(frontier: RedisFrontier, leases: readonly Lease[], restMs: number) {
  for (const lease of leases) {
    frontier.requestSent(lease)
    frontier.requestEnded(lease, { ok: false, trouble: 'connect', restMs })
  }
  const reason = 'connect'
  const retryAt = Number.MAX_SAFE_INTEGER
  await frontier.settle(leases.map((lease) => ({ lease, outcome: 'failed', reason, retryAt })))
}

test('whether all is out of reach is not asked of every host that fails', async () => {
  await using server = await startRedis()
  await using crawl = await Crawl.begin({ delayMs: 0 }, server.url)
  const frontier = await crawl.open()
  await frontier.add(founds(...hosts(300)), 'seed')
  await fail(frontier, await frontier.lease(300), 60_000)
  const looks = await timesRun(crawl.connection, 'get', () => frontier.renew())
  assert.ok(looks < 100, `${looks} looks`)
  assert.equal(frontier.status().allUnreachable, false)
})

test('many hosts that are all out of reach are found to be so, and so is that one is not', async () => {
  await using server = await startRedis()
  await using crawl = await Crawl.begin({ delayMs: 0 }, server.url)
  const frontier = await crawl.open()
  await frontier.add(founds(...hosts(600), ...hosts(600).map((host) => `${host}2`)), 'seed')
  await fail(frontier, await frontier.lease(600), 3_600_000)
  assert.equal(frontier.status().allUnreachable, true)
  await frontier.add(founds('new.test/'), 'link')
  assert.equal(frontier.status().allUnreachable, false)
  const [lease] = await frontier.lease(1)
  await frontier.settle([{ lease: lease!, outcome: 'failed', reason: 'http-404', retryAt: null }])
  await crawl.pass(1000, frontier)
  assert.equal(frontier.status().allUnreachable, true)
  let refused = 0
  const looks = await timesRun(crawl.connection, 'get', async () => {
    refused = await frontier.refuseUnreachable()
  })
  assert.equal(refused, 1200)
  assert.ok(looks < 3 * 600, `${looks} looks`)
  assert.deepEqual([frontier.counts().refused, frontier.status().readyAt], [1200, null])
})

test('with many seeds a call asks only those domains about which something changed', async () => {
  await using server = await startRedis()
  const seeds = hosts(300).map(urlOf)
  await using crawl = await Crawl.begin({ delayMs: 1000 }, server.url)
  const frontier = await crawl.open({ job: { ...crawl.job, seeds } })
  await frontier.add(founds(...hosts(300)), 'seed')
  await crawl.pass(1000, frontier)
  for (const command of ['get', 'hget']) {
    const looks = await timesRun(crawl.connection, command, () => frontier.lease(1))
    assert.ok(looks < 20, `${looks} looks by ${command}`)
    await crawl.pass(200, frontier)
  }
})

test('how far seeds have come is known without asking them one by one', async () => {
  const seeds = hosts(12).map(urlOf)
  await using crawl = await Crawl.begin({ delayMs: 1000 })
  const frontier = await crawl.open({ job: { ...crawl.job, seeds } })
  await frontier.add(founds(...hosts(12)), 'seed')
  const random = seededRandom(8)
  for (let turn = 0; turn < 60; turn += 1) {
    for (const lease of await frontier.lease(1 + Math.floor(random() * 4))) {
      frontier.requestSent(lease)
      frontier.requestEnded(lease, { ok: random() < 0.8, restMs: random() < 0.2 ? 90_000 : 0 })
      const links = random() < 0.5 ? founds(`${lease.host}/${turn}`, `x.${lease.host}/${turn}`) : []
      const [reason, retryAt] = ['http-404', null]
      const failed = { lease, outcome: 'failed', reason, retryAt } as const
      await frontier.settle([random() < 0.8 ? stored(lease, links) : failed])
    }
    await crawl.pass(Math.floor(random() * 5000), frontier)
    const all = await crawl.connection.call('ZRANGE', crawl.key('seeds'), 0, -1, 'WITHSCORES')
    const served = (all as string[])
      .flat()
      .filter((_, at) => at % 2 === 1)
      .map(Number)
    const sum = (of: (pages: number) => number) => served.reduce((all, each) => all + of(each), 0)
    const { seedsIn, seedsServed, seedsSquares } = await crawl.meta()
    assert.deepEqual([seedsIn, seedsServed, seedsSquares].map(Number), [
      served.length,
      sum((pages) => pages),
      sum((pages) => pages * pages),
    ])
  }
  assert.ok(frontier.counts().stored > 20)
})

test('hosts are placed some at a time when only pages of a round may be fetched, and none is forgotten', async () => {
  await using crawl = await Crawl.begin({ delayMs: 0 })
  const first = await crawl.open()
  await first.add(founds(...hosts(600)), 'seed')
  const done = await first.lease(2)
  await first.settle(done.map((lease) => stored(lease)))
  await first[Symbol.asyncDispose]()
  const known = { priority: 1, etag: '', lastModified: '', contentHash: '' }
  const pages = (async function* () {
    yield done.map(({ url }) => ({ url, ...known }))
  })()
  await beginRedisRecrawl(crawl, { job: crawl.job, round: 1, onlyPages: true, pages })
  const frontier = await crawl.open({ joins: false })
  for (const toPlace of ['501', '0']) {
    const [lease] = await frontier.lease(1, 0)
    assert.equal((await crawl.meta()).toPlace, toPlace)
    await frontier.settle([{ lease: lease!, outcome: 'unchanged' }])
  }
  assert.equal((await frontier.lease(600)).length, 498)
  assert.equal(frontier.status().readyAt, crawl.clock.now())
  assert.equal((await frontier.lease(600)).length, 100)
})

test('a shorter path to very much is followed in portions, by whoever is there', async () => {
  await using server = await startRedis()
  const settings = { delayMs: 0, perHost: 9, maxDepth: 9, maxPages: 9000 }
  await using crawl = await Crawl.begin(settings, server.url)
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/root', 'a.test/other'), 'seed')
  const [root, other] = await frontier.lease(2)
  await frontier.settle([stored(root!, founds('a.test/1'))])
  const [one] = await frontier.lease(1)
  await frontier.settle([stored(one!, founds('a.test/hub'))])
  const [hub] = await frontier.lease(1)
  await frontier.settle([stored(hub!, founds(...pages(1500, 'b.test')))])
  const depthOf = async (short: string) => (await (await crawl.ledger()).find(urlOf(short)))?.depth
  assert.deepEqual([await depthOf('b.test/0'), await depthOf('b.test/1499')], [3, 3])
  const scripts = await timesRun(crawl.connection, 'lpop', () =>
    frontier.settle([stored(other!, founds('a.test/hub'))]),
  )
  assert.ok(scripts > 0, 'all of it was done at once')
  assert.deepEqual([await depthOf('b.test/0'), await depthOf('b.test/1499')], [2, 2])
  // As if whoever found one more had died then.
  const { id } = (await frontier.lease(1))[0]!
  await crawl.connection.call('RPUSH', crawl.key('lowering'), `${id}:1`)
  await crawl.connection.call('HSET', crawl.key('meta'), 'lowering', 1)
  await frontier.renew()
  assert.equal(await depthOf('b.test/0'), 1)
  assert.equal((await crawl.meta()).lowering, '0')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, founds, stored } from '../../../test/contract/frontier/rig.ts'
import { SharedCrawl } from '../../../test/contract/frontier/shared-crawl.ts'
import type { Found } from '../../core/link.ts'
import type { RedisConnection } from '../../db/redis.ts'
import type { Lease } from '../frontier.ts'
import { MOST_AT_ONCE, portionsOf } from './portions.ts'
import type { RedisFrontier } from './redis-frontier.ts'

const linksTo = (host: string, count: number): Found[] =>
  Array.from({ length: count }, (_, at) => found(`${host}/${at}`))

test('a page with many links is told in parts, and with long ones in more', () => {
  const lease = { kind: 'page', id: 1, token: 1 } as const
  const toSettle = (found: readonly Found[]) => ({
    settlement: { lease, outcome: 'stored', found, judged: null, likeness: 0 } as const,
    known: undefined,
    scored: found.map(() => null),
  })
  const many = toSettle(linksTo('a.test', 2 * MOST_AT_ONCE + 1))
  const [first, second, ...others] = portionsOf([toSettle(linksTo('b.test', 3)), many])
  assert.deepEqual([first?.parts.length, first?.last.length, first?.from], [0, 1, 0])
  assert.deepEqual([second?.parts.length, second?.last[0]?.links?.length], [2, 1])
  assert.deepEqual([second?.from, others], [1, []])
  const long = toSettle(linksTo(`c.test/${'x'.repeat(1500)}`, 1500))
  assert.deepEqual(
    portionsOf([long]).map(({ parts }) => parts.length),
    [2],
  )
  const marks = portionsOf([many]).flatMap(({ parts }) => parts.map(({ mark }) => mark))
  assert.equal(new Set(marks).size, 2)
})

test('more seeds than one script should take in are all taken', async () => {
  await using crawl = await SharedCrawl.begin()
  const frontier = await crawl.open()
  assert.equal(await frontier.add(linksTo('a.test', 20_000), 'seed'), 20_000)
  assert.equal(frontier.counts().queued, 20_000)
})

test('a sitemap of 50,000 URLs is read', async () => {
  await using crawl = await SharedCrawl.begin({ ignoreRobots: false, sitemaps: true, delayMs: 0 })
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/'), 'seed')
  const [robots] = await frontier.lease(1)
  await frontier.saveRobots(robots!, {
    ...{ origin: 'http://a.test', status: 'fetched', body: '', fetchedAt: 0, attempts: 0 },
    ...{ expiresAt: Number.MAX_SAFE_INTEGER, sitemaps: [found('a.test/map').url] },
  })
  const map = await nextOf(frontier, 'sitemap')
  const pages = linksTo('a.test', 50_000)
  const read = {
    lease: map,
    outcome: 'read',
    found: pages,
    sitemaps: founds('a.test/b').map(({ url }) => url),
  } as const
  assert.equal(await frontier.settle([read]), 1)
  assert.equal(frontier.counts().queued, 50_000)
  assert.equal((await nextOf(frontier, 'sitemap')).url, 'http://a.test/b')
  assert.equal((await crawl.meta()).parts, '0')
})

for (const ordering of ['breadth-first', 'backlink-count']) {
  test(`two pages of 10,000 links each are settled at once, ${ordering}`, async () => {
    await using crawl = await SharedCrawl.begin({ ordering, maxDepth: 3 })
    const frontier = await crawl.open()
    await frontier.add(founds('a.test/', 'b.test/'), 'seed')
    const leases = await frontier.lease(2)
    const links = linksTo('c.test', 10_000)
    assert.equal(await frontier.settle(leases.map((lease) => stored(lease, links))), 2)
    assert.deepEqual([frontier.counts().stored, frontier.counts().queued], [2, 10_000])
    if (ordering === 'backlink-count') assert.equal(await inLinksOf(crawl, 'c.test/9999'), 2)
    for (const { id } of leases) assert.equal(await countEdges(crawl, id), 10_000)
  })
}

test('links of a page whose settlement was cut short count once', async () => {
  await using crawl = await SharedCrawl.begin({ ordering: 'backlink-count', maxDepth: 3 })
  const dying = await crawl.open({ connection: breakingAt(crawl.connection, 'settle') })
  await dying.add(founds('a.test/'), 'seed')
  const links = linksTo('b.test', MOST_AT_ONCE + 10)
  const [lost] = await dying.lease(1)
  await assert.rejects(dying.settle([stored(lost!, links)]), /killed/)
  dying.abandon()
  const next = await crawl.open({ joins: false, takeOver: true })
  assert.equal(next.counts().queued, 1 + MOST_AT_ONCE)
  const settled = { kind: 'page', id: lost!.id, token: null } as const
  assert.equal(await next.settle([stored(settled, links)]), 1)
  assert.equal(next.counts().queued, links.length)
  for (const url of ['b.test/0', 'b.test/5009']) {
    assert.equal(await inLinksOf(crawl, url), 1)
  }
  assert.equal(await countEdges(crawl, lost!.id), links.length)
  assert.equal((await crawl.meta()).parts, '0')
})

async function nextOf(frontier: RedisFrontier, kind: Lease['kind']): Promise<Lease> {
  for (;;) {
    const [lease] = await frontier.lease(1)
    assert.ok(lease)
    frontier.requestSent(lease)
    frontier.requestEnded(lease, { ok: true })
    if (lease.kind === kind) return lease
    await frontier.settle([stored(lease)])
  }
}

async function inLinksOf(crawl: SharedCrawl, short: string): Promise<number | undefined> {
  await using urlStates = await crawl.ledger()
  return (await urlStates.candidate(found(short).url))?.inLinks
}

/** Each is a number of which the last byte alone is below 128; before all of them is one for the step. */
async function countEdges(crawl: SharedCrawl, id: number): Promise<number> {
  const count =
    "return select(2, redis.call('HGET', KEYS[1], ARGV[1]):gsub('[%z\\1-\\127]', '')) - 1"
  return Number(await crawl.connection.call('EVAL', count, 1, crawl.key('e:0'), id))
}

/** Breaks, as a process that is killed does, before a script. */
function breakingAt(connection: RedisConnection, name: string): RedisConnection {
  return {
    ...{ prefix: connection.prefix, shards: null, leaseMs: connection.leaseMs },
    ...{ isCluster: false, shownUrl: connection.shownUrl, warnings: [] },
    call: (...words) => connection.call(...words),
    callBytes: (...words) => connection.callBytes(...words),
    run: async (script, keys, args) => {
      if (typeof script !== 'string' && script.name === name) throw new Error('killed')
      return connection.run(script, keys, args)
    },
    runKnown: (script, keys, args) => connection.runKnown(script, keys, args),
    drop: () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}

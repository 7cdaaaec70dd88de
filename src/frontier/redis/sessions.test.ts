// Several sessions on one crawl: what holds over all of them, and what becomes of one that dies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, founds, stored } from '../../../test/contract/frontier/rig.ts'
import { SharedCrawl as Crawl, SESSION_MS } from '../../../test/contract/frontier/shared-crawl.ts'
import { sharedRedisUrl, startRedis } from '../../../test/servers/redis.ts'
import { CrawlerError } from '../../core/errors.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { Lease } from '../frontier.ts'
import type { RedisFrontier } from './redis-frontier.ts'

const pagesOf = (hosts: number, each: number): string[] =>
  Array.from({ length: hosts * each }, (_, at) => `h${at % hosts}.test/${Math.floor(at / hosts)}`)

test('no URL is leased twice, and no host is asked twice within its delay, over all sessions', async () => {
  await using crawl = await Crawl.begin({ delayMs: 1000 })
  const first = await crawl.open()
  await first.add(founds(...pagesOf(5, 6)), 'seed')
  const sessions = [first, await crawl.open(), await crawl.open()]
  const random = seededRandom(5)
  const seen = new Set<number>()
  const lastAt = new Map<string, number>()
  while (first.counts().stored < 30) {
    const session = sessions[Math.floor(random() * 3)]!
    for (const lease of await session.lease(3)) {
      assert.ok(!seen.has(lease.id), lease.url)
      seen.add(lease.id)
      const now = crawl.clock.now()
      assert.ok(now - (lastAt.get(lease.host) ?? 0) >= 1000, lease.url)
      lastAt.set(lease.host, now)
      session.requestSent(lease)
      session.requestEnded(lease, { ok: true })
      await session.settle([stored(lease)])
    }
    crawl.clock.advance(Math.floor(random() * 300))
    await first.renew()
  }
  assert.equal(seen.size, 30)
})

test('what one session settles all of them count, and what others hold is told apart', async () => {
  await using crawl = await Crawl.begin()
  const [one, two] = await crawl.two('a.test/', 'b.test/')
  const [lease] = await one.lease(1)
  await two.renew()
  assert.deepEqual([two.status().unsettled, two.status().heldByOthers], [1, 1])
  assert.deepEqual([one.status().unsettled, one.status().heldByOthers], [1, 0])
  await one.settle([stored(lease!, founds('c.test/'))])
  await two.renew()
  assert.deepEqual([two.counts().stored, two.counts().queued], [1, 2])
})

test('a session that is not heard of any more loses what it holds, and its try counts', async () => {
  await using crawl = await Crawl.begin()
  const [dying, other] = await crawl.two('a.test/')
  const [lost] = await dying.lease(1)
  dying.requestSent(lost!)
  await dying.renew()
  assert.equal(dying.isValid(lost!), true)
  await crawl.pass(SESSION_MS - 1, other)
  assert.deepEqual(await other.lease(1), [])
  assert.equal(dying.isValid(lost!), false)
  crawl.clock.advance(2)
  // Nobody knows when its last request went out: the host rests from now.
  assert.deepEqual(await other.lease(1), [])
  crawl.clock.advance(999)
  assert.deepEqual(await other.lease(1), [])
  crawl.clock.advance(1)
  const [held] = await other.lease(1)
  assert.deepEqual([held?.id, held?.tries], [lost?.id, 2])
  assert.equal(await dying.settle([stored(lost!)]), 0)
  assert.equal(dying.isValid(lost!), false)
  assert.equal(await other.settle([stored(held!)]), 1)
})

test('a page of a lost lease that is durable is taken all the same', async () => {
  await using crawl = await Crawl.begin()
  const [dying, other] = await crawl.two('a.test/')
  const [lost] = await dying.lease(1)
  await crawl.pass(SESSION_MS + 1, other)
  const lease = { kind: 'page', id: lost!.id, token: null } as const
  assert.equal(await other.settle([stored(lease, founds('a.test/1'))]), 1)
  assert.deepEqual([other.counts().stored, other.counts().queued], [1, 1])
})

test('a session that lives on after it was given up goes on with new leases', async () => {
  await using crawl = await Crawl.begin({ delayMs: 0 })
  const [stopped, other] = await crawl.two('a.test/', 'b.test/')
  const [lost] = await stopped.lease(1)
  await crawl.pass(SESSION_MS + 1, other)
  const again = await stopped.lease(5)
  assert.equal(stopped.isValid(lost!), false)
  assert.equal(again.length, 2)
  assert.ok(again.every((lease) => stopped.isValid(lease)))
  assert.equal(stopped.status().heldByOthers, 0)
})

test('no more pages are out over all sessions than the limit leaves', async () => {
  await using crawl = await Crawl.begin({ maxPages: 5, delayMs: 0 })
  const [one, two] = await crawl.two(...pagesOf(9, 1))
  const leases = [...(await one.lease(3)), ...(await two.lease(9))]
  assert.equal(leases.length, 5)
  await one.settle([{ lease: leases[0]!, outcome: 'failed', reason: 'http-404', retryAt: null }])
  assert.equal((await two.lease(9)).length, 1)
})

test('a session that comes later gets its share of the hosts', async () => {
  await using crawl = await Crawl.begin({ delayMs: 1000 })
  const [early, late] = await crawl.two(...pagesOf(8, 40))
  const served = new Map<RedisFrontier, number>()
  const turn = async (session: RedisFrontier): Promise<void> => {
    for (const lease of await session.lease(20)) {
      served.set(session, (served.get(session) ?? 0) + 1)
      session.requestSent(lease)
      session.requestEnded(lease, { ok: true })
      await session.settle([stored(lease)])
    }
  }
  // The early one always asks first, and would have all of them.
  for (let second = 0; second < 20; second += 1) {
    await turn(early)
    await turn(late)
    crawl.clock.advance(1000)
  }
  const [a, b] = [served.get(early) ?? 0, served.get(late) ?? 0]
  assert.ok(b >= 0.3 * (a + b), `${a} and ${b}`)
  assert.ok(a + b >= 20 * 8 * 0.9, `${a} and ${b}`)
})

test('a session stays with the hosts it has visited', async () => {
  await using crawl = await Crawl.begin({ delayMs: 1000 })
  const [one, two] = await crawl.two(...pagesOf(6, 20))
  const visitors = new Map<string, Set<RedisFrontier>>()
  for (let second = 0; second < 15; second += 1) {
    for (const session of second % 2 === 0 ? [one, two] : [two, one]) {
      for (const lease of await session.lease(3)) {
        session.requestSent(lease)
        session.requestEnded(lease, { ok: true })
        await session.settle([stored(lease)])
        const known = visitors.get(lease.host) ?? new Set()
        visitors.set(lease.host, known.add(session))
      }
    }
    crawl.clock.advance(1000)
  }
  assert.ok([...visitors.values()].filter(({ size }) => size === 1).length >= 5)
})

test('a lease call whose answer was lost gives the same leases when it is repeated', async () => {
  await using crawl = await Crawl.begin()
  await using lossy = await openRedis({
    url: `${await sharedRedisUrl()}?prefix=${crawl.connection.prefix}`,
  })
  const given: unknown[] = []
  const twice: RedisConnection = new Proxy(lossy, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'run') return typeof value === 'function' ? value.bind(target) : value
      return async (...args: Parameters<RedisConnection['run']>) => {
        const [script] = args
        const isLease = typeof script !== 'string' && script.name === 'lease'
        if (isLease) given.push(await target.run(...args))
        return target.run(...args)
      }
    },
  })
  const frontier = await crawl.open({ connection: twice })
  await frontier.add(founds('a.test/', 'b.test/'), 'seed')
  given.length = 0
  const leases = await frontier.lease(5)
  assert.equal(leases.length, 2)
  assert.equal(frontier.status().unsettled, 2)
  assert.equal(given.length, 1)
  assert.ok(String(given[0]).includes('a.test'))
})

test('a session that leaves in order gives back what it holds at once', async () => {
  await using crawl = await Crawl.begin({ delayMs: 0 })
  const [leaving, other] = await crawl.two('a.test/')
  await leaving.lease(1)
  assert.deepEqual(await other.lease(1), [])
  await leaving[Symbol.asyncDispose]()
  const [lease] = await other.lease(1)
  assert.equal(lease?.tries, 1)
})

test('after a restart of the server every host first waits a full delay', async () => {
  await using server = await startRedis({ appendOnly: true, settings: ['--appendfsync', 'always'] })
  await using crawl = await Crawl.begin({ delayMs: 1000 }, server.url)
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/1', 'b.test/1', 'b.test/2'), 'seed')
  const [held] = await frontier.lease(1)
  frontier.requestSent(held!)
  await frontier.renew()
  await server.stop('SIGKILL')
  await server.start()
  crawl.clock.advance(500)
  assert.deepEqual(await frontier.lease(5), [])
  crawl.clock.advance(999)
  assert.deepEqual(await frontier.lease(5), [])
  crawl.clock.advance(1)
  const leases = await frontier.lease(5)
  assert.deepEqual(leases.map(({ host }) => host).toSorted(), ['b.test'])
  assert.equal(await frontier.settle([stored(held!), stored(leases[0]!)]), 2)
})

test('a frontier that was flushed is not begun anew by those who know it', async () => {
  await using server = await startRedis()
  await using crawl = await Crawl.begin({}, server.url)
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/'), 'seed')
  const [lease] = await frontier.lease(1)
  await crawl.connection.call('FLUSHALL')
  const isLost = (error: unknown): boolean =>
    error instanceof CrawlerError &&
    error.code === 'store-damaged' &&
    error.message.includes('doctor --rebuild-frontier')
  await assert.rejects(frontier.lease(1), isLost)
  await assert.rejects(frontier.settle([stored(lease!)]), isLost)
  await assert.rejects(crawl.open({ mustExist: true, joins: false }), isLost)
})

test('a frontier of another layout or of another crawl is left alone', async () => {
  await using crawl = await Crawl.begin()
  await crawl.open()
  const meta = `{${crawl.connection.prefix}:1:0}:meta`
  await crawl.connection.call('HSET', meta, 'salt', 78)
  await assert.rejects(crawl.open({ joins: false }), /another crawl/)
  await crawl.connection.call('HSET', meta, 'layout', 99)
  await assert.rejects(crawl.open(), /layout 99/)
})

test('links found by two sessions at once are known once', async () => {
  await using crawl = await Crawl.begin({ delayMs: 0 })
  const [one, two] = await crawl.two('a.test/', 'b.test/')
  const [a] = await one.lease(1)
  const [b] = await two.lease(1)
  const links = [found('c.test/1'), found('c.test/2')]
  await Promise.all([one.settle([stored(a!, links)]), two.settle([stored(b!, links)])])
  const left: Lease[] = [...(await one.lease(9)), ...(await two.lease(9))]
  for (const lease of left) await one.settle([{ lease, outcome: 'released' }])
  await two.renew()
  assert.deepEqual([two.counts().stored, two.counts().queued + two.counts().leased], [2, 2])
})

test('moments are told by the clock of who asks, however far the server’s is from it', async () => {
  await using crawl = await Crawl.begin({ delayMs: 60_000 })
  const frontier = await crawl.open({ clockIsShared: false })
  await frontier.add(founds('a.test/1', 'a.test/2', 'b.test/'), 'seed')
  const [a, b] = await frontier.lease(2)
  for (const lease of [a!, b!]) {
    frontier.requestSent(lease)
    frontier.requestEnded(lease, { ok: true })
  }
  const retryAt = crawl.clock.now() + 3_600_000
  const failed = { lease: b!, outcome: 'failed', reason: 'connect', retryAt } as const
  await frontier.settle([stored(a!), failed])
  const inMs = (frontier.status().readyAt ?? 0) - crawl.clock.now()
  assert.ok(inMs > 0 && inMs <= 60_000, String(inMs))
  assert.equal(frontier.isValid(a!), false)
  await frontier.refuseUnreachable()
  assert.equal(frontier.counts().queued, 2)
})

test('a URL that sessions die of, again and again, is given up', async () => {
  await using crawl = await Crawl.begin({ delayMs: 0, retries: 0 })
  const watcher = await crawl.open()
  await watcher.add(founds('a.test/'), 'seed')
  for (let death = 1; death <= 4; death += 1) {
    const dying = await crawl.open()
    assert.equal((await dying.lease(1))[0]?.tries, death)
    dying.abandon()
    await crawl.pass(SESSION_MS + 1, watcher)
  }
  assert.deepEqual([watcher.counts().failed, watcher.counts().queued], [1, 0])
  assert.deepEqual(await watcher.lease(1), [])
})

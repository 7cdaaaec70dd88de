// A server that lost its last moment, and what sessions know that it has forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { SESSION_MS, SharedCrawl } from '../../../test/contract/frontier/shared-crawl.ts'
import type { Lease, Settled } from '../frontier.ts'

/** A page of an earlier life, as a receipt tells of it. */
function durable({ id, url, depth }: Pick<Lease, 'id' | 'url' | 'depth'>): Settled {
  return { kind: 'page', id, token: null, url, depth }
}

for (const ordering of ['breadth-first', 'opic']) {
  test(`a durable page is settled by its URL, whoever has its id now (${ordering})`, async () => {
    await using crawl = await SharedCrawl.begin({ ordering })
    const frontier = await crawl.open()
    await frontier.add(founds('a.test/1', 'a.test/2'), 'seed')
    const other = { id: 1, url: urlOf('a.test/2'), depth: 0 }
    assert.equal(await frontier.settle([stored(durable(other), founds('a.test/3'))]), 1)
    const urlStates = await crawl.ledger()
    assert.equal((await urlStates.find(urlOf('a.test/1')))?.state, 'queued')
    assert.equal((await urlStates.find(urlOf('a.test/2')))?.state, 'stored')
    assert.equal((await urlStates.find(urlOf('a.test/3')))?.depth, 1)
  })

  test(`a durable page whose URL was forgotten is known again, with its links (${ordering})`, async () => {
    await using crawl = await SharedCrawl.begin({ ordering })
    const frontier = await crawl.open()
    await frontier.add(founds('a.test/1'), 'seed')
    const forgotten = { id: 1, url: urlOf('b.test/9'), depth: 4 }
    assert.equal(await frontier.settle([stored(durable(forgotten), [found('b.test/10')])]), 1)
    assert.equal(await frontier.settle([stored(durable(forgotten))]), 0)
    const urlStates = await crawl.ledger()
    assert.equal((await urlStates.find(urlOf('a.test/1')))?.state, 'queued')
    assert.equal((await urlStates.find(urlOf('b.test/9')))?.state, 'stored')
    assert.equal((await urlStates.find(urlOf('b.test/10')))?.depth, 5)
    assert.deepEqual([frontier.counts().stored, frontier.counts().queued], [1, 2])
  })
}

test('a page that is in the store is taken when its lease was lost', async () => {
  await using crawl = await SharedCrawl.begin()
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/'), 'seed')
  const [lease] = await frontier.lease(1)
  const lost = { ...lease!, token: lease!.token + 1 }
  assert.equal(await frontier.settle([stored(lost)]), 0)
  assert.equal(await frontier.settle([stored({ ...lost, durable: true }, founds('a.test/1'))]), 1)
  assert.deepEqual([frontier.counts().stored, frontier.counts().leased], [1, 0])
  assert.equal(frontier.counts().queued, 1)
})

/** Puts all keys back to what they were, as a server does that dies before it wrote its last second. */
async function rewinding(crawl: SharedCrawl): Promise<() => Promise<void>> {
  const { connection } = crawl
  const pattern = `{${connection.prefix}:*`
  const script = `
    local kept = {}
    for _, key in ipairs(redis.call('KEYS', ARGV[1])) do kept[#kept + 1] = key end
    for _, key in ipairs(kept) do redis.call('COPY', key, 'was' .. key, 'REPLACE') end`
  const back = `
    for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end
    for _, key in ipairs(redis.call('KEYS', 'was' .. ARGV[1])) do
      redis.call('RENAME', key, string.sub(key, 4))
    end
    redis.call('HSET', ARGV[2], 'server', 'another')`
  await connection.call('EVAL', script, 0, pattern)
  return async () => {
    await connection.call('EVAL', back, 0, pattern, crawl.key('meta'))
  }
}

test('a server that comes back as it was a moment ago gives no token twice', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 0 })
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/1', 'b.test/1'), 'seed')
  const rewind = await rewinding(crawl)
  const before = await frontier.lease(2)
  await rewind()
  const after = await frontier.lease(2)
  assert.equal(after.length, 2)
  assert.ok(after.every(({ token }) => before.every((lease) => token > lease.token)))
  assert.ok(before.every((lease) => !frontier.isValid(lease)))
  assert.equal(await frontier.settle(before.map((lease) => stored(lease))), 0)
  assert.equal(await frontier.settle(after.map((lease) => stored(lease))), 2)
})

test('what a session has settled and the server has forgotten is fetched again, not waited for', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 0 })
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/1'), 'seed')
  const [lease] = await frontier.lease(1)
  const rewind = await rewinding(crawl)
  await frontier.settle([stored(lease!, founds('b.test/1'))])
  await rewind()
  await frontier.renew()
  await frontier.renew()
  assert.deepEqual([frontier.status().unsettled, frontier.counts().queued], [0, 1])
  assert.equal((await frontier.lease(5))[0]?.url, lease!.url)
})

test('a request that is under way while the server changes is still the session’s', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 1000 })
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/1', 'a.test/2', 'b.test/1'), 'seed')
  const [lease, other] = await frontier.lease(2)
  frontier.requestSent(lease!)
  await frontier.renew()
  await crawl.connection.call('HSET', crawl.key('meta'), 'server', 'another')
  await frontier.renew()
  assert.deepEqual([frontier.isValid(lease!), frontier.isValid(other!)], [true, false])
  await frontier.renew()
  assert.deepEqual([frontier.counts().leased, frontier.counts().queued], [1, 2])
  frontier.requestEnded(lease!, { ok: true })
  assert.equal(await frontier.settle([stored(lease!)]), 1)
})

test('after a server took another’s place and gave it back, every host waits a full delay', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 1000 })
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/1'), 'seed')
  // Scripts it had before are known to it as ever.
  await crawl.connection.call('HSET', crawl.key('meta'), 'server', 'another')
  assert.deepEqual(await frontier.lease(1), [])
  crawl.clock.advance(999)
  assert.deepEqual(await frontier.lease(1), [])
  crawl.clock.advance(1)
  assert.equal((await frontier.lease(1)).length, 1)
})

test('a request that goes out under a lease the server has forgotten keeps its host from others', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 1000 })
  const [one, two] = await crawl.two('a.test/1')
  const rewind = await rewinding(crawl)
  const [lease] = await one.lease(1)
  await rewind()
  await two.renew()
  crawl.clock.advance(900)
  one.requestSent(lease!)
  await one.renew()
  crawl.clock.advance(999)
  assert.deepEqual(await two.lease(1), [])
  crawl.clock.advance(1)
  assert.equal((await two.lease(1)).length, 1)
})

test('nobody is taken for dead because the server stood still', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 0 })
  const [one, two] = await crawl.two('a.test/')
  const [lease] = await one.lease(1)
  crawl.clock.advance(5 * SESSION_MS)
  await two.renew()
  await crawl.pass(SESSION_MS / 2, two)
  assert.equal(await one.settle([stored(lease!)]), 1)
  const [next, dying] = [await crawl.open(), await crawl.open()]
  await next.add(founds('b.test/'), 'seed')
  await dying.lease(1)
  crawl.clock.advance(5 * SESSION_MS)
  await next.renew()
  await crawl.pass(SESSION_MS + 1, next)
  assert.equal((await next.lease(1))[0]?.tries, 2)
})

test('where the server’s clock was set back the frontier’s goes on', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 60_000 })
  const frontier = await crawl.open({ clockIsShared: false })
  await frontier.add(founds('a.test/1', 'a.test/2'), 'seed')
  const [lease] = await frontier.lease(1)
  frontier.requestSent(lease!)
  frontier.requestEnded(lease!, { ok: true })
  await frontier.settle([stored(lease!)])
  // As if all of it had been told by a clock that is an hour ahead.
  const hour = 3_600_000
  const { heardAt } = await crawl.meta()
  await crawl.connection.call('HSET', crawl.key('meta'), 'heardAt', Number(heardAt) + hour)
  await frontier.renew()
  assert.ok(Number((await crawl.meta()).ahead) > hour - 60_000)
  assert.equal((await frontier.lease(1)).length, 1)
})

test('a server knows the same scripts for all crawls', async () => {
  await using crawl = await SharedCrawl.begin()
  await crawl.open().then((frontier) => frontier.lease(1))
  const known = async (): Promise<string> =>
    /number_of_cached_scripts:(\d+)/.exec(
      String(await crawl.connection.call('INFO', 'memory')),
    )![1]!
  const before = await known()
  await using other = await SharedCrawl.begin()
  await other.open().then((frontier) => frontier.lease(1))
  assert.equal(await known(), before)
})

test('what is deeper than a row can say is as deep as it can say', async () => {
  await using crawl = await SharedCrawl.begin()
  const frontier = await crawl.open()
  const deep = { id: 1, url: urlOf('a.test/1'), depth: 70_000 }
  assert.equal(await frontier.settle([stored(durable(deep), founds('a.test/2'))]), 1)
  const urlStates = await crawl.ledger()
  assert.equal((await urlStates.find(urlOf('a.test/1')))?.depth, 65_534)
  assert.equal((await urlStates.find(urlOf('a.test/2')))?.depth, 65_534)
})

test('what was tried more often than a row can say was tried as often as it can say', async () => {
  await using crawl = await SharedCrawl.begin()
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/'), 'seed')
  // The row of URL 1: tries are its bytes 6 and 7.
  const rows = crawl.key('u:0')
  for (const at of [6, 7]) {
    for (let nth = 0; nth < 8; nth += 1) {
      await crawl.connection.call('SETBIT', rows, (36 + at) * 8 + nth, 1)
    }
  }
  assert.equal((await frontier.lease(1))[0]?.tries, 65_535)
})

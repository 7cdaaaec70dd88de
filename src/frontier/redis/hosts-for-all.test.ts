import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds } from '../../../test/contract/frontier/rig.ts'
import { SharedCrawl as Crawl } from '../../../test/contract/frontier/shared-crawl.ts'
import type { HostState } from '../../core/host.ts'
import { HostsForAll } from './hosts-for-all.ts'

const state = (host: string, stored: number): HostState => ({
  ...{ host, site: host, queued: 0, inFlight: 0, stored, failures: 0, trouble: '' },
  ...{ delayMs: 0, restsUntil: 0 },
})

test('one session reads all hosts, the others show what it leaves them, until it is gone', async () => {
  await using crawl = await Crawl.begin()
  const [first] = await crawl.two('a.test/')
  await first.add(founds('b.test/'), 'seed')
  const others = Array.from({ length: 700 }, (_, at) => state(`h${at}.test`, 1000 - at))
  const all = [...others, state('a.test', 1)]
  let reads = 0
  const readAll = async () => {
    reads += 1
    return all
  }
  const [one, two] = ['one', 'two'].map((session) => {
    const name = { prefix: crawl.connection.prefix, crawlId: 1, shard: 0 }
    return new HostsForAll(crawl, { name, session, readAll })
  })
  const sessions = crawl.key('sessions')
  await crawl.connection.call('ZADD', sessions, 1e15, 'one', 1e15, 'two')
  assert.equal((await one!.read()).length, 701)
  const shown = await two!.read()
  assert.equal(reads, 1)
  // The largest, and the seed's own however small it is.
  assert.deepEqual([shown.length, shown[0]?.host, shown.at(-1)?.host], [501, 'h0.test', 'a.test'])
  await crawl.connection.call('ZREM', sessions, 'one')
  assert.equal((await two!.read()).length, 701)
  assert.equal((await one!.read()).length, 501)
  assert.equal(reads, 2)
})

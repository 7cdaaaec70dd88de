// While a script runs nobody else is served: however large a frontier is, each does a bounded part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds } from '../../../test/contract/frontier/rig.ts'
import { SharedCrawl as Crawl } from '../../../test/contract/frontier/shared-crawl.ts'

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
  assert.equal(frontier.outlook().readyAt, crawl.clock.now())
  assert.equal((await frontier.lease(2100)).length, 2100)
})

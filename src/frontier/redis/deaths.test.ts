// What sessions die of, again and again: not only pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { SESSION_MS, SharedCrawl } from '../../../test/contract/frontier/shared-crawl.ts'
import type { Lease } from '../frontier.ts'
import { beginRedisRecrawl } from './begin-recrawl.ts'
import type { RedisFrontier } from './redis-frontier.ts'

/** Leases what there is until nothing is left or it was too often; how often it was. */
async function deathsOf(crawl: SharedCrawl, watcher: RedisFrontier): Promise<readonly Lease[]> {
  const leases: Lease[] = []
  while (leases.length < 10) {
    const dying = await crawl.open()
    const [lease] = await dying.lease(1)
    dying.abandon()
    if (lease === undefined) break
    leases.push(lease)
    await crawl.pass(SESSION_MS + 1, watcher)
  }
  return leases
}

test('a robots.txt that sessions die of is out of reach', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 0, retries: 0, ignoreRobots: false })
  const watcher = await crawl.open()
  await watcher.add(founds('a.test/'), 'seed')
  const deaths = await deathsOf(crawl, watcher)
  assert.deepEqual(new Set(deaths.map(({ kind }) => kind)), new Set(['robots']))
  assert.equal(deaths.length, 4)
  await watcher.renew()
  assert.equal(watcher.status().allUnreachable, true)
  assert.equal(await watcher.refuseUnreachable(), 1)
})

test('a sitemap that sessions die of has failed', async () => {
  const settings = { delayMs: 0, retries: 0, ignoreRobots: false, sitemaps: true }
  await using crawl = await SharedCrawl.begin(settings)
  const watcher = await crawl.open()
  await watcher.add(founds('a.test/'), 'seed')
  const [robots] = await watcher.lease(1)
  const fetchedAt = crawl.clock.now()
  await watcher.saveRobots(robots!, {
    ...{ origin: 'http://a.test', status: 'fetched', body: '', attempts: 0 },
    ...{ fetchedAt, expiresAt: fetchedAt + 86_400_000 },
    sitemaps: [urlOf('a.test/sitemap.xml')],
  })
  const [page] = await watcher.lease(1, 1)
  const other = page?.kind === 'page' ? page : (await watcher.lease(1))[0]
  await watcher.settle([stored(other!)])
  if (page?.kind === 'sitemap') await watcher.settle([{ lease: page, outcome: 'released' }])
  const deaths = await deathsOf(crawl, watcher)
  assert.deepEqual(
    deaths.map(({ kind, tries }) => [kind, tries]),
    [1, 2, 3, 4].map((tries) => ['sitemap', tries]),
  )
  assert.equal(watcher.status().readyAt, null)
})

test('a page that sessions die of while it is visited again stays as it was', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 0, retries: 0 })
  const first = await crawl.open()
  await first.add(founds('a.test/'), 'seed')
  const [lease] = await first.lease(1)
  await first.settle([stored(lease!)])
  await first[Symbol.asyncDispose]()
  const page = { url: urlOf('a.test/'), etag: '', lastModified: '', contentHash: '', priority: 1 }
  const pages = (async function* () {
    yield [page]
  })()
  const round = { job: crawl.job, round: 1, onlyPages: true, pages }
  await beginRedisRecrawl({ connection: crawl.connection }, round)
  const watcher = await crawl.open({ joins: false })
  const deaths = await deathsOf(crawl, watcher)
  assert.equal(deaths.length, 4)
  assert.equal(watcher.status().revisits, 0)
  const known = await (await crawl.ledger()).find(urlOf('a.test/'))
  assert.equal(known?.state, 'stored')
  assert.match(known?.reason ?? '', /^not-refreshed: parser-crash/)
})

test('what a session holds is found without looking at what others hold', async () => {
  await using crawl = await SharedCrawl.begin({ delayMs: 0 })
  const [one, two] = await crawl.two('a.test/', 'b.test/', 'c.test/')
  const [first] = await one.lease(1)
  const rest = await two.lease(2)
  const heldBy = async (): Promise<string[]> => {
    const keys = (await crawl.connection.call('KEYS', `${crawl.key('held:')}*`)) as string[]
    const sizes = await Promise.all(keys.map((key) => crawl.connection.call('SCARD', key)))
    return sizes.map(String).toSorted()
  }
  assert.deepEqual(await heldBy(), ['1', '2'])
  two.requestSent(rest[0]!)
  await two.settle([stored(rest[0]!)])
  assert.equal(two.status().unsettled - two.status().heldByOthers, 2)
  two.requestEnded(rest[0]!, { ok: true })
  await two.renew()
  assert.equal(two.status().unsettled - two.status().heldByOthers, 1)
  await two[Symbol.asyncDispose]()
  await one.settle([{ lease: first!, outcome: 'released' }])
  assert.deepEqual(await heldBy(), [])
})

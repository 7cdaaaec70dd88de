// Many machines on the dashboard: a real master on a real PostgreSQL and Redis, a real worker that comes
// and goes, and a Redis that goes away and comes back.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { jelajah } from '../e2e/crawling.ts'
import { type Served, startServer, until } from '../e2e/serving.ts'
import { testDatabase } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import {
  assertAccessible,
  assertFits,
  type Chromium,
  keepScreenshot,
  openBrowser,
} from './browser.ts'

const NAME = '<img src=x onerror=alert(1)> kilang'

const rig = new AsyncDisposableStack()
let served: ServedSite
let server: Served
let browser: Chromium
let redis: Awaited<ReturnType<typeof startRedis>>
let env: Record<string, string>

before(async () => {
  browser = rig.use(await openBrowser())
  served = rig.use(await startSite(createSite({ seed: 5, pages: 300, hosts: 3 })))
  redis = rig.use(await startRedis({ appendOnly: true, settings: ['--appendfsync', 'always'] }))
  const { url: data } = rig.use(await testDatabase())
  env = { JELAJAH_DATA: data, JELAJAH_FRONTIER: redis.url }
  const flags = ['--frontier', redis.url, '--allow-private', '--quiet']
  server = rig.use(await startServer(data, flags))
})
after(() => rig.disposeAsync())

test('a crawl waits for workers, is shared with one that comes, and says who went and which store is away', async () => {
  const id = await server.crawl({ urls: served.seeds, name: 'shared', delay: 300 })
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(server.url)
  await page.locator('.job-note', { hasText: 'Waiting for workers' }).waitFor()
  await page.getByRole('link', { name: 'shared' }).click()
  await page.locator('.notice.warning', { hasText: 'Waiting for workers' }).waitFor()
  await page.getByText('Nobody works on this crawl now.').waitFor()

  const args = ['worker', '--name', NAME, '--pairs', '1', '--allow-private', '--quiet']
  const worker = jelajah(args, { env })
  const row = page.locator('.job-workers tbody tr', { hasText: 'kilang' })
  await row.waitFor()
  await page.locator('.notice.warning').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Partitions of the frontier' }).waitFor()
  await page.getByRole('heading', { name: /URLs? (?:is|are) leased/ }).click()
  await page.locator('.job-leases li', { hasText: 'kilang' }).first().waitFor()
  await keepScreenshot(page, 'job-shared')
  await assertAccessible(page, 'a job that is shared')

  await page.getByRole('navigation').getByRole('link', { name: 'Workers' }).click()
  const shown = page.locator('.workers tbody tr', { hasText: NAME })
  await shown.filter({ hasText: 'Working' }).waitFor()
  await shown.getByRole('link', { name: id }).waitFor()
  await keepScreenshot(page, 'workers')
  await assertAccessible(page, 'workers')
  await page.setViewportSize({ width: 390, height: 800 })
  await assertFits(page, 'the workers on a telephone')
  await page.setViewportSize({ width: 1280, height: 900 })

  worker.process.kill('SIGTERM')
  assert.equal((await worker.ended).code, 0)
  await page.locator('.workers tr.gone', { hasText: 'Gone since' }).waitFor()
  await assertAccessible(page, 'a worker that went')

  await redis.stop()
  await page.getByText(/^Redis cannot be reached since \d\d:\d\d:\d\d\./).waitFor()
  await page.getByText(/If it is not back by \d\d:\d\d:\d\d, server and workers end/).waitFor()
  await keepScreenshot(page, 'redis-away')
  await assertAccessible(page, 'a store that is away')
  const { status, json } = await server.ask('/healthz')
  assert.deepEqual([status, json.status], [503, 'store-away'])
  await redis.start()
  await page.getByText('Redis is back; crawls go on.').waitFor()
  await until(async () => (await server.ask('/healthz')).status === 200, 'all to be well')
  await page.getByLabel('Language').selectOption('id')
  await page.getByRole('heading', { name: 'Pekerja', exact: true }).waitFor()
  assert.deepEqual(troubles, [])
})

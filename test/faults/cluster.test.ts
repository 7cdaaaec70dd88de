// A crawl and a worker on a real Redis Cluster, one master of which is replaced in the middle of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cluster } from 'ioredis'
import postgres from 'postgres'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { jelajah } from '../e2e/crawling.ts'
import { brokenByRows } from '../e2e/kills.ts'
import { until } from '../e2e/serving.ts'
import { testDatabase } from '../servers/postgres.ts'
import { startRedisCluster } from '../servers/redis-cluster.ts'
import { readUrlRows } from '../servers/url-rows.ts'

const DELAY_MS = 100
const MASTERS = 3
const SLOTS = 16_384

/** Which master has the first part of the first crawl's frontier. */
async function masterOfCrawl(url: string): Promise<number> {
  const [, hosts = ''] = url.split('://')
  const client = new Cluster(hosts.split(',').map((host) => `redis://${host}`))
  const slot = Number(await client.cluster('KEYSLOT', '{jelajah:1:0}'))
  client.disconnect()
  return Math.floor((slot * MASTERS) / SLOTS)
}

test('a crawl on a Redis Cluster goes on while a master is replaced, and stores the truth', async () => {
  const site = createSite({ seed: 9, pages: 120, hosts: 8 })
  await using served = await startSite(site)
  await using cluster = await startRedisCluster()
  await using database = await testDatabase()
  const master = await masterOfCrawl(cluster.url)
  const flags = ['--data', database.url, '--frontier', `${cluster.url}?lease=3`, '--allow-private']
  const crawl = jelajah(['crawl', ...served.seeds, '--delay', String(DELAY_MS), ...flags])
  const worker = jelajah(['worker', '--name', 'one', '--pairs', '1', ...flags])
  await using stack = new AsyncDisposableStack()
  for (const { process: child, ended } of [crawl, worker]) {
    stack.defer(async () => {
      child.kill('SIGKILL')
      await ended
    })
  }
  await until(() => served.log.length > 30, 'the crawl to be under way')
  await cluster.failOver(master)
  const { code, stderr } = await crawl.ended
  assert.equal(code, 0, stderr)
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  stack.defer(() => sql.end())
  const rows = {
    pages: await sql<{ url: string; duplicate_of: number | null }[]>`
      SELECT url, duplicate_of FROM pages`,
    urls: await readUrlRows({ data: database.url, frontier: cluster.url }),
  }
  const evidence = { site, served, seeds: served.seeds, delayMs: DELAY_MS }
  assert.deepEqual(brokenByRows(evidence, rows), [])
})

import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { founds } from '../../../test/contract/frontier/rig.ts'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { openLine } from '../../../test/servers/line.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { testPlace } from '../../../test/servers/server-fixture.ts'
import { announcementOf } from '../../../test/support/registry-records.ts'
import type { WorkspaceUrl } from '../../core/workspace-url.ts'
import { frontierNeeds } from '../../crawl/frontier-needs.ts'
import type { CrawlLeases } from '../../fleet/fleet.ts'
import type { WorkerRecord } from '../../fleet/worker-registry.ts'
import { systemClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { openWorkspace } from '../open-workspace.ts'
import { PostgresFleet } from './postgres-fleet.ts'
import { ServerFleet } from './server-fleet.ts'

const worker: WorkerRecord = {
  ...{ id: 'a', name: 'a', machine: 'm', pid: 1, version: '1', protocol: 1, pairs: 1, since: 0 },
  ...{ cpu: 0, rssBytes: 0, pagesPerSecond: 0, inFlight: 0, shares: [], declined: [] },
  isLeaving: false,
}

function through(url: string, port: number): string {
  const led = new URL(url)
  led.host = `127.0.0.1:${port}`
  return led.href
}

const portOf = (url: string): number => Number(new URL(url).port)

test('workers are seen and both stores answer; over a line that is cut neither does, until it is mended', async () => {
  await using servers = await testPlace()
  await using toPostgres = await openLine(portOf(servers.data))
  await using toRedis = await openLine(portOf(servers.frontier))
  await using workspace = openWorkspace({ data: servers.data, frontier: servers.frontier })
  await (await workspace.workers())?.report(worker)
  await using fleet = new ServerFleet({
    data: through(servers.data, toPostgres.port),
    frontier: through(servers.frontier, toRedis.port),
  })
  const both = () => Promise.allSettled([fleet.ask('postgres'), fleet.look()])
  const [, seen] = await both()
  assert.deepEqual(seen.status === 'fulfilled' && seen.value.workers.map(({ id }) => id), ['a'])
  assert.equal(await fleet.leases(1), null)
  toPostgres.cut()
  toRedis.cut()
  const lost = await both()
  assert.deepEqual(
    lost.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  toPostgres.mend()
  toRedis.mend()
  const back = await both()
  assert.deepEqual(
    back.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  )
})

test('stores that are not there are reported without a password', async () => {
  const nowhere = {
    data: 'postgres://u:rahasia@127.0.0.1:1/x',
    frontier: 'redis://:rahasia@127.0.0.1:1',
  }
  await using fleet = new ServerFleet(nowhere)
  for (const outcome of await Promise.allSettled([fleet.ask('postgres'), fleet.look()])) {
    assert.equal(outcome.status, 'rejected')
    const { message } = (outcome as PromiseRejectedResult).reason
    assert.match(message, /127\.0\.0\.1:1/)
    assert.doesNotMatch(message, /rahasia/)
  }
})

test('on PostgreSQL alone the same line carries both answers', async () => {
  await using database = await testDatabase()
  await using line = await openLine(portOf(database.url))
  await using workspace = openWorkspace({ data: database.url, frontier: null })
  await (await workspace.workers())?.report(worker)
  await using fleet = new PostgresFleet({ data: through(database.url, line.port) })
  assert.deepEqual(
    (await fleet.look()).workers.map(({ id }) => id),
    ['a'],
  )
  line.cut()
  await assert.rejects(fleet.look(), { code: 'store-unreachable' })
  line.mend()
  await fleet.ask()
})

/** Two scouters of one worker share a crawl. */
async function checkLeases(place: WorkspaceUrl): Promise<CrawlLeases> {
  await using workspace = openWorkspace(place)
  await using jobs = await workspace.jobStore()
  const settings = { ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false, scope: 'any' }
  const job = await jobs.create(sampleJob({ settings: settings as typeof DEFAULT_SETTINGS }))
  await using fleet = await workspace.fleet()
  assert.equal(await fleet?.leases(job.id), null)
  const needs = frontierNeeds(job, systemClock)
  await workspace.beginRun(needs)
  const registry = await workspace.workers()
  await registry?.report({ ...worker, machine: hostname(), pid: process.ppid, name: 'kilang' })
  await registry?.announce(announcementOf({ crawl: job.id }))
  await using one = (await workspace.frontier(needs)).frontier
  await using two = (await workspace.frontier(needs)).frontier
  const found = founds(...Array.from({ length: 20 }, (_, at) => `h${at}.test/`))
  for (const each of [one, two]) await each.add(found, 'seed')
  const leases = [...(await two.lease(20))]
  // Partitions move to the second one with the next report. Until then the first leases nothing: a partition
  // with leases would wait for them.
  while (leases.length < 20) {
    await pause(20)
    leases.push(...(await two.lease(20)))
    if (leases.length > 0) leases.push(...(await one.lease(20)))
  }
  await Promise.all([one.flush(), two.flush()])
  let told = await fleet?.leases(job.id)
  while (told?.leases.length !== 20) {
    await pause(20)
    told = await fleet?.leases(job.id)
  }
  assert.deepEqual(told.leases.map(({ url }) => url).sort(), leases.map(({ url }) => url).sort())
  assert.equal(told.total, 20)
  assert.equal(told.sessions.length, 2)
  assert.equal(
    told.sessions.reduce((sum, { leases: held }) => sum + held, 0),
    20,
  )
  const holders = [...told.holders.values()].map(({ name, worker: id }) => [name, id])
  assert.deepEqual(holders, [
    ['kilang', 'a'],
    ['kilang', 'a'],
  ])
  assert.ok(told.leases.every(({ session }) => told.holders.has(session)))
  assert.equal(
    told.partitions.reduce((sum, { leased }) => sum + leased, 0),
    20,
  )
  assert.deepEqual([...((await fleet?.look())?.leases ?? [])], [['a', 20]])
  return told
}

test('who holds which URLs of a crawl is reported, and how many each worker has', async () => {
  await using servers = await testPlace()
  const { partitions } = await checkLeases({ data: servers.data, frontier: servers.frontier })
  const prefix = new URL(servers.frontier).searchParams.get('prefix')
  assert.match(partitions[1]?.keys ?? '', new RegExp(`^\\{${prefix}:\\d+:1\\}$`))
})

test('on PostgreSQL alone the same is told of leases', async () => {
  await using database = await testDatabase()
  const { partitions } = await checkLeases({ data: database.url, frontier: null })
  assert.deepEqual([partitions.length, partitions[0]?.keys], [16, ''])
})

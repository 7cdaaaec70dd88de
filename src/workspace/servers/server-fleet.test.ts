import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLine } from '../../../test/servers/line.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { testPlace } from '../../../test/servers/server-place.ts'
import type { WorkerRecord } from '../../fleet/worker-registry.ts'
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

test('stores that are not there are told without a password', async () => {
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

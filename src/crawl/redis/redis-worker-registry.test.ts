import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { announcementOf, programOf, workerRecord } from '../../../test/support/registry-records.ts'
import { CrawlerError } from '../../core/errors.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { NO_PROGRESS } from '../progress.ts'
import { createRedisWorkerRegistry } from './redis-worker-registry.ts'

let connection: RedisConnection
before(async () => {
  connection = await openRedis({ url: await sharedRedisUrl() })
})
after(() => connection[Symbol.asyncDispose]())

/** A registry of its own, with a clock that the test moves. */
function openRegistry() {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  const clock = { ms: 1_000_000 }
  const run: RedisConnection['run'] = (...call) => connection.run(...call)
  const registry = createRedisWorkerRegistry({
    connection: { prefix, run },
    now: () => clock.ms,
  })
  return {
    clock,
    registry,
    [Symbol.asyncDispose]: async () => {
      const names = ['seen', 'records', 'versions', 'glances']
      for (const name of names) await connection.call('DEL', `{${prefix}:workers}:${name}`)
    },
  }
}

test('a worker hears which crawls run, an owner who is there and how the crawl looks', async () => {
  await using opened = openRegistry()
  const { registry } = opened
  const announcement = announcementOf({ crawl: 3 })
  assert.deepEqual(await registry.announce(announcement), { workers: [], glance: null })
  const record = workerRecord({ id: 'one' })
  const glance = { counts: NO_PROGRESS.counts, hosts: [], fairness: 0.5 }
  assert.deepEqual(await registry.report(record, new Map([[3, glance]])), [announcement])
  assert.deepEqual(await registry.announce(announcement), { workers: [record], glance })
  assert.deepEqual(await registry.announcements(), [announcement])
})

test('what a worker says of a crawl that nobody announces is not kept', async () => {
  await using opened = openRegistry()
  const { registry } = opened
  const glance = { counts: NO_PROGRESS.counts, hosts: [], fairness: 0.5 }
  await registry.report(workerRecord({}), new Map([[3, glance]]))
  const heard = await registry.announce(announcementOf({ crawl: 3 }))
  assert.equal(heard.glance, null)
})

test('who falls silent is gone after a while, and an owner later than a worker', async () => {
  await using opened = openRegistry()
  const { registry, clock } = opened
  await registry.report(workerRecord({ id: 'silent' }))
  await registry.announce(announcementOf({ crawl: 3 }))
  clock.ms += 14_000
  await registry.report(workerRecord({ id: 'alive' }))
  assert.equal((await registry.workers()).length, 2)
  clock.ms += 1_001
  assert.deepEqual(
    (await registry.workers()).map(({ id }) => id),
    ['alive'],
  )
  assert.equal((await registry.announcements()).length, 1)
  clock.ms += 15_000
  assert.equal((await registry.announcements()).length, 0)
})

test('a worker that leaves is gone at once', async () => {
  await using opened = openRegistry()
  const { registry } = opened
  await registry.report(workerRecord({ id: 'one' }))
  await registry.leave('one')
  assert.deepEqual(await registry.workers(), [])
})

test('a program of another protocol is refused, told who is there, and changes nothing', async () => {
  await using opened = openRegistry()
  const { registry, clock } = opened
  await registry.report(workerRecord({ id: 'one', name: 'rack-1' }))
  const strange = { ...programOf(), version: '9.0.0', protocol: 99 }
  const isRefusal = (error: unknown): boolean =>
    error instanceof CrawlerError &&
    /this is Jelajah 9\.0\.0, but Jelajah 1\.2\.3 on machine \(rack-1\), process 7 is at work/.test(
      error.message,
    )
  const owner = { ...strange, role: 'serve' as const }
  await assert.rejects(registry.report(workerRecord({ id: 'two', ...strange })), isRefusal)
  await assert.rejects(registry.announce({ ...announcementOf({}), owner }), isRefusal)
  assert.equal((await registry.workers()).length, 1)
  clock.ms += 15_001
  // Once the others are gone, it is theirs.
  assert.deepEqual(await registry.report(workerRecord({ id: 'two', ...strange })), [])
})

test('time is the server’s unless a test has its own', async () => {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  const run: RedisConnection['run'] = (...call) => connection.run(...call)
  const registry = createRedisWorkerRegistry({ connection: { prefix, run } })
  const [seconds] = (await connection.call('TIME')) as string[]
  assert.ok(Math.abs((await registry.now()) - Number(seconds) * 1000) < 60_000)
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { founds, stored } from '../../../test/contract/frontier/rig.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import type { Job } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { openRedis } from '../../db/redis.ts'
import { systemClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import { markOf, newOwner, programMark } from '../partitions/owner-name.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openRedisFrontier } from './redis-frontier.ts'
import { countRedisLeases, readRedisLeases } from './redis-leases.ts'

const job: Job = {
  ...{ id: 3, name: 'shared', origin: 'cli', topic: null, salt: 77 },
  seeds: ['http://a.test/' as CanonicalUrl],
  settings: { ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false, delayMs: 0 },
}

test('the name of a session begins with the mark of its program, and no two are the same', () => {
  const program = { machine: 'one', pid: 7 }
  const [a, b] = [newOwner(program), newOwner(program)]
  assert.notEqual(a, b)
  assert.equal(a.length, 12)
  assert.equal(markOf(a), programMark(program))
  assert.notEqual(programMark(program), programMark({ machine: 'one', pid: 8 }))
})

test('who holds which URLs and hosts is told, shard by shard; of a crawl that is not there nothing', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  await using connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  assert.equal(await readRedisLeases(connection, job.id, 10), null)
  const ordering = orderingNamed(job.settings.ordering)
  const open = (joins: boolean) =>
    openRedisFrontier({
      ...{ connection, job, ordering, scorer: ordering.createScorer({}, job.salt), joins },
      ...{ policy: hostPolicyNamed('fair'), clock: systemClock, admit: () => null },
      templateOf: () => null,
    })
  {
    await using one = await open(false)
    await using two = await open(true)
    await one.add(founds('a.test/1', 'b.test/1', 'c.test/1', 'c.test/2'), 'seed')
    const leases = [...(await one.lease(1)), ...(await two.lease(1))]
    one.requestSent(leases[0]!)
    await one.renew()
    const told = await readRedisLeases(connection, job.id, 10)
    assert.deepEqual(told?.leases.map(({ url }) => url).sort(), leases.map(({ url }) => url).sort())
    assert.deepEqual(told?.leases.map(({ startedAt }) => startedAt !== null).sort(), [false, true])
    assert.equal(new Set(told?.leases.map(({ session }) => session)).size, 2)
    assert.equal(told?.total, 2)
    const mark = programMark({ machine: hostname(), pid: process.ppid })
    assert.ok(told?.sessions.every(({ session }) => markOf(session) === mark))
    assert.deepEqual(
      told?.sessions.map(({ leases }) => leases),
      [1, 1],
    )
    const [shard] = told?.shards ?? []
    assert.deepEqual([shard?.keys, shard?.urls, shard?.queued], [`{${prefix}:3:0}`, 4, 2])
    assert.ok(told?.hosts.every(({ host }) => leases.some((lease) => lease.host === host)))
    assert.equal((await readRedisLeases(connection, job.id, 1))?.leases.length, 1)
    assert.deepEqual([...(await countRedisLeases(connection, job.id)).values()], [1, 1])
    await one.settle([stored(leases[0]!)])
  }
  const keys = await connection.call('KEYS', `{${prefix}:*`)
  if (Array.isArray(keys)) await connection.call('UNLINK', ...keys)
})

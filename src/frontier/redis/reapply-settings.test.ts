import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { founds, urlOf } from '../../../test/contract/frontier/rig.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import type { CrawlSettings, Job } from '../../core/job.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { breadthFirst } from '../../ordering/breadth-first.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { criteriaOf } from '../reopened-refusals.ts'
import { keyPrefix } from './keys.ts'
import { openRedisFrontier } from './redis-frontier.ts'
import { openRedisUrlStates } from './redis-url-states.ts'

function jobWith(settings: Partial<CrawlSettings>): Job {
  return {
    ...{ id: 1, name: 'judged', origin: 'cli', topic: null, salt: 77 },
    seeds: [urlOf('a.test/')],
    settings: { ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false, ...settings },
  }
}

/** One run, in which all that waits is in scope or nothing is; the states it leaves. */
async function run(connection: RedisConnection, job: Job, inScope: boolean): Promise<string[]> {
  const frontier = await openRedisFrontier({
    ...{ connection, job, clock: new ManualClock(), clockIsShared: true, ordering: breadthFirst },
    ...{ scorer: breadthFirst.createScorer({}, 1), policy: hostPolicyNamed('fair') },
    ...{ admit: () => (inScope ? null : 'scope'), templateOf: () => null },
  })
  if (frontier.counts().queued === 0) await frontier.add(founds('a.test/1', 'a.test/2'), 'seed')
  await frontier[Symbol.asyncDispose]()
  await using ledger = await openRedisUrlStates({ connection }, job)
  return (await ledger.list({ after: 0, limit: 9 })).map(({ state }) => state)
}

async function withRedis(body: (connection: RedisConnection) => Promise<void>): Promise<void> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  await using connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  try {
    await body(connection)
  } finally {
    const keys = await connection.call('KEYS', `{${prefix}:*`)
    if (Array.isArray(keys) && keys.length > 0) await connection.call('UNLINK', ...keys)
  }
}

const [any, host, domain] = (['any', 'host', 'domain'] as const).map((scope) => jobWith({ scope }))

/** Leaves it as a run does that is killed after it judged the first URL by the last of these. */
async function killAfterFirst(connection: RedisConnection, ...jobs: readonly Job[]): Promise<void> {
  const key = `${keyPrefix({ prefix: connection.prefix, crawlId: 1, shard: 0 })}judged`
  await connection.call('HSET', key, 'by', JSON.stringify(jobs.map(criteriaOf)), 'upTo', 1)
}

test('a run that was killed while it judged anew is gone on with from there', () =>
  withRedis(async (connection) => {
    assert.deepEqual(await run(connection, any!, true), ['queued', 'queued'])
    await killAfterFirst(connection, any!, host!)
    assert.deepEqual(await run(connection, host!, false), ['queued', 'refused'])
    // It is done with then: the same settings judge nothing again.
    assert.deepEqual(await run(connection, host!, true), ['queued', 'refused'])
  }))

test('with yet other settings it is begun again from the first URL', () =>
  withRedis(async (connection) => {
    await run(connection, any!, true)
    await killAfterFirst(connection, any!, host!)
    assert.deepEqual(await run(connection, domain!, false), ['refused', 'refused'])
  }))

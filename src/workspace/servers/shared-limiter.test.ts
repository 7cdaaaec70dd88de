import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { openRedis } from '../../db/redis.ts'
import { systemClock as clock } from '../../lib/clock.ts'
import { endSharedTurns, openSharedTurns } from './shared-limiter.ts'

const WANTED = { delayMs: 0, perHost: 1, forMs: 1_000_000 }

test('what processes of a dead run left at hosts ends with the next run, what others have does not', async () => {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  await using connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  const open = (holder: string) => openSharedTurns(connection, { holder, clock })
  await using dead = await open('crawl 1')
  await using other = await open('crawl 2')
  assert.ok((await dead.ask('a.test', WANTED)).turn)
  assert.ok((await other.ask('b.test', WANTED)).turn)
  await using third = await open('crawl 3')
  assert.equal((await third.ask('a.test', WANTED)).turn, null)
  await endSharedTurns(connection, 'crawl 1')
  assert.ok((await third.ask('a.test', WANTED)).turn)
  assert.equal((await third.ask('b.test', WANTED)).turn, null)
})

test('processes of one crawl do not wait for each other: between them its frontier keeps turns', async () => {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  await using connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  const open = (holder: string) => openSharedTurns(connection, { holder, clock })
  await using one = await open('crawl 1')
  await using same = await open('crawl 1')
  await using other = await open('crawl 11')
  assert.ok((await one.ask('a.test', WANTED)).turn)
  assert.ok((await same.ask('a.test', WANTED)).turn)
  assert.equal((await other.ask('a.test', WANTED)).turn, null)
})

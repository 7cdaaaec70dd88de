import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLine } from '../../test/servers/line.ts'
import { startRedis } from '../../test/servers/redis.ts'
import { CrawlerError } from '../core/errors.ts'
import { openRedis } from './redis.ts'

function isLate(error: unknown): boolean {
  assert.ok(error instanceof CrawlerError)
  assert.match(
    error.message,
    /^the Redis at redis:\/\/127\.0\.0\.1:\d+ could not be reached for \d+ s$/,
  )
  return error.code === 'store-unreachable'
}

test('what is asked while Redis is away is answered when it is back, and past the deadline refused', async () => {
  await using server = await startRedis()
  await using patient = await openRedis({ url: server.url })
  await using hasty = await openRedis({ url: server.url, deadlineMs: 50 })
  await server.stop()
  const answer = patient.call('PING')
  const waiting = assert.rejects(hasty.call('PING'), isLate)
  const script = assert.rejects(
    hasty.run('fleet/workers', ['{a}:1', '{a}:2', '{a}:3', '{a}:4'], []),
    isLate,
  )
  await waiting
  await script
  await assert.rejects(hasty.call('PING'), isLate)
  await server.start()
  assert.equal(await answer, 'PONG')
})

test('who knows that a server was there waits for it, also to open it', async () => {
  await using server = await startRedis()
  const { url } = server
  await server.stop()
  const unreachable = (error: unknown) =>
    error instanceof CrawlerError && error.code === 'store-unreachable'
  await assert.rejects(openRedis({ url }), unreachable)
  const opening = openRedis({ url, openMs: 60_000 })
  await server.start()
  await using connection = await opening
  assert.equal(await connection.call('PING'), 'PONG')
})

test('a line that was cut, on which nothing breaks, is waited for no longer than a server that is gone', async () => {
  await using server = await startRedis()
  await using line = await openLine(server.port)
  const url = `redis://127.0.0.1:${line.port}`
  await using connection = await openRedis({ url, deadlineMs: 300 })
  line.cut()
  await assert.rejects(connection.call('PING'), isLate)
})

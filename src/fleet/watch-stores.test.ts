import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/servers/postgres.ts'
import { startRedis } from '../../test/servers/redis.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { watchStores } from './watch-stores.ts'

test('a Redis that goes is reported once, with how long it is waited for, and so is its return', async () => {
  await using database = await testDatabase()
  await using redis = await startRedis()
  await using workspace = openWorkspace({ data: database.url, frontier: redis.url })
  const said: string[] = []
  await using watch = await watchStores(workspace, (text) => said.push(text))
  await redis.stop()
  await watch?.look()
  await watch?.look()
  assert.match(said.join(), /^Redis is away since [\d:]{8}, is waited for until [\d:]{8}: [^,]+$/)
  await redis.start()
  await watch?.look()
  assert.match(said[1] ?? '', /^Redis is back after \d+ s$/)
})

test('where there are no servers, none is watched', async () => {
  await using workspace = openWorkspace({ data: '/nowhere', frontier: null })
  assert.equal(await watchStores(workspace, assert.fail), null)
})

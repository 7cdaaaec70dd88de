import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { testDatabase } from './postgres.ts'
import { sharedRedisUrl } from './redis.ts'

test('a test has a Redis that answers', async () => {
  const redis = new Redis(await sharedRedisUrl())
  assert.equal(await redis.ping(), 'PONG')
  redis.disconnect()
})

test('a test has a database of its own, which is gone afterwards', async () => {
  await using first = await testDatabase()
  await using second = await testDatabase()
  for (const { url } of [first, second]) {
    const sql = postgres(url)
    await sql`CREATE TABLE only_here (id int)`
    await sql.end()
  }
})

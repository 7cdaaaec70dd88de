import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { removeLeftovers, testDatabase } from './postgres.ts'
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
    const tables = await sql`SELECT 1 FROM pg_tables WHERE tablename = 'only_here'`
    assert.equal(tables.length, 0)
    await sql`CREATE TABLE only_here (id int)`
    await sql.end()
  }
  assert.notEqual(first.url, second.url)
})

test('what a killed test left behind goes, and what others still use stays', () => {
  const [gone, kept] = [spawnSync('true').pid, process.pid].map((pid) =>
    mkdtempSync(join(tmpdir(), `postgres-${pid}-`)),
  )
  removeLeftovers()
  assert.deepEqual([existsSync(gone!), existsSync(kept!)], [false, true])
  rmSync(kept!, { recursive: true })
})

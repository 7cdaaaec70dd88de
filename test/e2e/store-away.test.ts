// A master whose store goes away: it says so, and gives up when it has been away for too long, whether a
// job runs or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServer } from '../../src/cli/serve/run-server.ts'
import { parseServe } from '../../src/cli/serve/serve.ts'
import { testDatabase } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'

test('a master without jobs says that Redis is away, and ends when it stays so', async () => {
  await using redis = await startRedis()
  await using database = await testDatabase()
  const env = { JELAJAH_DATA: database.url, JELAJAH_FRONTIER: redis.url, PORT: '0' }
  const around = { cwd: '/', env, cores: 2, memoryBytes: 2 ** 30 }
  const log: string[] = []
  const options = parseServe(['--store-timeout', '1'], around)
  const server = await openServer({ ...options, log: (text) => log.push(text) })
  try {
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    await redis.stop()
    assert.match(await server.unreachable, /^Redis could not be reached for \d+ s$/)
    const health = await fetch(`${server.url}/healthz`)
    assert.deepEqual(
      [health.status, log.some((line) => /^Redis is away since /.test(line))],
      [503, true],
    )
  } finally {
    await server.close()
  }
})

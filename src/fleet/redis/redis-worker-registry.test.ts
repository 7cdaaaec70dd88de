import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { workerRegistryContract } from '../../../test/contract/worker-registry.contract.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { createRedisWorkerRegistry } from './redis-worker-registry.ts'

let connection: RedisConnection
before(async () => {
  connection = await openRedis({ url: await sharedRedisUrl() })
})
after(() => connection[Symbol.asyncDispose]())

async function openRegistry() {
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
      const names = ['seen', 'workers', 'runs', 'owners', 'glances']
      for (const name of names) await connection.call('DEL', `{${prefix}:workers}:${name}`)
    },
  }
}

workerRegistryContract('Redis', openRegistry, 1_500)

test('time is the server’s unless a test has its own', async () => {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  const run: RedisConnection['run'] = (...call) => connection.run(...call)
  const registry = createRedisWorkerRegistry({ connection: { prefix, run } })
  const [seconds] = (await connection.call('TIME')) as string[]
  assert.ok(Math.abs((await registry.now()) - Number(seconds) * 1000) < 60_000)
})

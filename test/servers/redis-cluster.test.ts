import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cluster } from 'ioredis'
import { startRedisCluster } from './redis-cluster.ts'

test('a test has a Redis Cluster, which serves on when a master is killed', async () => {
  await using cluster = await startRedisCluster()
  const hosts = new URL(cluster.url.split(',')[0]!).host
  const client = new Cluster([`redis://${hosts}`])
  client.on('error', () => {})
  const keys = Array.from({ length: 30 }, (_, nth) => `key ${nth}`)
  for (const key of keys) await client.set(key, key)
  await cluster.failOver(1)
  for (const key of keys) assert.ok([key, null].includes(await client.get(key)))
  client.disconnect()
})

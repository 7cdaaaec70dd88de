// On a real Cluster: partitions are on three masters.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { frontierStorageContract } from '../../../test/contract/frontier-storage.contract.ts'
import { startRedisCluster } from '../../../test/servers/redis-cluster.ts'
import { openRedis } from '../../db/redis.ts'
import { createRedisStorage } from './redis-storage.ts'

const cluster = await startRedisCluster()
after(() => cluster[Symbol.asyncDispose]())

frontierStorageContract('Redis Cluster', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  return {
    open: async () => {
      const connection = await openRedis({ url: `${cluster.url}?prefix=${prefix}` })
      return Object.assign(createRedisStorage(connection), {
        [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
      })
    },
    pass: (ms) => pause(ms),
    [Symbol.asyncDispose]: async () => {},
  }
})

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { frontierStorageContract } from '../../../test/contract/frontier-storage.contract.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { openRedis } from '../../db/redis.ts'
import { createRedisStorage } from './redis-storage.ts'

frontierStorageContract('Redis', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const url = `${await sharedRedisUrl()}?prefix=${prefix}`
  return {
    open: async () => {
      const connection = await openRedis({ url })
      return Object.assign(createRedisStorage(connection), {
        [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
      })
    },
    pass: (ms) => pause(ms),
    [Symbol.asyncDispose]: async () => {
      await using connection = await openRedis({ url })
      const storage = createRedisStorage(connection)
      for (const crawlId of [7, 8, 9]) await storage.discard(crawlId)
    },
  }
})

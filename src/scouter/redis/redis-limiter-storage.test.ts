import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { limiterStorageContract } from '../../../test/contract/limiter-storage.contract.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { openRedis } from '../../db/redis.ts'
import { createRedisLimiterStorage } from './redis-limiter-storage.ts'

const url = await sharedRedisUrl()
const connection = await openRedis({ url })
after(() => connection[Symbol.asyncDispose]())

limiterStorageContract('Redis', async (now) => {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  const own: Pick<typeof connection, 'prefix' | 'run' | 'call'> = {
    prefix,
    run: (...call) => connection.run(...call),
    call: (...call) => connection.call(...call),
  }
  const storage = createRedisLimiterStorage({
    connection: own,
    ...(now === undefined ? {} : { now }),
  })
  return Object.assign(storage, {
    [Symbol.asyncDispose]: async () => {
      for (const name of ['members', 'hosts', 'used', 'rests']) {
        await connection.call('DEL', `{${prefix}:limiter}:${name}`)
      }
    },
  })
})

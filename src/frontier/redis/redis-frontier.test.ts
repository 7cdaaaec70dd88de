import { randomBytes } from 'node:crypto'
import { type FrontierPlace, frontierContract } from '../../../test/contract/frontier.contract.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { openRedis } from '../../db/redis.ts'
import { beginRedisRecrawl } from './begin-recrawl.ts'
import { openRedisFrontier, type RedisFrontier } from './redis-frontier.ts'
import { openRedisUrlStates } from './redis-url-states.ts'

async function openPlace(): Promise<FrontierPlace> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  let open: RedisFrontier | null = null
  return {
    open: async (setup) => {
      open = await openRedisFrontier({
        ...{ ...setup, connection, clockIsShared: true, takeOver: true },
      })
      return open
    },
    ledger: (job) => openRedisUrlStates({ connection }, job),
    beginRound: (round) => beginRedisRecrawl({ connection }, round),
    crash: async () => open?.abandon(),
    [Symbol.asyncDispose]: async () => {
      await forget(prefix)
      await connection[Symbol.asyncDispose]()
    },
  }

  async function forget(prefix: string): Promise<void> {
    let cursor = '0'
    do {
      const found = await connection.call('SCAN', cursor, 'MATCH', `{${prefix}:*`, 'COUNT', 1000)
      const [next, keys] = found as [string, string[]]
      if (keys.length > 0) await connection.call('UNLINK', ...keys)
      cursor = next
    } while (cursor !== '0')
  }
}

frontierContract('Redis', openPlace)

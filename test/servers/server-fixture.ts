// A place on servers for one test: a database and a prefix of its own, both gone afterwards.
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { testDatabase } from './postgres.ts'
import { sharedRedisUrl } from './redis.ts'

export type TestFixture = AsyncDisposable & {
  readonly data: string
  readonly frontier: string
  /** As flags. */
  readonly flags: readonly string[]
  /** As a process finds them around it. */
  readonly env: Readonly<Record<string, string>>
}

const BATCH = 1000

export async function testPlace(): Promise<TestFixture> {
  const database = await testDatabase()
  const prefix = `test-${randomBytes(8).toString('hex')}`
  const redisUrl = await sharedRedisUrl()
  const data = database.url
  const frontier = `${redisUrl}?prefix=${prefix}`
  return {
    ...{ data, frontier, flags: ['--data', data, '--frontier', frontier] },
    env: { JELAJAH_DATA: data, JELAJAH_FRONTIER: frontier },
    [Symbol.asyncDispose]: async () => {
      await dropKeys(redisUrl, prefix)
      await database[Symbol.asyncDispose]()
    },
  }
}

async function dropKeys(redisUrl: string, prefix: string): Promise<void> {
  const client = new Redis(redisUrl)
  try {
    const match = { match: `{${prefix}:*`, count: BATCH }
    for await (const keys of client.scanStream(match)) {
      if (keys.length > 0) await client.unlink(keys)
    }
  } finally {
    client.disconnect()
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedCrawl as Crawl } from '../../../test/contract/frontier/shared-crawl.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { discardRedisFrontier } from './rebuild.ts'
import { knownShards } from './shard-count.ts'

const SHARDS = 3

test('what is left of a frontier whose discarding was cut short is known, and can be discarded', async () => {
  await using crawl = await Crawl.begin()
  const { connection } = crawl
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const open = await crawl.open({ shard, shards: SHARDS, joins: false })
    await open[Symbol.asyncDispose]()
  }
  const cut: RedisConnection = Object.create(connection, {
    prefix: { value: connection.prefix },
    run: { value: connection.run.bind(connection) },
    call: {
      value: async (...words: Parameters<RedisConnection['call']>) => {
        const reply = await connection.call(...words)
        if (words.some((word) => String(word).endsWith(':meta'))) throw new Error('cut short')
        return reply
      },
    },
  })
  await assert.rejects(discardRedisFrontier(cut, 1, SHARDS), /cut short/)
  assert.equal(await knownShards(connection, 1), SHARDS)
  await discardRedisFrontier(connection, 1, SHARDS)
  assert.deepEqual(await connection.call('KEYS', `{${connection.prefix}:*`), [])
})

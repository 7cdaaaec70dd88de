// On a real Cluster: partitions are on three masters.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  batchOf,
  claimed,
  divided,
  LONG_MS,
  loadedIds,
  rowsBatch,
  urlRow,
  write,
} from '../../../test/contract/frontier-storage/rig.ts'
import { frontierStorageContract } from '../../../test/contract/frontier-storage.contract.ts'
import { startRedisCluster } from '../../../test/servers/redis-cluster.ts'
import { openRedis } from '../../db/redis.ts'
import { RowsLost, type RowsOfTable } from '../storage.ts'
import { createRedisStorage } from './redis-storage.ts'

const SLOTS = 16_384
const MASTERS = 3

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

// The last one: a master is gone after it.
test('what a master took and lost before its replica had it is written again', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  await using connection = await openRedis({ url: `${cluster.url}?prefix=${prefix}` })
  const storage = createRedisStorage(connection)
  const slot = await connection.call('CLUSTER', 'KEYSLOT', `{${prefix}:7:0}`)
  const master = Math.floor((Number(slot) * MASTERS) / SLOTS)
  await divided(storage, 2)
  const [own, other] = [await claimed(storage, 0), await claimed(storage, 1)]
  await write(storage, own, rowsBatch('url', [urlRow(1)]))
  await cluster.deafen(master)
  const message = { from: 0, to: 1, number: 1, body: Uint8Array.of(1) }
  const lost = batchOf({ ...rowsBatch('url', [urlRow(2)]), messages: [message] })
  await write(storage, own, lost)
  await cluster.failOver(master)

  const refused = rowsBatch('url', [urlRow(3)])
  await assert.rejects(write(storage, own, refused), (error) => error instanceof RowsLost)
  const rows: RowsOfTable = { table: 'url', rows: [urlRow(1), urlRow(2)] }
  await storage.restore(
    own,
    (async function* () {
      yield rows
    })(),
  )
  await write(storage, own, refused)
  assert.deepEqual(await loadedIds(storage, own), [1, 2, 3])
  assert.equal((await storage.inbox(other, 9)).length, 1)
  const { partitions } = await storage.report(7, 'a', LONG_MS)
  assert.deepEqual(
    partitions.map(({ lost: isLost }) => isLost),
    [undefined, undefined],
  )
})

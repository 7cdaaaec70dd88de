import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { knowingContract } from '../../../test/contract/frontier/knowing.ts'
import { restartContract } from '../../../test/contract/frontier/restart.ts'
import { type FrontierPlace, founds, promisesOf, Rig } from '../../../test/contract/frontier/rig.ts'
import { sharingContract } from '../../../test/contract/frontier/sharing.ts'
import { startRedisCluster } from '../../../test/servers/redis-cluster.ts'
import { openRedis } from '../../db/redis.ts'
import { discardRedisFrontier } from './rebuild.ts'
import { beginWholeRound, findWholeLedger, openWholeFrontier } from './whole-frontier.ts'

const cluster = await startRedisCluster()
after(() => cluster[Symbol.asyncDispose]())

/** `master`: which one has the crawl, or its first shard. */
async function openPlace(shards: number): Promise<FrontierPlace & { readonly master: number }> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const connection = await openRedis({ url: `${cluster.url}?prefix=${prefix}&shards=${shards}` })
  const slot = await connection.call('CLUSTER', 'KEYSLOT', `{${prefix}:3:0}`)
  let open: Awaited<ReturnType<typeof openWholeFrontier>> | null = null
  return {
    master: Math.floor((Number(slot) * 3) / 16_384),
    open: async (setup) => {
      const how = { connection, clockIsShared: true, takeOver: true }
      open = await openWholeFrontier({ ...setup, ...how })
      return open
    },
    ledger: async (job) => (await findWholeLedger({ connection }, job)) ?? assert.fail('none'),
    beginRound: (round) => beginWholeRound({ connection }, round),
    crash: async () => open?.abandon(),
    [Symbol.asyncDispose]: async () => {
      await discardRedisFrontier(connection, 3, shards)
      await connection[Symbol.asyncDispose]()
    },
  }
}

const onCluster = promisesOf('Cluster', () => openPlace(1))
knowingContract(onCluster)
restartContract(onCluster)
sharingContract(promisesOf('Cluster, 3 shards', () => openPlace(3)))

// The last one: a master is gone after it.
test('a crawl comes to its end while the master that has it fails over', async () => {
  const place = await openPlace(1)
  await using rig = new Rig(place, {})
  await rig.open()
  const links = Array.from({ length: 30 }, (_, nth) => `a.test/${nth}`)
  await rig.seed('a.test/')
  await rig.store(...links)
  for (let nth = 0; nth < 10; nth++) await rig.store()
  const over = cluster.failOver(place.master)
  const stored = await rig.drain()
  await over
  assert.ok(stored.length >= 20, `${stored.length}`)
  assert.equal(await rig.frontier.add(founds(...links), 'seed'), 0)
})

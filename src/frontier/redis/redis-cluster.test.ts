// On a real Cluster, in three shards on three masters: the promises of every frontier, as far as the settings
// of a promise let a crawl be divided. With WHOLE_CONTRACT=1 all of them, those in one piece too.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { budgetsContract } from '../../../test/contract/frontier/budgets.ts'
import { knowingContract } from '../../../test/contract/frontier/knowing.ts'
import { pathsContract } from '../../../test/contract/frontier/paths.ts'
import { roundsContract } from '../../../test/contract/frontier/recrawls.ts'
import { restartContract } from '../../../test/contract/frontier/restart.ts'
import {
  type FrontierPlace,
  found,
  founds,
  type Promises,
  promisesOf,
  Rig,
  stored,
} from '../../../test/contract/frontier/rig.ts'
import { sharingContract } from '../../../test/contract/frontier/sharing.ts'
import { sitemapsContract } from '../../../test/contract/frontier/sitemaps.ts'
import { frontierContract } from '../../../test/contract/frontier.contract.ts'
import { startRedisCluster } from '../../../test/servers/redis-cluster.ts'
import { openRedis } from '../../db/redis.ts'
import { shardOf } from '../partitions/partition-of.ts'
import { discardRedisFrontier } from './rebuild.ts'
import { beginWholeRecrawl, findWholeUrlStates, openWholeFrontier } from './whole-frontier.ts'

const SHARDS = 3
const SLOTS = 16_384

const cluster = await startRedisCluster()
after(() => cluster[Symbol.asyncDispose]())

/** `masters`: of each shard, which one has it. */
type ClusterPlace = FrontierPlace & { readonly masters: readonly number[] }

async function openPlace(): Promise<ClusterPlace> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  // As many shards as there are masters, since nothing else is said.
  const connection = await openRedis({ url: `${cluster.url}?prefix=${prefix}` })
  const masters: number[] = []
  for (let shard = 0; shard < SHARDS; shard++) {
    const slot = await connection.call('CLUSTER', 'KEYSLOT', `{${prefix}:3:${shard}}`)
    masters.push(Math.floor((Number(slot) * SHARDS) / SLOTS))
  }
  let open: Awaited<ReturnType<typeof openWholeFrontier>> | null = null
  return {
    masters,
    divided: 'shards',
    open: async (setup) => {
      const how = { connection, clockIsShared: true, takeOver: true }
      open = await openWholeFrontier({ ...setup, ...how })
      return open
    },
    ledger: async (job) => (await findWholeUrlStates({ connection }, job)) ?? assert.fail('none'),
    beginRound: (round) => beginWholeRecrawl({ connection }, round),
    crash: async () => open?.abandon(),
    [Symbol.asyncDispose]: async () => {
      await discardRedisFrontier(connection, 3, SHARDS)
      await connection[Symbol.asyncDispose]()
    },
  }
}

/** One whose shards are on three masters. */
async function openSpread(): Promise<ClusterPlace> {
  for (;;) {
    const place = await openPlace()
    if (new Set(place.masters).size === SHARDS) return place
    await place[Symbol.asyncDispose]()
  }
}

/** A host of that shard. */
function hostIn(shard: number, but = ''): string {
  for (let nth = 0; ; nth++) {
    const host = `h${nth}.test`
    if (shardOf(host, SHARDS) === shard && host !== but) return host
  }
}

const inShards = promisesOf('Cluster', openPlace)

/** Much the same is promised by others, in less time. */
const LONG =
  /thousand|worth of links|unequal sites|many hosts|nobody waits long|comes back after a long time|quick do not wait/

/** Leaves out what is in one piece there as anywhere else. */
const divided: Promises = (title, body, changes = {}) => {
  const { maxDepth, hostPolicy, ordering, buffer } = changes.settings ?? {}
  const isWhole = (maxDepth ?? hostPolicy ?? ordering ?? buffer ?? changes.ordering) !== undefined
  if (!isWhole && !LONG.test(title)) inShards(title, body, changes)
}

if (process.env.WHOLE_CONTRACT === '1') {
  frontierContract('Cluster', openPlace)
} else {
  for (const contract of [
    ...[knowingContract, pathsContract, restartContract, sharingContract],
    ...[sitemapsContract, roundsContract, budgetsContract],
  ]) {
    contract(divided)
  }
}

test('redirects that lead through several shards and back are a loop', async () => {
  await using rig = new Rig(await openPlace(), { settings: { scope: 'any' } })
  await rig.open()
  const [one, two, three] = [0, 1, 2].map((shard) => `${hostIn(shard)}/`)
  await rig.seed(one!)
  for (const to of [two!, three!, one!]) {
    const lease = await rig.visitNext()
    await rig.frontier.settle([{ lease, outcome: 'redirected', to: found(to) }])
  }
  assert.deepEqual(await rig.states(), {
    [one!]: `redirected: http://${two}`,
    [two!]: `redirected: http://${three}`,
    [three!]: `failed: redirect-loop: http://${one}`,
  })
  assert.equal(rig.frontier.status().readyAt, null)
})

test('sitemaps of hosts in other shards are read there, each once', async () => {
  const settings = { ignoreRobots: false, sitemaps: true, scope: 'any' } as const
  await using rig = new Rig(await openPlace(), { settings })
  const { frontier } = { frontier: await rig.open() }
  const [here, there] = [hostIn(0), hostIn(1)]
  await rig.seed(`${here}/`)
  const sitemaps = [`http://${there}/1.xml`] as never[]
  await frontier.saveRobots(await rig.visitNext(), rig.robotsRecord(`http://${here}`, { sitemaps }))
  const read: string[] = []
  while (frontier.status().readyAt !== null) {
    const lease = await rig.visitNext()
    if (lease.kind === 'page') await frontier.settle([stored(lease)])
    else if (lease.kind === 'robots') {
      const origin = lease.url.replace('/robots.txt', '')
      await frontier.saveRobots(lease, rig.robotsRecord(origin, { sitemaps }))
    } else {
      read.push(lease.url)
      const more = lease.url.endsWith('1.xml') ? [`http://${here}/2.xml`] : []
      await frontier.settle([
        { lease, outcome: 'read', found: founds(`${here}/found`), sitemaps: more as never[] },
      ])
    }
  }
  assert.deepEqual(read.toSorted(), [`http://${here}/2.xml`, `http://${there}/1.xml`].toSorted())
  assert.equal((await rig.states())[`${here}/found`], 'stored')
})

// The last one: a master is gone after it.
test('links that a master took and lost before its replica had them are given to that again', async () => {
  const place = await openSpread()
  await using rig = new Rig(place, { settings: { scope: 'any' } })
  await rig.open()
  const [here, there] = [hostIn(0), hostIn(1)]
  const links = Array.from({ length: 5 }, (_, nth) => `${there}/${nth}`)
  await rig.seed(`${here}/`, `${here}/1`, `${there}/`)
  const before = await rig.visitNext()
  await cluster.deafen(place.masters[1]!)
  await rig.frontier.settle([stored(before, founds(...links))])
  assert.equal((await rig.records()).length, 3 + links.length)
  await cluster.failOver(place.masters[1]!)
  // Until somebody notices, they are unknown.
  assert.equal((await rig.records()).length, 3)
  const visited = await rig.drain()
  assert.deepEqual(new Set(links), new Set(visited.filter((url) => links.includes(url))))
  assert.equal(rig.frontier.counts().queued, 0)
  assert.equal(await rig.frontier.add(founds(...links), 'seed'), 0)
})

// Frontiers in shards, all on one Redis: how many they have, what is copied of them, and how they are made anew.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  type FrontierPlace,
  type FrontierSetup,
  found,
  founds,
  Rig,
  type RigChanges,
  stored,
  urlOf,
} from '../../../test/contract/frontier/rig.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import type { HostCopy, UrlCopy } from '../../core/url-copy.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { shardOf } from '../partitions/partition-of.ts'
import { keyPrefix } from './keys.ts'
import { discardRedisFrontier, rebuildRedisFrontier } from './rebuild.ts'
import { knownShards } from './shard-count.ts'
import { createWholeUrlChanges, notedShards } from './sharded-url-changes.ts'
import { findWholeUrlStates, openWholeFrontier, shardsNotice } from './whole-frontier.ts'

const SHARDS = 3
const CRAWL = 3

class ShardedPlace implements FrontierPlace {
  readonly divided = 'shards'
  readonly connection: RedisConnection
  readonly urls = new Map<number, UrlCopy>()
  readonly hosts = new Map<string, HostCopy>()
  #open: Awaited<ReturnType<typeof openWholeFrontier>> | null = null
  #setup: FrontierSetup | null = null

  constructor(connection: RedisConnection) {
    this.connection = connection
  }

  async open(setup: FrontierSetup) {
    this.#setup = setup
    this.#open = await openWholeFrontier(this.options)
    return this.#open
  }

  get options() {
    assert.ok(this.#setup !== null)
    const how = { clockIsShared: true, takeOver: true, keepsChanges: true }
    return { ...this.#setup, connection: this.connection, ...how }
  }

  async ledger(job: FrontierSetup['job']) {
    return (await findWholeUrlStates({ connection: this.connection }, job)) ?? assert.fail('none')
  }

  beginRound(): Promise<void> {
    return Promise.reject(new Error('no rounds here'))
  }

  async crash(): Promise<void> {
    this.#open?.abandon()
  }

  /** Brings the copy up to date, so many changes at once; `look` sees it after each. */
  async copy(limit: number, look: () => void = () => {}): Promise<number> {
    await using changes = createWholeUrlChanges(this.connection, CRAWL, SHARDS)
    let shards = 1
    for (;;) {
      const some = await changes.take(limit)
      assert.ok(some !== null)
      if (some.urls.length === 0) return shards
      for (const url of some.urls) this.urls.set(url.position, url)
      for (const host of some.hosts) this.hosts.set(host.host, host)
      shards = notedShards(some.notes)
      await changes.copied(some)
      look()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await discardRedisFrontier(this.connection, CRAWL, SHARDS)
    await this.connection[Symbol.asyncDispose]()
  }
}

async function openRig(changes: RigChanges = {}): Promise<{ rig: Rig; place: ShardedPlace }> {
  const place = new ShardedPlace(await connect(`test-${randomBytes(6).toString('hex')}`, SHARDS))
  const settings = { scope: 'any', ...changes.settings } as const
  const rig = new Rig(place, { ...changes, settings })
  await rig.open()
  return { rig, place }
}

async function connect(prefix: string, shards: number): Promise<RedisConnection> {
  return openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}&shards=${shards}` })
}

/** Pages of many hosts that link to each other: `a.test/` first. */
async function crawlSome(rig: Rig): Promise<void> {
  await rig.seed('a.test/')
  const hosts = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test', 'f.test']
  await rig.store(...hosts.map((host) => `${host}/1`), found('g.test/', { nofollow: true }))
  for (let nth = 0; nth < 4; nth++) await rig.store(...hosts.map((host) => `${host}/${nth + 2}`))
  const moved = await rig.visitNext()
  await rig.frontier.settle([{ lease: moved, outcome: 'redirected', to: found('h.test/') }])
}

async function* all<T>(some: Iterable<T>): AsyncIterable<readonly T[]> {
  yield [...some]
}

test('a crawl keeps the shards it has begun with, and says so to who asks for others', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  const { connection } = place
  await using other = await connect(connection.prefix, 5)
  assert.equal(await shardsNotice(connection, CRAWL), null)
  assert.match(String(await shardsNotice(other, CRAWL)), /cut into 3 shards and stays so: shards=5/)
  await rig.frontier[Symbol.asyncDispose]()
  const again = await openWholeFrontier({ ...place.options, connection: other })
  await again[Symbol.asyncDispose]()
  assert.equal(await knownShards(connection, CRAWL), SHARDS)
})

test('a crawl that must see all of its frontier at once has it in one piece', async () => {
  for (const settings of [{ maxDepth: 3 }, { buffer: 100 }, { hostPolicy: 'best' }] as const) {
    const { rig, place } = await openRig({ settings })
    await using _ = rig
    assert.equal(await knownShards(place.connection, CRAWL), 1)
  }
})

test('a frontier that lost one of its shards is not taken for a whole one', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  const { connection } = place
  await crawlSome(rig)
  await place.crash()
  const lost = keyPrefix({ prefix: connection.prefix, crawlId: CRAWL, shard: 2 })
  await connection.call('DEL', `${lost}meta`)
  assert.equal(await findWholeUrlStates({ connection }, rig.job), null)
  await assert.rejects(openWholeFrontier(place.options), /is not in Redis .*--rebuild-frontier/)
})

test('in the copy, whatever is settled has its links, whichever shards they are in', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  await crawlSome(rig)
  const links = new Map([['http://a.test/', ['a', 'b', 'c', 'd', 'e', 'f', 'g']]])
  let looks = 0
  const shards = await place.copy(1, () => {
    looks += 1
    const known = new Set(Array.from(place.urls.values(), ({ url }) => new URL(url).host[0]))
    for (const { url, state } of place.urls.values()) {
      if (state === 'stored') for (const host of links.get(url) ?? []) assert.ok(known.has(host))
    }
  })
  assert.equal(shards, SHARDS)
  assert.ok(looks > place.urls.size)
  const states = Array.from(place.urls.values(), ({ url, state }) => [url, state])
  const records = (await rig.records()).map(({ url, state }) => [url, state])
  assert.deepEqual(states.toSorted(), records.toSorted())
})

test('a frontier in shards is made again from its copy, under the same ids', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  await crawlSome(rig)
  await place.crash()
  await place.copy(100)
  const before = await rig.records()
  const { connection } = place
  await discardRedisFrontier(connection, CRAWL, SHARDS)
  const urls = [...place.urls.values()].toSorted((a, b) => a.position - b.position)
  await rebuildRedisFrontier({
    frontier: { ...place.options, shards: SHARDS },
    ...{ urls: all(urls), hosts: all(place.hosts.values()) },
  })
  assert.deepEqual(await rig.records(), before)
  await rig.open()
  const left = before.filter(({ state }) => state === 'queued').length
  assert.equal((await rig.drain()).length, left)
})

test('sessions together lease no more pages than the crawl may have, in whichever shards', async () => {
  const { rig, place } = await openRig({ settings: { maxPages: 7 } })
  await using _ = rig
  const hosts = Array.from({ length: 30 }, (_, nth) => `h${nth}.test`)
  assert.equal(new Set(hosts.map((host) => shardOf(host, SHARDS))).size, SHARDS)
  await rig.frontier.add(founds(...hosts.map((host) => `${host}/`)), 'seed')
  const { takeOver: _alone, ...options } = place.options
  await using other = await openWholeFrontier({ ...options, joins: true })
  const given = await Promise.all([rig.frontier, other].map((frontier) => frontier.lease(5)))
  rig.clock.advance(2_000)
  const later = await Promise.all([rig.frontier, other].map((frontier) => frontier.lease(5)))
  assert.equal([...given, ...later].flat().length, 7)
})

test('a page that another session has settled meanwhile brings its links once', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  await rig.seed('a.test/')
  const lease = await rig.visitNext()
  const links = founds('b.test/', 'c.test/', 'd.test/')
  const durable = {
    kind: 'page',
    id: lease.id,
    token: null,
    url: urlOf('a.test/'),
    depth: 0,
  } as const
  for (let times = 0; times < 2; times++) await rig.frontier.settle([stored(durable, links)])
  await rig.frontier.settle([stored(lease, links)])
  await rig.restart()
  assert.equal((await rig.records()).length, 4)
  assert.deepEqual([rig.frontier.counts().stored, rig.frontier.counts().queued], [1, 3])
  assert.ok(place.divided)
})

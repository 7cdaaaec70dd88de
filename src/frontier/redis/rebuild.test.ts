import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  type FrontierPlace,
  type FrontierSetup,
  found,
  Rig,
  type RigChanges,
  refused,
  urlOf,
} from '../../../test/contract/frontier/rig.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { templateOf } from '../../core/template.ts'
import type { HostCopy, UrlCopy } from '../../core/url-copy.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { discardRedisFrontier, rebuildRedisFrontier } from './rebuild.ts'
import { openRedisFrontier, type RedisFrontier } from './redis-frontier.ts'
import { createRedisUrlChanges } from './redis-url-changes.ts'
import { openRedisUrlStates } from './redis-url-states.ts'

/** A frontier whose changes are copied into maps. */
class CopiedPlace implements FrontierPlace {
  readonly urls = new Map<number, UrlCopy>()
  readonly hosts = new Map<string, HostCopy>()
  readonly connection: RedisConnection
  #open: RedisFrontier | null = null
  #setup: FrontierSetup | null = null

  constructor(connection: RedisConnection) {
    this.connection = connection
  }

  async open(setup: FrontierSetup): Promise<RedisFrontier> {
    this.#setup = setup
    this.#open = await openRedisFrontier(this.#options())
    return this.#open
  }

  ledger(job: FrontierSetup['job']) {
    return openRedisUrlStates({ connection: this.connection }, job)
  }

  beginRound(): Promise<void> {
    return Promise.reject(new Error('no rounds here'))
  }

  async crash(): Promise<void> {
    this.#open?.abandon()
  }

  /** Brings the copy up to date; `most` changes of it. */
  async copy(most = 1000): Promise<number> {
    await using changes = createRedisUrlChanges({ connection: this.connection, crawlId: 3 })
    const some = await changes.take(most)
    assert.ok(some !== null)
    for (const copy of some.urls) this.urls.set(copy.position, copy)
    for (const copy of some.hosts) this.hosts.set(copy.host, copy)
    await changes.copied(some)
    return some.urls.length
  }

  /** Loses the frontier and makes it again from the copy; is killed at the end of what it is given. */
  async rebuild({ isCut = false } = {}): Promise<void> {
    await discardRedisFrontier(this.connection, 3)
    const copies = [...this.urls.values()].toSorted((a, b) => a.position - b.position)
    const hosts = [...this.hosts.values()]
    const frontier = this.#options()
    const count = await rebuildRedisFrontier({
      ...{ frontier, urls: some(copies, isCut), hosts: some(hosts) },
    })
    assert.equal(count, copies.length)
  }

  #options() {
    assert.ok(this.#setup !== null)
    const { connection } = this
    const how = { clockIsShared: true, takeOver: true, keepsChanges: true }
    return { ...this.#setup, connection, ...how }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await discardRedisFrontier(this.connection, 3)
    await this.connection[Symbol.asyncDispose]()
  }
}

async function* some<T>(all: readonly T[], isCut = false): AsyncIterable<readonly T[]> {
  for (let at = 0; at < all.length; at += 3) yield all.slice(at, at + 3)
  if (isCut) throw new Error('cut')
}

async function openRig(changes: RigChanges = {}): Promise<{ rig: Rig; place: CopiedPlace }> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  const place = new CopiedPlace(connection)
  const rig = new Rig(place, changes)
  await rig.open()
  return { rig, place }
}

/** A page of every kind: stored, refused, failed for now and for good, a redirect, one that is out. */
async function manyEnds(rig: Rig): Promise<void> {
  const { frontier } = rig
  await rig.seed('a.test/', 'b.test/')
  await rig.store('a.test/1', 'a.test/2', 'a.test/3', 'a.test/4', 'b.test/1', 'b.test/2')
  await rig.store(found('b.test/3', { nofollow: true }), 'https://b.test/4', 'c.test/')
  await frontier.settle([refused(await rig.visitNext(), 'robots: /private \ud83d\ude00')])
  const failed = { outcome: 'failed', reason: 'http-503' } as const
  const lease = await rig.visitNext()
  await frontier.settle([{ lease, ...failed, retryAt: rig.clock.now() + 3_600_000 }])
  await frontier.settle([{ lease: await rig.visitNext(), ...failed, retryAt: null }])
  const moved = await rig.visitNext()
  await frontier.settle([{ lease: moved, outcome: 'redirected', to: found('d.test/') }])
  await rig.visitNext()
}

test('a frontier that was lost is made again as its copy knew it', async () => {
  const { rig, place } = await openRig({ settings: { trapBudget: 200 }, templateOf })
  await using _ = rig
  await manyEnds(rig)
  await place.copy()
  const [states, records, hosts] = [await rig.states(), await rig.records(), await hostsOf(rig)]
  await place.crash()
  await place.rebuild()
  const begunAt = rig.clock.now()
  await rig.open()
  // What was out is free.
  const isOut = ([, state]: [string, string]) => state === 'leased'
  const out = Object.entries(states).filter(isOut)
  assert.equal(out.length, 1)
  for (const [url] of out) states[url] = 'queued'
  assert.deepEqual(await rig.states(), states)
  assert.deepEqual(
    await rig.records(),
    records.map((record) => (record.state === 'leased' ? { ...record, state: 'queued' } : record)),
  )
  const shapes = (all: Awaited<ReturnType<typeof hostsOf>>) =>
    all.map(({ host, site, queued, inFlight, stored }) => [host, site, queued + inFlight, stored])
  assert.deepEqual(shapes(await hostsOf(rig)).sort(), shapes(hosts).sort())
  assert.deepEqual(await rig.frontier.lease(9), [])
  assert.equal(rig.frontier.status().readyAt, begunAt + 1000)
})

test('nothing that was queued is lost, and the order is as it was', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  await rig.seed('a.test/')
  await rig.store('a.test/1', 'a.test/2', 'a.test/3')
  await rig.store('a.test/4', 'a.test/1', 'a.test/5')
  await place.copy()
  await place.crash()
  await place.rebuild()
  await rig.open()
  assert.deepEqual(await rig.drain(), ['a.test/2', 'a.test/3', 'a.test/4', 'a.test/5'])
  assert.equal(await rig.seed('a.test/2', 'a.test/6'), 1)
})

test('ids stay what they were, also where the copy has gaps', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  await rig.seed('a.test/')
  const page = await rig.visitNext()
  await place.copy()
  await rig.frontier.settle([
    { lease: page, outcome: 'stored', found: links(1, 6), judged: null, likeness: 1 },
  ])
  // Cut short in the middle: links come before their page, the last of them first.
  assert.equal(await place.copy(3), 3)
  assert.deepEqual([...place.urls.keys()], [1, 7, 6, 5])
  await place.crash()
  await place.rebuild()
  await rig.open()
  assert.deepEqual(Object.keys(await rig.states()), ['a.test/', 'a.test/4', 'a.test/5', 'a.test/6'])
  assert.equal(rig.frontier.counts().queued, 4)
  // The page's receipt is still in the store.
  const lease = { kind: 'page', id: page.id, token: null } as const
  const again = { lease, outcome: 'stored', found: links(1, 6), judged: null, likeness: 1 } as const
  assert.equal(await rig.frontier.settle([again]), 1)
  assert.equal(Object.keys(await rig.states()).length, 7)
  for (const id of [2, 3, 4]) {
    const gone = { kind: 'page', id, token: null } as const
    assert.equal(await rig.frontier.settle([{ ...again, lease: gone }]), 0)
  }
  assert.equal((await rig.drain()).length, 6)
})

test('one that is not whole is opened by nobody, and begun anew', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  await rig.seed('a.test/', 'b.test/')
  await place.copy()
  await place.crash()
  await assert.rejects(place.rebuild({ isCut: true }), { message: 'cut' })
  await assert.rejects(rig.open(), { code: 'store-damaged', message: /--rebuild-frontier/ })
  await place.rebuild()
  await rig.open()
  assert.deepEqual(await rig.drain(), ['a.test/', 'b.test/'])
})

function links(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, nth) => found(`a.test/${from + nth}`))
}

async function hostsOf(rig: Rig) {
  await using urlStates = await rig.place.ledger(rig.job)
  return urlStates.hosts(100)
}

test('a URL that the copy has twice, from before and after a loss, is known once', async () => {
  const { rig, place } = await openRig()
  await using _ = rig
  await rig.seed('a.test/', 'b.test/')
  await place.copy()
  const first = place.urls.get(1)!
  place.urls.set(3, { ...first, position: 3 })
  place.urls.set(4, { ...first, position: 4, url: urlOf('c.test/') })
  await place.crash()
  await place.rebuild()
  await rig.open()
  assert.equal(rig.frontier.counts().queued, 3)
  rig.clock.advance(1000)
  const leased = await rig.frontier.lease(9)
  assert.deepEqual(leased.map(({ id }) => id).toSorted(), [1, 2, 4])
})

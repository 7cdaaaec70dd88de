import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/servers/postgres.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { openPostgres } from '../../db/postgres.ts'
import { countRefused } from '../url-states.ts'
import { findCopiedUrlStates } from './copied-url-states.ts'

const CRAWL = 7
const database = await testDatabase()
const db = await openPostgres({ url: database.url })
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
for (const crawl of [CRAWL, 8]) await db.sql`SELECT make_partitions(${crawl})`

const urlAt = (path: string) => `http://a.test/${path}` as CanonicalUrl

const STATE = { queued: 0, stored: 2, redirected: 4, refused: 5, outOfReach: 8 }

type Copied = {
  readonly state?: keyof typeof STATE
  readonly reason?: string
  readonly depth?: number
  readonly foundOn?: number | null
  readonly foundIn?: string
  readonly signals?: readonly number[]
  readonly priority?: number
  readonly tries?: number
  readonly nextAt?: number
}

/** Writes a row as earlier versions did. */
async function copyUrl(position: number, path: string, copied: Copied = {}): Promise<void> {
  const { state = 'queued', reason = '', depth = 1, foundOn = 1, foundIn = null } = copied
  const { priority = -1, tries = 0, nextAt = null } = copied
  const signals = copied.signals && Buffer.from(Float64Array.from(copied.signals).buffer)
  await db.sql`
    INSERT INTO url_states (crawl_id, position, url, state, via, hops, depth, tries, in_links,
      found_on, found_at, priority, next_at, reason, found_in, signals)
    VALUES (${CRAWL}, ${position}, ${urlAt(path)}, ${STATE[state]}, 0, 0, ${depth}, ${tries}, 1,
      ${foundOn}, ${position}, ${priority}, ${nextAt}, ${reason}, ${foundIn}, ${signals ?? null})`
}

async function copyHost(host: string, stored: number): Promise<void> {
  await db.sql`
    INSERT INTO host_states (crawl_id, host, site, queued, in_flight, stored, failures, trouble,
      own_delay_ms, delay_ms, rests_until)
    VALUES (${CRAWL}, ${host}, 'a.test', 2, 0, ${stored}, 0, '', 0, 1000, 5)`
}

await copyUrl(1, '', { state: 'stored', depth: 0, foundOn: null, tries: 1 })
await copyUrl(2, 'b')
await copyUrl(3, 'c', { priority: 2, signals: [0.5, -2] })
await copyUrl(4, 'd', { nextAt: 99, reason: 'http-503', tries: 1 })
await copyUrl(5, 'e', { state: 'refused', reason: 'robots' })
await copyUrl(6, 'f', { state: 'outOfReach', reason: 'robots-unreachable' })
await copyUrl(7, 'g', { state: 'redirected', reason: urlAt('h'), tries: 1 })
await copyUrl(8, 'h', { foundOn: null, foundIn: urlAt('sitemap.xml') })
await copyUrl(9, 'i', { state: 'refused', reason: 'scope: b.test' })
await copyUrl(10, 'j', { state: 'outOfReach', reason: 'budget-requests: 5' })
await copyHost('b.test', 0)
await copyHost('a.test', 4)

async function openUrlStates() {
  const urlStates = await findCopiedUrlStates(db, CRAWL)
  assert.ok(urlStates)
  return urlStates
}

test('a crawl of which nothing was copied has no urlStates here', async () => {
  assert.equal(await findCopiedUrlStates(db, 8), null)
})

test('what a budget puts off is not out of reach', async () => {
  await using urlStates = await openUrlStates()
  assert.deepEqual(await urlStates.unreached(['a.test']), [{ host: 'a.test', urls: 1 }])
})

test('a URL is found with all there is to say about it', async () => {
  await using urlStates = await openUrlStates()
  assert.deepEqual(await urlStates.find(urlAt('d')), {
    ...{ crawlId: CRAWL, url: urlAt('d'), host: 'a.test', state: 'queued', reason: 'http-503' },
    ...{ depth: 1, foundOn: urlAt(''), priority: -1, tries: 1, nextAt: 99 },
  })
  assert.equal((await urlStates.find(urlAt('h')))?.foundOn, urlAt('sitemap.xml'))
  assert.equal((await urlStates.find(urlAt('f')))?.state, 'refused')
  assert.equal(await urlStates.find(urlAt('none')), null)
  assert.deepEqual((await urlStates.candidate(urlAt('c')))?.signals, [0.5, -2])
})

test('URLs are listed in order of discovery, of one state and for one reason', async () => {
  await using urlStates = await openUrlStates()
  const listed = async (options: Parameters<typeof urlStates.list>[0]) =>
    (await urlStates.list(options)).map(({ position }) => position)
  assert.deepEqual(await listed({ after: 0, limit: 3 }), [1, 2, 3])
  assert.deepEqual(await listed({ after: 3, limit: 99 }), [4, 5, 6, 7, 8, 9, 10])
  assert.deepEqual(await listed({ after: 0, limit: 99, state: 'refused' }), [5, 6, 9, 10])
  assert.deepEqual(await listed({ after: 0, limit: 9, state: 'refused', code: 'scope' }), [9])
})

test('URLs are counted by state and by reason', async () => {
  await using urlStates = await openUrlStates()
  assert.deepEqual(await urlStates.counts(), {
    ...{ queued: 4, leased: 0, stored: 1, duplicate: 0, redirected: 1 },
    ...{ refused: 3, outside: 1, failed: 0 },
  })
  assert.equal(countRefused(await urlStates.outcomes(), ['robots', 'scope']), 2)
  const outcomes = (await urlStates.outcomes()).map(({ state, code, count }) => [
    state,
    code,
    count,
  ])
  assert.deepEqual(outcomes, [
    ['queued', '', 3],
    ['queued', 'http-503', 1],
    ['stored', '', 1],
    ['redirected', '', 1],
    ['refused', 'budget-requests', 1],
    ['refused', 'robots', 1],
    ['refused', 'robots-unreachable', 1],
    ['refused', 'scope', 1],
  ])
})

test('how many go before a URL counts those of its host that wait now', async () => {
  await using urlStates = await openUrlStates()
  assert.equal(await urlStates.ahead(urlAt('h')), 2)
  assert.equal(await urlStates.ahead(urlAt('c')), 0)
  assert.equal(await urlStates.ahead(urlAt('d')), 0)
})

test('hosts come the largest first', async () => {
  await using urlStates = await openUrlStates()
  const hosts = await urlStates.hosts(Number.POSITIVE_INFINITY)
  assert.deepEqual(
    hosts.map(({ host }) => host),
    ['a.test', 'b.test'],
  )
  assert.equal((await urlStates.host('a.test'))?.stored, 4)
  assert.equal(await urlStates.host('c.test'), null)
})

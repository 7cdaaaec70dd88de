import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/servers/postgres.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { HostCopy, UrlCopy } from '../../core/url-copy.ts'
import { openPostgres } from '../../db/postgres.ts'
import { createPostgresUrlStateCopy } from '../../store/postgres/postgres-url-state-copy.ts'
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

function copyOf(position: number, path: string, more: Partial<UrlCopy> = {}): UrlCopy {
  return {
    ...{ position, url: urlAt(path), state: 'queued', outOfReach: false, reason: '' },
    ...{ depth: 1, hops: 0, foundOn: 1, foundIn: null, via: 'link', foundAt: position },
    ...{ inLinks: 1, signals: null, priority: -1, tries: 0, nextAt: null, ...more },
  }
}

function hostOf(host: string, stored: number): HostCopy {
  return {
    ...{ host, site: 'a.test', queued: 2, inFlight: 0, stored, failures: 0, trouble: '' },
    ...{ ownDelayMs: 0, delayMs: 1000, restsUntil: 5 },
  }
}

const states = createPostgresUrlStateCopy(db)
await states.claim(CRAWL, 'me')
const batch = {
  urls: [
    copyOf(1, '', { state: 'stored', depth: 0, foundOn: null, tries: 1 }),
    copyOf(2, 'b'),
    copyOf(3, 'c', { priority: 2, signals: [0.5, -2] }),
    copyOf(4, 'd', { nextAt: 99, reason: 'http-503', tries: 1 }),
    copyOf(5, 'e', { state: 'refused', reason: 'robots' }),
    copyOf(6, 'f', { state: 'refused', reason: 'robots-unreachable', outOfReach: true }),
    copyOf(7, 'g', { state: 'redirected', reason: urlAt('h'), tries: 1 }),
    copyOf(8, 'h', { foundOn: null, foundIn: urlAt('sitemap.xml') }),
    copyOf(9, 'i', { state: 'refused', reason: 'scope: b.test' }),
    copyOf(10, 'j', { state: 'refused', reason: 'budget-requests: 5', outOfReach: true }),
  ],
  hosts: [hostOf('b.test', 0), hostOf('a.test', 4)],
  notes: [],
}
await states.save(CRAWL, batch, 'me')

async function openLedger() {
  const urlStates = await findCopiedUrlStates(db, CRAWL)
  assert.ok(urlStates)
  return urlStates
}

test('a crawl of which nothing was copied has no ledger here', async () => {
  assert.equal(await findCopiedUrlStates(db, 8), null)
})

test('what a budget puts off is not out of reach', async () => {
  await using urlStates = await openLedger()
  assert.deepEqual(await urlStates.unreached(['a.test']), [{ host: 'a.test', urls: 1 }])
})

test('a URL is found with all there is to say about it', async () => {
  await using urlStates = await openLedger()
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
  await using urlStates = await openLedger()
  const listed = async (options: Parameters<typeof urlStates.list>[0]) =>
    (await urlStates.list(options)).map(({ position }) => position)
  assert.deepEqual(await listed({ after: 0, limit: 3 }), [1, 2, 3])
  assert.deepEqual(await listed({ after: 3, limit: 99 }), [4, 5, 6, 7, 8, 9, 10])
  assert.deepEqual(await listed({ after: 0, limit: 99, state: 'refused' }), [5, 6, 9, 10])
  assert.deepEqual(await listed({ after: 0, limit: 9, state: 'refused', code: 'scope' }), [9])
})

test('URLs are counted by state and by reason', async () => {
  await using urlStates = await openLedger()
  assert.deepEqual(await urlStates.counts(), {
    ...{ queued: 4, leased: 0, stored: 1, duplicate: 0, redirected: 1 },
    ...{ refused: 3, outside: 1, failed: 0 },
  })
  assert.equal(await urlStates.countRefused(['robots', 'scope']), 2)
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
  await using urlStates = await openLedger()
  assert.equal(await urlStates.ahead(urlAt('h')), 2)
  assert.equal(await urlStates.ahead(urlAt('c')), 0)
  assert.equal(await urlStates.ahead(urlAt('d')), 0)
})

test('hosts come the largest first', async () => {
  await using urlStates = await openLedger()
  const hosts = await urlStates.hosts(Number.POSITIVE_INFINITY)
  assert.deepEqual(
    hosts.map(({ host }) => host),
    ['a.test', 'b.test'],
  )
  assert.equal((await urlStates.host('a.test'))?.stored, 4)
  assert.equal(await urlStates.host('c.test'), null)
})

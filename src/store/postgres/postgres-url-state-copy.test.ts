import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/servers/postgres.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { HostCopy, UrlCopy } from '../../core/url-copy.ts'
import { openPostgres } from '../../db/postgres.ts'
import { createPostgresUrlStateCopy } from './postgres-url-state-copy.ts'

function urlCopy(position: number, more: Partial<UrlCopy> = {}): UrlCopy {
  return {
    ...{ position, url: `http://a.test/${position}` as CanonicalUrl, state: 'queued' },
    ...{ outOfReach: false, reason: '', depth: 1, hops: 0, foundOn: null, foundIn: null },
    ...{ via: 'link', foundAt: position, inLinks: 1, signals: null, priority: -1, tries: 0 },
    ...{ nextAt: null, ...more },
  }
}

const HOST: HostCopy = {
  ...{ host: 'a.test', site: 'a.test', queued: 2, inFlight: 0, stored: 1, failures: 0 },
  ...{ trouble: '', ownDelayMs: 0, delayMs: 1000, restsUntil: 5 },
}

const ME = 'me'

async function openStates() {
  const database = await testDatabase()
  const db = await openPostgres({ url: database.url })
  for (const crawl of [7, 8]) await db.sql`SELECT make_partitions(${crawl})`
  const states = createPostgresUrlStateCopy(db)
  for (const crawl of [7, 8]) await states.claim(crawl, ME)
  return {
    db,
    states,
    [Symbol.asyncDispose]: async () => {
      await db[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('a frontier’s states are kept as they were, the newest over the older', async () => {
  await using place = await openStates()
  const { states, db } = place
  const copies = [
    urlCopy(1, { state: 'stored', tries: 1, via: 'seed', depth: 0 }),
    urlCopy(2, { foundOn: 1, signals: [0.5, -2], priority: 1 / 3, state: 'leased' }),
    urlCopy(3, { foundOn: 1, state: 'refused', reason: 'robots-unreachable', outOfReach: true }),
    urlCopy(4, { via: 'sitemap', foundIn: 'http://a.test/s.xml', nextAt: 99, reason: 'http-503' }),
    urlCopy(5, { state: 'failed', reason: 'odd: \0 \ud800 "x"' }),
  ]
  await states.save(7, { urls: copies.toReversed(), hosts: [HOST], notes: [] }, ME)
  await states.save(8, { urls: [urlCopy(1)], hosts: [], notes: [] }, ME)
  const kept = [...copies.slice(0, 4), { ...copies[4], reason: 'odd:  \ufffd "x"' }]
  assert.deepEqual(await states.list(7, 0, 9), kept)
  assert.deepEqual(await states.list(7, 2, 2), kept.slice(2, 4))
  assert.deepEqual(await states.hosts(7, '', 9), [HOST])
  const now = { ...kept[1]!, state: 'stored', tries: 1 } as UrlCopy
  await states.save(7, { urls: [now], hosts: [{ ...HOST, stored: 2 }], notes: [] }, ME)
  assert.deepEqual(await states.list(7, 1, 1), [now])
  assert.equal((await states.hosts(7, '', 9))[0]?.stored, 2)
  assert.deepEqual(await states.counts(7), {
    ...{
      queued: 1,
      leased: 0,
      stored: 2,
      duplicate: 0,
      redirected: 0,
      refused: 1,
      outside: 0,
      failed: 1,
    },
  })
  const rows = await db.sql`
    SELECT state, host, found_on FROM urls WHERE crawl_id = 7 ORDER BY url LIMIT 4`
  assert.deepEqual(
    [...rows].map(({ state, host, found_on }) => [state, host, found_on]),
    [
      ['stored', 'a.test', null],
      ['stored', 'a.test', 'http://a.test/1'],
      ['refused', 'a.test', 'http://a.test/1'],
      ['queued', 'a.test', 'http://a.test/s.xml'],
    ],
  )
  const [host] = await db.sql`SELECT stored, delay_ms FROM hosts WHERE crawl_id = 7`
  assert.deepEqual({ ...host }, { stored: 2, delay_ms: 1000 })
})

test('notes of a frontier are kept by name', async () => {
  await using place = await openStates()
  const { states } = place
  const note = { name: 'learned', bytes: Uint8Array.of(1, 0, 255) }
  await states.save(7, { urls: [], hosts: [], notes: [note] }, ME)
  await states.save(7, { urls: [], hosts: [], notes: [{ ...note, bytes: Uint8Array.of(2) }] }, ME)
  const [kept] = await states.notes(7)
  assert.deepEqual([kept?.name, [...(kept?.bytes ?? [])]], ['learned', [2]])
  assert.deepEqual(await states.notes(8), [])
})

test('one that stood still while it copied writes nothing over what another copied since', async () => {
  await using place = await openStates()
  const { states } = place
  const batch = (state: UrlCopy['state']) => ({
    urls: [urlCopy(1, { state })],
    hosts: [],
    notes: [],
  })
  await states.claim(7, 'another')
  assert.equal(await states.save(7, batch('stored'), 'another'), true)
  assert.equal(await states.save(7, batch('queued'), ME), false)
  assert.equal((await states.list(7, 0, 9))[0]?.state, 'stored')
  await states.claim(7, ME)
  assert.equal(await states.save(7, batch('failed'), ME), true)
  assert.equal((await states.list(7, 0, 9))[0]?.state, 'failed')
})

/** Pages 1 to `last` of crawl 7, of URLs as `urlCopy` has them. */
const PAGES = `
  INSERT INTO pages (id, crawl_id, url, status_code, content_type, charset, title, description, keywords,
    language, author, kind, html5, hot, depth, size_bytes, truncated, noindex, content_hash, fetched_at,
    fetch_ms, parse_ms, etag, last_modified, about, content_text)
  SELECT id, 7, 'http://a.test/' || id, 200, '', '', '', '', '', '', '', '', 1, 0, 1, 0, 0, 0, id, 0, 0, 0,
    '', '', '{}', ''
  FROM generate_series(1, $1::bigint) id`

test('pages that the copy is behind of are found by an index, which is there for that alone', async () => {
  await using place = await openStates()
  const { states, db } = place
  await db.sql.unsafe(PAGES, [3000])
  const known = Array.from({ length: 2900 }, (_, nth) => urlCopy(nth + 1, { state: 'stored' }))
  await states.save(7, { urls: [...known, urlCopy(2901)], hosts: [], notes: [] }, ME)
  const indexes = () => db.sql`
    SELECT FROM pg_indexes WHERE indexname = 'url_states_7_by_url'`
  {
    await using _index = await states.findable(7)
    const behind = await states.pagesBehind(7, 0, 60)
    assert.deepEqual(behind.map(({ pageId, position }) => [pageId, position]).slice(0, 2), [
      [2901, 2901],
      [2902, null],
    ])
    assert.equal((await states.pagesBehind(7, 2960, 60)).length, 40)
    assert.equal((await indexes()).length, 1)
  }
  assert.equal((await indexes()).length, 0)
})

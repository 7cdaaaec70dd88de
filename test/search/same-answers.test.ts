// Both indexes answer alike: the same pages, the same scores, in the same order.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Postgres } from '../../src/db/postgres.ts'
import { openPostgresSearchIndex } from '../../src/search/postgres/open-search-index.ts'
import type { Found, SearchIndex } from '../../src/search/search-index.ts'
import { openSqliteSearchIndex } from '../../src/search/sqlite/open-search-index.ts'
import { testDatabase } from '../servers/postgres.ts'
import { madeUpLinks, madeUpPages, madeUpQueries, TOPICS } from './made-up-pages.ts'

/** JELAJAH_QUERIES=5000 for a long run. */
const QUERIES = Number(process.env.JELAJAH_QUERIES ?? 120)
const SEED = Number(process.env.JELAJAH_SEED ?? 1)
const PAGES = 120
/** Phrases of common words, too, are found by their positions in some pages, and by a list in others. */
const COMMON_FROM = 30
/** Of a score: what rounding makes of the same sum in another order. */
const AS_GOOD_AS_EQUAL = 1e-9

test('an index in SQLite and one in PostgreSQL give the same answers', async () => {
  await using both = await openBoth()
  const pages = madeUpPages(SEED, PAGES)
  // Snippets of long texts would take most of the time.
  for (const page of pages) both.stored.set(page.id, { ...page, contentText: '' })
  for (const index of both.indexes) await fill(index, pages)
  let hits = 0
  for (const [nth, search] of madeUpQueries(SEED + 1, QUERIES, pages).entries()) {
    const [one, other] = await Promise.all(both.indexes.map((index) => index.query(search)))
    assert.deepEqual(told(other!), told(one!), JSON.stringify(search))
    hits += one!.hits.length
    if (nth % 4 > 0) continue
    const [first, second] = await Promise.all(both.indexes.map((index) => index.matching(search)))
    assert.deepEqual(second, first, JSON.stringify(search))
  }
  assert.ok(hits > QUERIES, 'they find something')
  const ids = pages.map(({ id }) => id)
  const [known, alsoKnown] = await Promise.all(both.indexes.map((each) => each.nearDuplicates(ids)))
  assert.ok(known!.length > 10)
  assert.deepEqual(alsoKnown, known)
})

async function openBoth() {
  const stored = new Map<number, ReturnType<typeof madeUpPages>[number]>()
  const source = {
    pagesOf: async (ids: readonly number[]) => ids.flatMap((id) => stored.get(id) ?? []),
    topicsOf: async () => TOPICS,
  }
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-search-'))
  const database = await testDatabase()
  const db = new Postgres({ url: database.url, max: 2 })
  const indexes: readonly SearchIndex[] = [
    await openSqliteSearchIndex({
      path: join(dir, 'search.db'),
      commonFrom: COMMON_FROM,
      ...source,
    }),
    await openPostgresSearchIndex({ db, commonFrom: 2 * COMMON_FROM, ...source }),
  ]
  return {
    stored,
    indexes,
    async [Symbol.asyncDispose]() {
      for (const index of indexes) await index[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true })
    },
  }
}

/** In batches, as they come while a crawl runs. */
async function fill(index: SearchIndex, pages: ReturnType<typeof madeUpPages>): Promise<void> {
  const given = madeUpLinks(SEED + 2, pages)
  // Links of pages that come again, and of one that goes.
  const first = { pages: pages.slice(0, 9), gone: [], given: madeUpLinks(SEED + 3, pages) }
  await index.add({ ...first, position: { mark: 'm', cursor: 0 } })
  for (let at = 0; at < pages.length; at += 12) {
    const position = { mark: 'm', cursor: at + 1 }
    await index.add({ pages: pages.slice(at, at + 12), gone: [], given, position })
  }
  const gone = pages.filter((_, nth) => nth % 11 === 5).map(({ id }) => id)
  await index.add({ pages: [], gone, position: { mark: 'm', cursor: pages.length } })
  for (const crawlId of [1, 2]) {
    const ranked = pages.filter((page) => page.crawlId === crawlId)
    await index.setRanks(
      crawlId,
      ranked.map(({ id }) => [id, (id * 7919) % 101] as const),
      'm',
    )
  }
}

/** All of it but how texts are marked; pages with the same score by id. */
function told({ hits, ...found }: Found) {
  const scores = hits.map(({ score }) => score)
  const places = hits.map(({ page, others }) => ({ id: page.id, others }))
  let start = 0
  for (let at = 1; at <= places.length; at++) {
    const [before = 0, score = 0] = [scores[at - 1], scores[at]]
    if (at < places.length && before - score <= AS_GOOD_AS_EQUAL * before) continue
    places.splice(start, at - start, ...places.slice(start, at).sort((a, b) => a.id - b.id))
    start = at
  }
  return { ...found, hits: places, scores: scores.map((score) => score.toPrecision(9)) }
}

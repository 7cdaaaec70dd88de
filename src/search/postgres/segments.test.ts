import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  madeUpLinks,
  madeUpPages,
  madeUpQueries,
  TOPICS,
} from '../../../test/search/made-up-pages.ts'
import { type TestDatabase, testDatabase } from '../../../test/servers/postgres.ts'
import type { SearchedPage } from '../../core/page.ts'
import { Postgres } from '../../db/postgres.ts'
import type { Found, SearchIndex } from '../search-index.ts'
import { FetchedColumns } from './index-state.ts'
import { discardPostgresSearchIndex, openPostgresSearchIndex } from './open-search-index.ts'
import { SegmentWrites } from './segment-writes.ts'

const POSITION = { mark: 'm', cursor: 1 }

let database: TestDatabase
let db: Postgres
before(async () => {
  database = await testDatabase()
  db = new Postgres({ url: database.url })
})
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

function opened(pages: readonly SearchedPage[]): Promise<SearchIndex> {
  const byId = new Map(pages.map((page) => [page.id, { ...page, contentText: '' }]))
  const pagesOf = async (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  return openPostgresSearchIndex({ db, pagesOf, topicsOf: async () => TOPICS })
}

function told({ hits, ...found }: Found) {
  const places = hits.map(({ page, score, others }) => [page.id, score.toPrecision(9), others])
  return { ...found, hits: places }
}

test('a merge goes on where it was, in another process too, and changes no answer', async () => {
  const pages = madeUpPages(8, 64)
  const index = await opened(pages)
  // Less than what is merged with the next one: seven.
  for (let at = 0; at < 56; at += 8) {
    const given = madeUpLinks(4, pages)
    await index.add({ pages: pages.slice(at, at + 8), gone: [], given, position: POSITION })
  }
  const queries = [...madeUpQueries(9, 25, pages)]
  const answers = async () => {
    const reader = await opened(pages)
    const all = []
    for (const search of queries) all.push(told(await reader.query(search)))
    return all
  }
  const before = await answers()
  // The eighth is empty.
  await db.sql`INSERT INTO search.segments VALUES (99, 'pages', 56, 57, 100, 'live', '[]', '', 0)`
  await db.sql`UPDATE search.search_position SET next_doc = 57`
  let segments = new SegmentWrites()
  let steps = 0
  for (let live = 8; live > 1; steps++) {
    // What a process has kept, and what another one reads again.
    if (steps % 3 === 0) segments = new SegmentWrites()
    await db.inTransaction(async (sql) => {
      const columns = new FetchedColumns()
      await columns.read(sql, -1)
      const options = { columns, isGone: () => false, nextId: () => 100 + steps, meanLength: 100 }
      await segments.merge(sql, 'pages', 4096, options)
    })
    // An index says that it has changed by the number of its batch.
    await db.sql`UPDATE search.search_position SET batch = batch + 1`
    if (steps === 2) assert.deepEqual(await answers(), before)
    const [row] = await db.sql`SELECT count(*)::integer AS live FROM search.segments
      WHERE kind = 'pages' AND state = 'live'`
    live = Number(row?.live)
    assert.ok(steps < 1000, 'it comes to an end')
  }
  assert.ok(steps > 4, `${steps} steps`)
  assert.deepEqual(await answers(), before)
  await discardPostgresSearchIndex(db)
})

test('a search sees whole batches, whatever is written meanwhile', async () => {
  const pages = madeUpPages(3, 200).map((page) => ({ ...page, title: 'harvest' }))
  const index = await opened(pages)
  let isWriting = true
  const seen: number[] = []
  const asking = async () => {
    while (isWriting) {
      const found = await index.query({ text: 'harvest', all: true, limit: 1, offset: 0 })
      const counted = found.facets.crawls.reduce((sum, { count }) => sum + count, 0)
      assert.deepEqual([found.pages % 20, counted], [0, found.pages])
      seen.push(found.pages)
    }
  }
  const askers = [asking(), asking(), asking()]
  for (let at = 0; at < pages.length; at += 20) {
    await index.add({ pages: pages.slice(at, at + 20), gone: [], position: POSITION })
  }
  isWriting = false
  await Promise.all(askers)
  assert.ok(new Set(seen).size > 2, 'they looked while it was written')
  await discardPostgresSearchIndex(db)
})

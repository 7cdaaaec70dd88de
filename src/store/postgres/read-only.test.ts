// People look into a store with a user that may only read.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { openTestStore } from '../../../test/support/postgres-store.ts'
import {
  createPostgresChangeFeed,
  createPostgresGraphReader,
  createPostgresImportanceStore,
  createPostgresJobReader,
  createPostgresJobStore,
  createPostgresPageReader,
} from '../../../test/support/stores.ts'
import { openPostgresReader } from '../../db/postgres.ts'
import {
  dropSearchTables,
  makeSearchTables,
  searchTables,
} from '../../search/postgres/open-search-index.ts'

/** What people are told to do. */
const GRANTS = /```sql\n(CREATE ROLE reader[^`]*)```/.exec(
  readFileSync(join(import.meta.dirname, '../../../docs/MANY-MACHINES.md'), 'utf8'),
)![1]!

async function openAsReader() {
  const stack = new AsyncDisposableStack()
  const store = stack.use(openTestStore())
  const { sql } = await store.store()
  const role = `reader_${randomBytes(6).toString('hex')}`
  const [here] = await sql<{ name: string }[]>`SELECT current_schema() AS name`
  const grants = GRANTS.replaceAll('reader', role).replaceAll('public', here!.name)
  await sql.unsafe(grants).simple()
  stack.defer(async () => {
    await sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`).simple()
  })
  const url = new URL(await store.url())
  url.username = role
  // Partitions are made after the grants; who reads by the table's name may read them.
  await sql`SELECT make_partitions(1)`
  const db = stack.use((await openPostgresReader({ url: url.href, max: 2 }))!)
  return { db, store: await store.store(), [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('who may only read opens every reader, and reads', async () => {
  await using fixture = await openAsReader()
  const { db } = fixture
  const range = { filter: {}, after: 0, upTo: 9 }
  const needs = { parts: ['links'], html: true } as const
  const ids = { crawlId: 1, sort: 'title', descending: false, limit: 9 } as const
  assert.equal(await createPostgresPageReader(db).get(1), null)
  assert.equal((await createPostgresPageReader(db).totals(1)).stored, 0)
  assert.equal((await createPostgresPageReader(db).sortedIds(ids)).total, 0)
  assert.deepEqual((await createPostgresChangeFeed(db).after(0, 9)).changes, [])
  assert.equal(await createPostgresChangeFeed(db).mayHaveChanged(), true)
  assert.deepEqual(await createPostgresPageReader(db).pagesOf([1, 2]), [])
  assert.deepEqual(await createPostgresPageReader(db).crawls(), [])
  assert.deepEqual([...(await createPostgresPageReader(db).topics())], [])
  assert.deepEqual(await createPostgresPageReader(db).wholePages(range, needs, 9), [])
  assert.deepEqual(await Array.fromAsync(createPostgresGraphReader(db).edges(1)), [])
  assert.equal(await createPostgresImportanceStore(db).get(1), null)
  assert.deepEqual(await createPostgresImportanceStore(db).best(1, 9, { host: 'a.test' }), [])
  for (const view of ['page_links', 'page_lists', 'urls', 'hosts']) {
    assert.equal((await db.sql.unsafe(`SELECT * FROM ${view}`)).length, 0, view)
  }
})

test('who may only read changes nothing, and is not told what is secret', async () => {
  await using fixture = await openAsReader()
  for (const statement of [
    'DELETE FROM pages',
    'DELETE FROM pages_1',
    'UPDATE page_log SET last_cursor = 9',
    `SELECT nextval('page_id')`,
    `SELECT take_page_ids(1, 1)`,
    'SELECT make_partitions(2)',
    'SELECT key FROM crawl_orders',
    'SELECT * FROM crawl_secrets',
  ]) {
    await assert.rejects(fixture.db.sql.unsafe(statement), { code: '42501' }, statement)
  }
})

test('passwords of proxies are told to who crawls, never to who only reads', async () => {
  await using fixture = await openAsReader()
  const jobs = createPostgresJobStore(fixture.store)
  const sample = sampleJob()
  const withProxies = (...proxies: string[]) => ({ ...sample.settings, proxies })
  const { name, seeds } = sample
  const settings = withProxies('http://a:s3cret@p:1')
  const rest = { topicRequest: null, webhook: null, key: null, fingerprint: 'f' }
  const { id } = (await jobs.order({ name, seeds, settings, ...rest })).job
  assert.deepEqual((await jobs.get(id))?.settings.proxies, ['http://a:s3cret@p:1'])
  const read = async () => (await createPostgresJobReader(fixture.db).get(id))?.settings.proxies
  assert.deepEqual(await read(), ['http://a:***@p:1'])
  await jobs.resume(id, { settings: withProxies('http://q:1') })
  assert.deepEqual(await read(), ['http://q:1'])
  await jobs.remove(id)
  assert.equal((await fixture.store.sql`SELECT FROM crawl_secrets`).length, 0)
})

test('who only reads may search, also when the index was rebuilt', async () => {
  await using fixture = await openAsReader()
  for (const version of [1, 2]) {
    await makeSearchTables(fixture.store, version)
    assert.equal(await searchTables(fixture.db, version), 'fit')
    assert.equal((await fixture.db.sql`SELECT * FROM search.search_position`).length, 1)
  }
  await dropSearchTables(fixture.store, 2)
  assert.equal(await searchTables(fixture.db, 2), 'none')
})

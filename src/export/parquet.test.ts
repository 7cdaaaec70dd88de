import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DuckDBInstance, DuckDBTimestampTZValue } from '@duckdb/node-api'
import { sample } from '../../test/contract/sample-page.ts'
import { ExportFixture } from '../../test/support/export-fixture.ts'
import type { Column } from './columns.ts'
import { DuckTable, openDuck } from './parquet/duck-table.ts'
import { createParquet, parquet } from './parquet.ts'

/** Reads with a database that knows only the file. */
async function read(sql: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjects()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const ODD = '=1+1\0"\n\ud800\u202e\u{1f600}\ufeff'
/** The store keeps no NUL and no lone surrogate. */
const KEPT = ODD.replace('\0', '').toWellFormed()
const LINKS = [
  ['http://b.test/', ODD, 'nofollow', 'before … after'],
  ['http://c.test/', ''],
]

const PAGES = [
  sample('a.test/1', { title: ODD, hot: true }, { parts: { links: JSON.stringify(LINKS) } }),
  sample('a.test/2', { relevance: null, publishedAt: null, contentText: 'x'.repeat(100_000) }),
  sample('a.test/hidden', { noindex: true }),
]

test('pages have the types of their columns, and their contents', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES)
  const [out, { pages }] = await fixture.run(parquet)
  assert.equal(pages, 2)
  const [first, second, ...more] = await read(`SELECT * FROM read_parquet('${out}') ORDER BY id`)
  assert.deepEqual(more, [])
  const {
    id,
    url,
    title,
    hot,
    relevance,
    fetched_at,
    status_code,
    about,
    published_at,
    published_day,
  } = first!
  assert.deepEqual([id, url, hot, relevance], [1n, 'http://a.test/1', true, 0.25])
  assert.deepEqual([status_code, about], [200n, '{"site_name":"A"}'])
  assert.equal(title, KEPT)
  assert.deepEqual(fetched_at, new DuckDBTimestampTZValue(1_700_000_000_000_000n))
  assert.deepEqual(published_at, new DuckDBTimestampTZValue(1_699_000_000_000_000n))
  assert.equal(published_day, '2023-11-03')
  assert.deepEqual(
    [second!.relevance, second!.published_at, second!.published_day],
    [null, null, null],
  )
  assert.equal(second!.content_text, 'x'.repeat(100_000))
  const columns = await read(`DESCRIBE SELECT * FROM read_parquet('${out}')`)
  const types = new Map(columns.map(({ column_name, column_type }) => [column_name, column_type]))
  assert.equal(types.get('depth'), 'BIGINT')
  assert.equal(types.get('parse_ms'), 'DOUBLE')
  assert.equal(types.get('html5'), 'BOOLEAN')
  assert.equal(types.get('fetched_at'), 'TIMESTAMP WITH TIME ZONE')
  const [{ compression } = {}] = await read(`SELECT compression FROM parquet_metadata('${out}')`)
  assert.equal(compression, 'ZSTD')
})

test('links say which page they are of', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES)
  const [out, { counts }] = await fixture.run(parquet, { choices: { what: 'links' } })
  assert.deepEqual(counts, { links: 2 })
  assert.deepEqual(await read(`SELECT * FROM read_parquet('${out}')`), [
    {
      ...{ page_id: 1n, page_url: 'http://a.test/1', position: 0n, url: 'http://b.test/' },
      ...{ anchor: KEPT, rel: 'nofollow', context: 'before … after' },
    },
    {
      ...{ page_id: 1n, page_url: 'http://a.test/1', position: 1n, url: 'http://c.test/' },
      ...{ anchor: '', rel: null, context: null },
    },
  ])
})

test('with all parts there is a file of each, also of those without rows', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES)
  const [out] = await fixture.run(parquet, { choices: { what: 'all' }, name: "odd [a-z]* ' name" })
  const names = (await readdir(out)).filter((name) => name.endsWith('.parquet'))
  assert.deepEqual(names.sort(), [
    ...['fields', 'forms', 'images', 'links', 'lists', 'pages', 'scripts', 'styles', 'tables'].map(
      (name) => `${name}.parquet`,
    ),
  ])
  assert.equal((await readFile(join(out, 'forms.parquet'))).subarray(0, 4).toString(), 'PAR1')
})

test('an export that was cut off again and again is the same, byte by byte, in order', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(
    Array.from({ length: 40 }, (_, nth) => {
      return sample(`a.test/${nth}`, { contentText: `${nth} `.repeat(50) })
    }),
  )
  const exporter = createParquet(1500)
  const [whole] = await fixture.run(exporter, { name: 'whole' })
  const [pieces] = await fixture.run(exporter, { name: 'pieces', cutOffAfter: [0, 5, 6, 30, 39] })
  assert.ok((await readFile(whole)).equals(await readFile(pieces)))
  const rows = await read(`SELECT id FROM read_parquet('${pieces}')`)
  assert.deepEqual(
    rows.map(({ id }) => id),
    Array.from({ length: 40 }, (_, nth) => BigInt(nth + 1)),
  )
  assert.deepEqual(
    (await readdir(fixture.dir)).filter((name) => name.includes('.part')),
    [],
  )
})

test('of no pages there is a file with columns and no rows', async () => {
  await using fixture = new ExportFixture()
  await fixture.save([])
  const [out] = await fixture.run(parquet)
  assert.deepEqual(await read(`SELECT count(url) AS n FROM read_parquet('${out}')`), [{ n: 0n }])
})

const NOT_OF_TYPE = [Number.NaN, 0.5, 2 ** 60, 'text', {}, undefined, 1n]

test('a value that is not of its column is none, and a NUL is a character', async () => {
  await using fixture = new ExportFixture()
  await using duck = await openDuck(fixture.dir)
  const columns: readonly Column<unknown>[] = [
    { name: 'number', type: 'integer', of: (row) => row },
    { name: 'text', type: 'text', of: () => 'a\0b' },
  ]
  const table = new DuckTable({ duck, work: fixture.dir, name: 'rows', columns })
  for (const value of NOT_OF_TYPE) await table.add(value)
  await table.putAside(0)
  const path = join(fixture.dir, 'rows.parquet')
  await table.writeTo(path, 1)
  assert.deepEqual(
    await read(`SELECT * FROM read_parquet('${path}')`),
    NOT_OF_TYPE.map(() => ({ number: null, text: 'a\0b' })),
  )
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { Postgres } from '../../db/postgres.ts'
import { ManyRows, type SentRow } from './many-rows.ts'

const database = await testDatabase()
const db = new Postgres({ url: database.url, max: 1 })
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const SHORT = { id: 'bigint', part: 'float8', name: 'text', bytes: 'bytea' } as const
const LONG = { ...SHORT, bytes: 'long bytea', body: 'long text' } as const
const BYTES = [Uint8Array.of(0, 255, 92), new Uint8Array(0)]
const NAMES = ['a', null, '', '"\\', 'é日😀']

function rowsOf(count: number): SentRow[] {
  return Array.from({ length: count }, (_, nth) => [
    ...[nth + 1, nth % 3 === 0 ? null : nth / 2, NAMES[nth % NAMES.length] ?? null],
    ...[BYTES[nth % 2] ?? null, nth % 4 === 1 ? null : `body ${nth}`],
  ])
}

async function stored(insertion: ManyRows, rows: readonly SentRow[]) {
  await db.sql.unsafe(`
    DROP TABLE IF EXISTS given;
    CREATE TABLE given (crawl int, id int UNIQUE, part float8, name text, bytes bytea, body text)`)
  const statements = insertion.send(db.sql, rows)
  await Promise.all(statements)
  const found = await db.sql.unsafe('SELECT * FROM given ORDER BY id')
  const plain = found.map(({ crawl, ...row }) => {
    assert.equal(crawl, 7)
    return Object.values(row).map((value) => (Buffer.isBuffer(value) ? [...value] : value))
  })
  return { plain, statements: statements.length }
}

function shown(rows: readonly SentRow[]) {
  return rows.map((row) => row.map((value) => (value instanceof Uint8Array ? [...value] : value)))
}

for (const count of [0, 1, 5, 64, 70]) {
  test(`${count} rows with long values arrive as they are`, async () => {
    const insertion = new ManyRows({ table: 'given', columns: LONG, fixed: { crawl: 7 } })
    const rows = rowsOf(count)
    assert.deepEqual((await stored(insertion, rows)).plain, shown(rows))
  })

  test(`${count} rows of short values arrive as they are`, async () => {
    const insertion = new ManyRows({ table: 'given', columns: SHORT, fixed: { crawl: 7 } })
    const rows = rowsOf(count).map((row) => row.slice(0, 4))
    const { plain, statements } = await stored(insertion, rows)
    assert.deepEqual(plain, shown(rows.map((row) => [...row, null])))
    assert.equal(statements, Math.sign(count))
  })
}

test('long columns that have nothing in any row, and then something, arrive as they are', async () => {
  const insertion = new ManyRows({ table: 'given', columns: LONG, fixed: { crawl: 7 } })
  for (const bodies of [
    [null, null],
    ['', ''],
    ['', null],
    ['body', null],
  ]) {
    const rows = rowsOf(20).map((row, nth) => [...row.slice(0, 4), bodies[nth % 2] ?? null])
    assert.deepEqual((await stored(insertion, rows)).plain, shown(rows))
  }
})

test('few rows have the same statement whatever they leave empty', async () => {
  const insertion = new ManyRows({ table: 'given', columns: LONG, fixed: { crawl: 8 } })
  const [row = []] = rowsOf(1)
  await stored(new ManyRows({ table: 'given', columns: LONG, fixed: { crawl: 7 } }), [])
  for (const [nth, body] of [null, '', 'body'].entries()) {
    await Promise.all(insertion.send(db.sql, [[nth, ...row.slice(1, 4), body]]))
  }
  const prepared = await db.sql`
    SELECT FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO given%SELECT 8,%'`
  assert.equal(prepared.length, 1)
})

test('rows that are large together go one after the other', async () => {
  const insertion = new ManyRows({ table: 'given', columns: LONG, fixed: { crawl: 7 } })
  const body = 'x'.repeat(5_000_000)
  const rows = rowsOf(2).map((row) => [...row.slice(0, 4), body])
  const { plain, statements } = await stored(insertion, rows)
  assert.equal(statements, 2)
  assert.deepEqual(
    plain.map((row) => String(row.at(-1)).length),
    [body.length, body.length],
  )
})

test('a row that is there already is treated as the end of the statement says', async () => {
  const end = 'ON CONFLICT (id) DO UPDATE SET name = excluded.name'
  const insertion = new ManyRows({ table: 'given', columns: LONG, fixed: { crawl: 7 }, end })
  const [row = []] = rowsOf(1)
  await stored(insertion, [row])
  await Promise.all(insertion.send(db.sql, [row.with(2, 'other')]))
  const found = await db.sql.unsafe('SELECT name FROM given')
  assert.deepEqual(
    found.map(({ name }) => name),
    ['other'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { createSqliteSql } from './sqlite-sql.ts'

const INSERT = 'INSERT INTO crawl_history (crawl_id, samples) VALUES ($1, $2)'

function open(path: string) {
  const db = openSqlite(path, { schema: 'store', durability: 'normal' })
  return { db, sql: createSqliteSql(db) }
}

test('a transaction is over when its call returns: another connection of the process finds no lock', async () => {
  await using folder = openStoreFolder()
  await using first = open(folder.path).sql
  const { db, sql } = open(folder.path)
  await using _second = sql
  db.exec('PRAGMA busy_timeout = 0')
  const one = first.transaction(function* (queries) {
    yield* queries.run(INSERT, [1, '[]'])
    yield* queries.run(INSERT, [2, '[]'])
  })
  // Not awaited: with a lock still held, this would be refused at once.
  const other = sql.run(INSERT, [3, '[]'])
  await Promise.all([one, other])
  const rows = await sql.all('SELECT crawl_id FROM crawl_history ORDER BY crawl_id')
  assert.deepEqual(
    rows.map((row) => row.crawl_id),
    [1, 2, 3],
  )
})

test('nothing stays of a transaction that throws, and the next one works', async () => {
  await using folder = openStoreFolder()
  await using sql = open(folder.path).sql
  const failed = sql.transaction(function* (queries) {
    yield* queries.run(INSERT, [1, '[]'])
    throw new Error('no')
  })
  await assert.rejects(failed, { message: 'no' })
  assert.equal(await sql.transaction((queries) => queries.run(INSERT, [2, '[]'])), 1)
  const rows = await sql.all('SELECT crawl_id FROM crawl_history')
  assert.deepEqual(
    rows.map((row) => row.crawl_id),
    [2],
  )
})

test('a statement is prepared once, and its parameters may be used twice', async () => {
  await using folder = openStoreFolder()
  const { db, sql } = open(folder.path)
  await using _sql = sql
  const prepared: string[] = []
  const prepare = db.prepare.bind(db)
  db.prepare = (text) => {
    prepared.push(text)
    return prepare(text)
  }
  for (const n of [1, 2]) {
    assert.equal((await sql.get('SELECT $2 + $1 + $2 AS sum', [n, 10]))?.sum, n + 20)
  }
  assert.deepEqual(prepared, ['SELECT ?2 + ?1 + ?2 AS sum'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/servers/postgres.ts'
import { Postgres } from './postgres.ts'
import { BETWEEN_TEXTS, joinedTexts, NO_TEXT, numberArray, textArray } from './postgres-array.ts'

test('lists arrive as they were sent, whatever is in them', async () => {
  await using database = await testDatabase()
  await using db = new Postgres({ url: database.url, max: 1 })
  const texts = ['', null, 'a', 'NULL', '{}', 'a,b', '"', '\\', '\\"', "'", ' a ', 'é日😀', '\n\t']
  const [row] = await db.sql.unsafe(
    `SELECT array_to_json($1::text[])::text AS texts, array_to_json($2::bigint[])::text AS numbers,
       cardinality($3::text[]) AS none`,
    [textArray(texts), numberArray([1, null, -(2 ** 52), 0]), textArray([])],
  )
  assert.deepEqual(JSON.parse(row?.texts), texts)
  assert.deepEqual(JSON.parse(row?.numbers), [1, null, -(2 ** 52), 0])
  assert.equal(row?.none, 0)
})

test('so do texts that are joined, and those that are none', async () => {
  await using database = await testDatabase()
  await using db = new Postgres({ url: database.url, max: 1 })
  const given = [
    [''],
    [null],
    ['', ''],
    ['a', null, '', '\x1f', '\x1e', 'é日😀', '{"a"}\\', 'NULL'],
  ]
  for (const texts of given) {
    const [row] = await db.sql.unsafe(
      'SELECT array_to_json(string_to_array($1, $2, $3))::text AS texts',
      [joinedTexts(texts), BETWEEN_TEXTS, NO_TEXT],
    )
    assert.deepEqual(JSON.parse(row?.texts), [...texts, ''])
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordTable } from './hints.ts'

test('a word is found by its hash, any other is 0', () => {
  const table = new WordTable([
    [5, 1],
    [-7, -3],
    [0, 9],
  ])
  assert.deepEqual(
    [5, -7, 0, 6, 2 ** 31 - 1].map((hash) => table.get(hash)),
    [1, -3, 9, 0, 0],
  )
})

test('the values of a repeated word are combined with OR', () => {
  const table = new WordTable([
    [5, 1],
    [5, 4],
  ])
  assert.equal(table.get(5), 5)
})

test('words with colliding slots are found', () => {
  const entries = Array.from({ length: 400 }, (_, at) => [at << 20, at + 1] as const)
  const table = new WordTable(entries)
  for (const [hash, value] of entries) assert.equal(table.get(hash), value)
  assert.equal(table.get(401 << 20), 0)
})

test('an empty table knows nothing', () => assert.equal(new WordTable([]).get(0), 0))

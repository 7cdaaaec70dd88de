import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standings } from './blend.ts'
import type { PageRank } from './search-index.ts'

const listed = (ranks: Iterable<PageRank>) => [...standings(ranks)]

test('a page of mean rank stands at 1, one of three times as much at 2, one of none at 0', () => {
  const ranks = [
    [7, 1],
    [8, 3],
    [9, 0],
    [10, 0],
  ] as const
  assert.deepEqual(listed(ranks), [
    [7, 1],
    [8, 2],
    [9, 0],
    [10, 0],
  ])
})

test('ranks may sum to anything', () => {
  assert.deepEqual(
    listed([
      [1, 5],
      [2, 5],
    ]),
    [
      [1, 1],
      [2, 1],
    ],
  )
})

test('where nothing is ranked nothing is reported', () => {
  assert.deepEqual(listed([]), [])
  assert.deepEqual(listed([[1, 0]]), [])
  assert.deepEqual(listed([[1, Number.NaN]]), [])
})

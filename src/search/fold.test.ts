import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Foldable, fold, unfolded } from './fold.ts'

const match = (cluster: number | null, urlKey: number): Foldable => ({ cluster, urlKey })

test('pages of a cluster, and the same URL, belong to the best of them', () => {
  const matches = [match(7, 1), match(null, 2), match(7, 3), match(null, 1), match(null, 4)]
  assert.deepEqual(fold(matches), {
    shown: [0, 1, 4],
    groupOf: [0, 1, 0, 0, 2],
    others: [2, 0, 0],
  })
})

test('what is like one that is like a third belongs together', () => {
  const matches = [match(7, 1), match(8, 1), match(8, 2), match(null, 2)]
  assert.deepEqual(fold(matches).shown, [0])
})

test('unfolded, each is for itself', () => {
  const { shown, groupOf, others } = unfolded([match(7, 1), match(7, 1)])
  assert.deepEqual(
    [shown, groupOf, others],
    [
      [0, 1],
      [0, 1],
      [0, 0],
    ],
  )
})

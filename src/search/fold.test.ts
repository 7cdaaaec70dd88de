import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Foldable, fold, unfolded } from './fold.ts'

const match = (cluster: number | null, urlKey: number, fetchedAt = 0): Foldable => {
  return { cluster, urlKey, fetchedAt }
}

test('pages of a cluster, and the same URL, belong to the best of them', () => {
  const matches = [match(7, 1), match(null, 2), match(7, 3), match(null, 1), match(null, 4)]
  assert.deepEqual(fold(matches, 5), {
    shown: [0, 1, 4],
    best: [0, 1, 4],
    groupOf: [0, 1, 0, 0, 2],
    others: [2, 0, 0],
  })
})

test('what is like one that is like a third belongs together', () => {
  const matches = [match(7, 1), match(8, 1), match(8, 2), match(null, 2)]
  assert.deepEqual(fold(matches, 4).shown, [0])
})

test('of equal URLs the newest stands for the others, in the place of the best', () => {
  const matches = [match(7, 1, 2), match(7, 2, 9), match(null, 1, 3), match(null, 1, 1)]
  const { shown, best, others } = fold([...matches, match(null, 3)], 5)
  assert.deepEqual(
    [shown, best, others],
    [
      [2, 4],
      [0, 4],
      [3, 0],
    ],
  )
})

test('a newer copy without some of the words does not stand for one that has them all', () => {
  const matches = [match(null, 1, 1), match(null, 1, 2), match(null, 1, 3)]
  assert.deepEqual([fold(matches, 2).shown, fold(matches, 0).shown], [[1], [2]])
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstAfter, isAmong } from './sorted.ts'

test('the first number after a value is found, wherever it is', () => {
  const sorted = [2, 3, 5, 5, 8]
  const places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((value) => firstAfter(sorted, value))
  assert.deepEqual(places, [0, 0, 1, 2, 2, 4, 4, 4, 5, 5])
  assert.equal(firstAfter([], 1), 0)
})

test('a number is among others exactly when it is one of them', () => {
  const sorted = [2, 3, 5, 8]
  const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  assert.deepEqual(
    values.filter((value) => isAmong(sorted, value)),
    sorted,
  )
  assert.equal(isAmong([], 0), false)
})

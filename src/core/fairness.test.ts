import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jainsIndex } from './fairness.ts'

test('equal shares are perfectly fair, one taker of all is one over n', () => {
  assert.equal(jainsIndex([400, 400, 400]), 1)
  assert.equal(jainsIndex([7, 0, 0, 0]), 0.25)
  assert.ok(Math.abs(jainsIndex([75, 15, 10]) - 10_000 / (3 * (5625 + 225 + 100))) < 1e-12)
})

test('nobody and nothing are fair', () => {
  assert.equal(jainsIndex([]), 1)
  assert.equal(jainsIndex([0, 0]), 1)
})

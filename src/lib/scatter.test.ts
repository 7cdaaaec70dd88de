import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scatter } from './scatter.ts'

test('the same numbers give the same one, others another', () => {
  assert.equal(scatter(1, 2, 3), scatter(1, 2, 3))
  const others = [scatter(1, 2, 3), scatter(2, 1, 3), scatter(1, 3, 2), scatter(3, 2, 1)]
  assert.equal(new Set(others).size, others.length)
})

test('neighbouring numbers are spread evenly from 0 to 1', () => {
  const tenths = new Uint32Array(10)
  for (let a = 0; a < 100; a++) {
    for (let b = 0; b < 1000; b++) {
      const at = Math.floor(scatter(7, a, b) * 10)
      tenths[at] = tenths[at]! + 1
    }
  }
  // 10,000 are expected in each; five standard deviations are 474.
  assert.ok(
    tenths.every((count) => Math.abs(count - 10_000) < 474),
    tenths.join(' '),
  )
})

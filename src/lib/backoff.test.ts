import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs } from './backoff.ts'

test('the wait doubles with each failure and stops at the cap', () => {
  const waits = [0, 1, 2, 3, 4].map((failures) => backoffMs(failures))
  assert.deepEqual(waits, [0, 1000, 2000, 4000, 8000])
  assert.equal(backoffMs(13), 3_600_000)
  assert.equal(backoffMs(5000), 3_600_000)
  assert.equal(backoffMs(9, { baseMs: 10, capMs: 50 }), 50)
})

test('chance takes off at most half, and the same chance gives the same wait', () => {
  assert.equal(backoffMs(3, { random: () => 0.5 }), 3000)
  assert.ok(backoffMs(3, { random: () => 0.999_999 }) >= 2000)
})

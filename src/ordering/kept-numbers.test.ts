import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joined, keepNumbers, keptNumbers, parted } from './kept-numbers.ts'

test('numbers come back exactly, from any place in memory', () => {
  const numbers = [0.1, -1e300, 2 ** 53, 0]
  const bytes = keepNumbers(numbers)
  const moved = new Uint8Array(bytes.length + 3)
  moved.set(bytes, 3)
  assert.deepEqual(keptNumbers(moved.subarray(3), 4), numbers)
})

test('bytes that are not so many finite numbers are null', () => {
  assert.equal(keptNumbers(keepNumbers([1, 2]), 3), null)
  assert.equal(keptNumbers(new Uint8Array(7), 1), null)
  assert.equal(keptNumbers(keepNumbers([Number.NaN]), 1), null)
  assert.equal(keptNumbers(keepNumbers([Number.POSITIVE_INFINITY]), 1), null)
})

test('parts come back as they were, of the same format alone and only whole', () => {
  const parts = [Uint8Array.of(1, 2, 3), new Uint8Array(0), Uint8Array.of(4)]
  const bytes = joined(7, parts)
  assert.deepEqual(
    parted(7, bytes)?.map((part) => [...part]),
    [[1, 2, 3], [], [4]],
  )
  assert.equal(parted(8, bytes), null)
  assert.equal(parted(7, bytes.subarray(0, -1)), null)
  assert.equal(parted(7, bytes.subarray(0, 9)), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageBuffer } from './buffers.ts'

test('the least linked page goes when one more comes than there is room for', () => {
  const buffer = new PageBuffer(2)
  assert.equal(buffer.add(10, 3), null)
  assert.equal(buffer.add(11, 1), null)
  assert.equal(buffer.add(12, 2), 11)
  assert.deepEqual([...buffer.pages()], [10, 12])
})

test('a page that nobody links to goes as soon as it comes', () => {
  const buffer = new PageBuffer(2)
  buffer.add(10, 3)
  buffer.add(11, 1)
  assert.equal(buffer.add(12, 0), 12)
  assert.deepEqual([...buffer.pages()], [10, 11])
})

test('links found later save a page, and those to a page that is gone change nothing', () => {
  // Room for three. Known links of 1 2 3 when they are fetched: 1, 1, 2. Then two more pages link to 1 (3 in
  // total), so 4 with one link replaces 2, and 5 with two replaces 4.
  const buffer = new PageBuffer(3)
  buffer.add(1, 1)
  buffer.add(2, 1)
  buffer.add(3, 2)
  buffer.linked(1, 2)
  buffer.linked(1, 3)
  assert.equal(buffer.add(4, 1), 2)
  buffer.linked(2, 9)
  assert.equal(buffer.add(5, 2), 4)
  assert.deepEqual([...buffer.pages()], [1, 3, 5])
})

test('of equals the one fetched first goes', () => {
  const buffer = new PageBuffer(2)
  buffer.add(7, 1)
  buffer.add(5, 1)
  assert.equal(buffer.add(6, 1), 7)
  assert.equal(buffer.add(8, 1), 5)
})

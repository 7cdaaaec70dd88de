import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gate } from './gate.ts'

test('no more than its places are inside at once, and all get through', async () => {
  const gate = new Gate(2)
  let inside = 0
  let most = 0
  const visit = async () => {
    most = Math.max(most, ++inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all(Array.from({ length: 9 }, () => gate.run(visit)))
  assert.deepEqual([most, inside], [2, 0])
})

test('a visit that fails gives its place back', async () => {
  const gate = new Gate(1)
  await assert.rejects(gate.run(() => Promise.reject(new Error('no'))))
  assert.equal(await gate.run(async () => 'through'), 'through')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionRoom } from './connection-room.ts'

test('connections never take more files than are left, and one there always is', () => {
  const wanted = { concurrency: 500, idle: 4064 }
  const roomAt = (limit: number) => connectionRoom(wanted, { limit, open: 30 })
  assert.deepEqual(roomAt(Number.POSITIVE_INFINITY), wanted)
  assert.deepEqual(roomAt(10_000), wanted)
  assert.deepEqual(roomAt(1046), { concurrency: 500, idle: 500 })
  assert.deepEqual(roomAt(246), { concurrency: 150, idle: 50 })
  assert.deepEqual(roomAt(64), { concurrency: 13, idle: 5 })
  assert.deepEqual(roomAt(20), { concurrency: 1, idle: 0 })
})

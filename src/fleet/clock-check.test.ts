import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockWarning } from './clock-check.ts'

test('clocks that are minutes apart are reported, with how much and which way', () => {
  assert.deepEqual(clockWarning('Redis', 59_000), [])
  assert.deepEqual(clockWarning('Redis', -59_000), [])
  assert.match(clockWarning('Redis', 5 * 60_000)[0]!, /is 5 minutes behind that of Redis\./)
  assert.match(clockWarning('PostgreSQL', -3_600_000 * 5)[0]!, /is 5 hours ahead of that of Postg/)
})

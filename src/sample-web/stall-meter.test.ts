import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { StallMeter } from './server.ts'

test('time in which nothing could be done is known afterwards, to the moment', async () => {
  let now = 1000
  using meter = new StallMeter(() => now)
  now = 1100
  const deadline = performance.now() + 10_000
  while (meter.stalls.length === 0) {
    assert.ok(performance.now() < deadline, 'it never looked')
    await wait(1)
  }
  assert.deepEqual(meter.stalls, [{ from: 1000, to: 1100 }])
  assert.equal(meter.msBetween(900, 1200), 100)
  assert.equal(meter.msBetween(1040, 1060), 20)
  assert.equal(meter.msBetween(1090, 1200), 10)
  assert.equal(meter.msBetween(1100, 1200), 0)
})

test('a clock that stands still is no stall', async () => {
  using meter = new StallMeter(() => 7)
  await wait(20)
  assert.deepEqual(meter.stalls, [])
})

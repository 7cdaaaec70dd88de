import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { found } from '../../../test/contract/frontier/rig.ts'
import { SharedCrawl } from '../../../test/contract/frontier/shared-crawl.ts'
import { ManualClock } from '../../lib/clock.ts'
import { between, momentOf } from './moment.ts'

test('a clock that is set back, or one that stood still, does not make time shorter', () => {
  const from = { steady: 100, wall: 5000 }
  assert.equal(between(from, { steady: 130, wall: 1000 }), 30)
  assert.equal(between(from, { steady: 101, wall: 9000 }), 4000)
})

test('where a clock is shared, it alone counts', () => {
  const clock = new ManualClock()
  const from = momentOf(clock, true)
  assert.equal(between(from, momentOf(clock, true)), 0)
  clock.advance(7)
  assert.equal(between(from, momentOf(clock, true)), 7)
})

test('a lease is not held past its session’s end when the clock on the wall is set back', async () => {
  await using crawl = await SharedCrawl.begin()
  const clock = new ManualClock(Date.now())
  const frontier = await crawl.open({ clock, clockIsShared: false, sessionMs: 2000 })
  await frontier.add([found('a.test/')], 'seed')
  const [lease] = await frontier.lease(1)
  frontier.abandon()
  assert.equal(frontier.isValid(lease!), true)
  clock.advance(-3_600_000)
  const until = performance.now() + 30_000
  while (frontier.isValid(lease!) && performance.now() < until) await pause(20)
  assert.equal(frontier.isValid(lease!), false)
})

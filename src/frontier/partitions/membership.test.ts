import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, systemTimers } from '../../lib/clock.ts'
import type { CrawlView } from '../storage.ts'
import { Membership, ServerClock } from './membership.ts'

const NOTHING: CrawlView = { now: 1000, owners: ['a'], partitions: [] }

function stage(report: () => Promise<CrawlView>, leaseMs = 60_000, clocks = {}) {
  const views: CrawlView[] = []
  const left: string[] = []
  const membership = new Membership({
    storage: { report, leave: async (_, owner) => void left.push(owner) },
    ...{ crawlId: 1, owner: 'a', leaseMs, ...clocks },
    onView: async (view) => void views.push(view),
    onError: (error) => assert.fail(String(error)),
  })
  return { membership, views, left }
}

test('a program is certain of its partitions from its report until most of its lease is over', async () => {
  const late = Promise.withResolvers<CrawlView>()
  const { membership } = stage(() => late.promise)
  assert.equal(membership.isCertain, false)
  const reporting = membership.report()
  assert.equal(membership.isCertain, false)
  late.resolve(NOTHING)
  await reporting
  assert.equal(membership.isCertain, true)
})

test('an answer that took longer than the lease gives no certainty', async () => {
  const late = Promise.withResolvers<CrawlView>()
  const { membership } = stage(() => late.promise, 1)
  const reporting = membership.report()
  await new Promise((done) => setTimeout(done, 2))
  late.resolve(NOTHING)
  await reporting
  assert.equal(membership.isCertain, false)
})

test('a machine that slept past its lease is not certain, though its steady clock stood still', async () => {
  const [steady, day] = [new ManualClock(0), new ManualClock()]
  const timers = { ...systemTimers, steadyMs: () => steady.now() }
  const { membership } = stage(async () => NOTHING, 10_000, { timers, day })
  await membership.report()
  assert.equal(membership.isCertain, true)
  day.advance(9000)
  assert.equal(membership.isCertain, false)
  await membership.report()
  assert.equal(membership.isCertain, true)
  // A clock that is set back gives nothing.
  day.advance(-60_000)
  steady.advance(9000)
  assert.equal(membership.isCertain, false)
})

test('the clock of a server goes on over the sleep of this machine, and over nothing else', () => {
  const [steady, day] = [new ManualClock(0), new ManualClock()]
  const clock = new ServerClock({ steadyMs: () => steady.now() }, day)
  clock.set(1000, 0)
  // The server's clock is set.
  clock.set(91_000, 0)
  assert.equal(clock.now(), 1000)
  // This machine's clock is set.
  day.advance(60_000)
  clock.set(1000, 0)
  assert.equal(clock.now(), 1000)
  day.advance(-60_000)
  // It sleeps for a minute, and reports half a second after it woke.
  day.advance(60_500)
  steady.advance(500)
  clock.set(61_500, 500)
  assert.equal(clock.now(), 61_500)
  clock.set(61_500, 500)
  assert.equal(clock.now(), 61_500)
})

test('whoever asks while a report is under way shares it', async () => {
  let reports = 0
  const { membership, views } = stage(async () => {
    reports += 1
    return NOTHING
  })
  await Promise.all([membership.report(), membership.report()])
  assert.deepEqual([reports, views.length], [1, 1])
  await membership.report()
  assert.equal(reports, 2)
})

test('a program that leaves says so, and reports no more', async () => {
  let reports = 0
  const { membership, left } = stage(async () => {
    reports += 1
    return NOTHING
  })
  await membership.start()
  await membership[Symbol.asyncDispose]()
  await membership.report()
  assert.deepEqual([reports, left], [1, ['a']])
})

test('the clock of a server is read once, and runs on from there', () => {
  const clock = new ServerClock()
  const at = performance.now()
  clock.set(5_000_000, at)
  const first = clock.now()
  assert.ok(first >= 5_000_000 && first < 5_060_000)
  clock.set(4_000_000, at)
  assert.ok(clock.now() >= first)
})

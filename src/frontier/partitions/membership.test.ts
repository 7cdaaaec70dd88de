import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlView } from '../storage.ts'
import { Membership, ServerClock } from './membership.ts'

const NOTHING: CrawlView = { now: 1000, owners: ['a'], partitions: [] }

function stage(report: () => Promise<CrawlView>, leaseMs = 60_000) {
  const views: CrawlView[] = []
  const left: string[] = []
  const membership = new Membership({
    storage: { report, leave: async (_, owner) => void left.push(owner) },
    ...{ crawlId: 1, owner: 'a', leaseMs },
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

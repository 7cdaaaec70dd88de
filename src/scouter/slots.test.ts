import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { CanonicalUrl } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { ManualClock } from '../lib/clock.ts'
import { Slots } from './slots.ts'

let token = 0
function leaseOf(pace?: Lease['pace']): Lease {
  token += 1
  return {
    ...{ kind: 'page', id: token, token, url: `http://a.test/${token}` as CanonicalUrl },
    ...{
      host: 'a.test',
      depth: 0,
      hops: 0,
      tries: 1,
      hostFailures: 0,
      hostDownMs: 0,
      hostAnswered: false,
      delayMs: 0,
    },
    ...(pace === undefined ? {} : { pace }),
  }
}

function slotsOf(concurrency: number): { slots: Slots; clock: ManualClock } {
  const clock = new ManualClock()
  return { slots: new Slots({ concurrency, delayMs: 1000, clock }), clock }
}

function takeNew(slots: Slots): number {
  let taken = 0
  while (slots.free > 0 && slots.roomForOthers().new > 0) {
    slots.take(leaseOf('new'))
    taken += 1
  }
  return taken
}

test('hosts that nobody knows never have all places while some host is quick', () => {
  const { slots, clock } = slotsOf(32)
  const quick = leaseOf()
  for (let second = 0; second < 60; second += 3) {
    takeNew(slots)
    assert.ok(slots.free >= 1)
    slots.take(quick)
    slots.giveBack(quick)
    clock.advance(3000)
  }
  assert.equal(slots.free, 1)
})

test('in the beginning most places are for whoever comes', () => {
  assert.equal(takeNew(slotsOf(32).slots), 28)
  assert.equal(takeNew(slotsOf(4).slots), 4)
  assert.equal(takeNew(slotsOf(1).slots), 1)
})

test('slow hosts share half of the places, one at least', () => {
  for (const [concurrency, room] of [
    [32, 16],
    [3, 1],
    [1, 1],
  ] as const) {
    const { slots } = slotsOf(concurrency)
    assert.equal(slots.roomForOthers().slow, room)
    slots.take(leaseOf('slow'))
    assert.equal(slots.roomForOthers().slow, room - 1)
  }
})

test('a request under way for long counts as slow, whatever its host was before', () => {
  const { slots, clock } = slotsOf(8)
  for (let n = 0; n < 4; n += 1) slots.take(leaseOf())
  assert.equal(slots.roomForOthers().slow, 4)
  clock.advance(2001)
  assert.equal(slots.roomForOthers().slow, 0)
})

test('when nobody was quick for a while, slow hosts may have all places', () => {
  const { slots, clock } = slotsOf(8)
  const slow = Array.from({ length: 4 }, () => leaseOf('slow'))
  for (const lease of slow) slots.take(lease)
  clock.advance(10_001)
  assert.equal(slots.roomForOthers().slow, Number.POSITIVE_INFINITY)
  for (const lease of slow) slots.giveBack(lease)
  assert.equal(slots.roomForOthers().slow, Number.POSITIVE_INFINITY)
  const quick = leaseOf()
  slots.take(quick)
  slots.giveBack(quick)
  assert.equal(slots.roomForOthers().slow, 4)
})

test('who waits aside leaves its place to others, and is told of', async () => {
  let freed = 0
  const clock = new ManualClock()
  const slots = new Slots({ concurrency: 1, delayMs: 0, clock, onFree: () => freed++ })
  const visit = leaseOf()
  slots.take(visit)
  assert.equal(slots.free, 0)
  const { promise, resolve } = Promise.withResolvers<string>()
  const aside = slots.without(visit, () => promise)
  assert.deepEqual([slots.free, slots.taken, slots.visits, freed], [1, 0, 1, 1])
  resolve('done')
  assert.equal(await aside, 'done')
  assert.deepEqual([slots.free, slots.taken, slots.visits], [0, 1, 1])
})

test('who comes back from aside waits for a place, and goes before who is new', async () => {
  const { slots } = slotsOf(1)
  const [first, second] = [leaseOf(), leaseOf()]
  slots.take(first)
  const aside = slots.without(first, () => Promise.resolve())
  slots.take(second)
  await turn()
  assert.deepEqual([slots.taken, slots.visits], [1, 2])
  assert.ok(slots.free < 0)
  slots.giveBack(second)
  assert.deepEqual([slots.taken, slots.free], [1, 0])
  await aside
  slots.giveBack(first)
  assert.deepEqual([slots.visits, slots.free], [0, 1])
})

test('no more visits wait aside than are bearable, and what fails there has its place again', async () => {
  const { slots } = slotsOf(1000)
  const { promise, reject } = Promise.withResolvers<void>()
  const all = Array.from({ length: 256 }, () => {
    const visit = leaseOf()
    slots.take(visit)
    return assert.rejects(slots.without(visit, () => promise))
  })
  assert.equal(slots.free, 0)
  reject(new Error('no'))
  await Promise.all(all)
  assert.deepEqual([slots.taken, slots.free], [256, 256])
})

test('where this machine has no room there are fewer places, and slowly more again', () => {
  const { slots, clock } = slotsOf(100)
  const leases = Array.from({ length: 40 }, () => leaseOf())
  for (const lease of leases) slots.take(lease)
  slots.narrow()
  assert.equal(slots.free, -10, 'three quarters of those that had one')
  clock.advance(999)
  slots.giveBack(leases[0]!)
  assert.equal(slots.free, -9)
  clock.advance(1)
  slots.giveBack(leases[1]!)
  assert.equal(slots.free, -5, 'one tenth more')
  for (const lease of leases) {
    clock.advance(1000)
    slots.giveBack(lease)
  }
  assert.equal(slots.free, 100)
})

test('what is left of a visit after its request holds no slot, but counts as a visit', async () => {
  const { slots } = slotsOf(1)
  const [first, second] = [leaseOf(), leaseOf()]
  const written = Promise.withResolvers<void>()
  slots.take(first)
  const ended = slots.end(first, () => written.promise)
  assert.deepEqual([slots.free, slots.visits], [1, 1])
  slots.take(second)
  written.resolve()
  await ended
  slots.giveBack(first)
  assert.deepEqual([slots.free, slots.visits], [0, 1])
})

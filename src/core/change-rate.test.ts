import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedBy,
  intervalMs,
  looked,
  MAX_INTERVAL_MS,
  MIN_INTERVAL_MS,
  unseen,
} from './change-rate.ts'

const DAY_MS = 86_400_000

/** The interval after looks a day apart, `changed` telling what each saw. */
function after(changed: readonly boolean[], gapMs = DAY_MS): number {
  const looks = changed.reduce(
    (before, changed) => looked(before, { changed, afterMs: gapMs }),
    unseen('article'),
  )
  return intervalMs(looks)
}

test('a page nobody has looked at again is as a usual one of its kind', () => {
  const days = (kind: Parameters<typeof unseen>[0]) => intervalMs(unseen(kind)) / DAY_MS
  // The estimator leans to long intervals where it has seen little.
  assert.ok(days('front-page') > 1 && days('front-page') < 3)
  assert.ok(days('article') > 7 && days('article') < 15)
  assert.ok(days('listing') < days('article'))
})

test('a change makes the interval shorter, none makes it longer', () => {
  assert.ok(after([true]) < after([]))
  assert.ok(after([false]) > after([]))
  assert.ok(after([true, true]) < after([true]))
  assert.ok(after([false, false]) > after([false]))
})

test('a page that is another one at every look is looked at ever more often, but not all the time', () => {
  assert.ok(after(Array(10).fill(true)) < DAY_MS)
  assert.equal(after(Array(50).fill(true), 600_000), MIN_INTERVAL_MS)
})

test('a page that never changes is looked at once a month', () => {
  assert.equal(after(Array(40).fill(false)), MAX_INTERVAL_MS)
})

test('a page that changes at every third look has an interval of some three of them', () => {
  const third = Array.from({ length: 60 }, (_, nth) => nth % 3 === 0)
  const days = after(third) / DAY_MS
  assert.ok(days > 1.8 && days < 4, `${days} days`)
})

test('a page that fell asleep is left alone before long', () => {
  const asleep = after([...Array(30).fill(true), ...Array(10).fill(false)])
  assert.ok(asleep > 2 * DAY_MS, `${asleep / DAY_MS} days`)
})

test('looks at the same moment, or from a clock that was set back, give a sane interval', () => {
  for (const gapMs of [0, -DAY_MS]) {
    for (const changed of [true, false]) {
      const interval = after(Array(30).fill(changed), gapMs)
      assert.ok(interval >= MIN_INTERVAL_MS && interval <= MAX_INTERVAL_MS, `${interval}`)
    }
  }
  assert.equal(intervalMs({ seen: 0, seenChanged: 0, seenMs: 0 }), MAX_INTERVAL_MS)
})

test('the longer ago the last look, the likelier it is that a page has changed', () => {
  assert.equal(changedBy(DAY_MS, 0), 0)
  assert.equal(changedBy(DAY_MS, -5), 0)
  assert.ok(Math.abs(changedBy(DAY_MS, DAY_MS) - 0.632) < 0.001)
  assert.ok(changedBy(DAY_MS, 20 * DAY_MS) <= 1)
})

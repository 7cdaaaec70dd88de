import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HarvestMeter } from './page-counts.ts'

test('hot pages are counted among all that were judged', () => {
  const harvest = new HarvestMeter(10)
  for (const hot of [true, false, true]) harvest.add(hot)
  assert.deepEqual(harvest.counts, { judged: 3, hot: 2, recentJudged: 3, recentHot: 2, leftOut: 0 })
})

test('pages leave the window in order', () => {
  const harvest = new HarvestMeter(2)
  const recent: number[] = []
  for (const hot of [true, true, false, true, false, false]) {
    harvest.add(hot)
    recent.push(harvest.counts.recentHot)
  }
  assert.deepEqual(recent, [1, 2, 1, 1, 1, 0])
  assert.deepEqual(harvest.counts, { judged: 6, hot: 3, recentJudged: 2, recentHot: 0, leftOut: 0 })
})

test('pages that are not kept are counted separately, judged or not', () => {
  const harvest = new HarvestMeter(2)
  harvest.add(false)
  harvest.leaveOut()
  harvest.leaveOut()
  const { judged, leftOut } = harvest.counts
  assert.deepEqual([judged, leftOut], [1, 2])
})

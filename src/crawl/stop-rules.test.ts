import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_HARVEST } from '../core/importance.ts'
import { noteOf, type StopSettings, stopRuleOf } from './stop-rules.ts'

const NONE: StopSettings = { maxPages: 1000, maxHot: null, harvestFloor: null, harvestWindow: 100 }
const recent = (recentHot: number, recentJudged: number) => ({
  ...NO_HARVEST,
  recentHot,
  recentJudged,
})

test('without a stop model nothing is enough', () => {
  assert.equal(stopRuleOf(NONE, recent(0, 100), 1e6), null)
})

test('so many hot pages are enough, by all runs together', () => {
  const settings = { ...NONE, maxHot: 10 }
  assert.equal(stopRuleOf(settings, NO_HARVEST, 9), null)
  assert.equal(stopRuleOf(settings, NO_HARVEST, 10), 'hot')
})

test('the harvest is low when a full window has fewer hot pages than the floor', () => {
  const settings = { ...NONE, harvestFloor: 0.05 }
  assert.equal(stopRuleOf(settings, recent(0, 99), 0), null, 'the window is not full')
  assert.equal(stopRuleOf(settings, recent(5, 100), 0), null, 'exactly the floor')
  assert.equal(stopRuleOf(settings, recent(4, 100), 0), 'harvest')
})

test('a floor of 0 never ends a crawl', () => {
  assert.equal(stopRuleOf({ ...NONE, harvestFloor: 0 }, recent(0, 100), 0), null)
})

test('a limit on pages that are kept also bounds those that are not', () => {
  const leftOut = (pages: number) => ({ ...NO_HARVEST, leftOut: pages })
  const settings = { ...NONE, maxPages: 100 }
  assert.equal(stopRuleOf(settings, leftOut(1999), 0), null)
  assert.equal(stopRuleOf(settings, leftOut(2000), 0), 'left-out')
  const few = { ...NONE, maxPages: 1 }
  assert.equal(stopRuleOf(few, leftOut(999), 0), null, 'it may take a while to the first')
  assert.equal(stopRuleOf(few, leftOut(1000), 0), 'left-out')
})

test('the note says in words why it ended', () => {
  const settings = { maxPages: 100, maxHot: 20, harvestFloor: 0.05, harvestWindow: 500 }
  assert.equal(noteOf('hot', settings), 'it has its 20 hot pages')
  assert.equal(noteOf('hot', { ...settings, maxHot: 1 }), 'it has its 1 hot page')
  assert.equal(noteOf('harvest', settings), 'harvest fell under 5 % over the last 500 pages')
  assert.equal(
    noteOf('left-out', settings),
    '2000 pages were not worth keeping before it had 100 that are',
  )
  const odd = { ...settings, harvestFloor: 0.07 }
  assert.equal(noteOf('harvest', odd), 'harvest fell under 7 % over the last 500 pages')
})

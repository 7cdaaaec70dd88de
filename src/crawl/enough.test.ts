import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_HARVEST } from '../core/harvest.ts'
import { enoughOf, noteOf, type StopSettings } from './enough.ts'

const NONE: StopSettings = { maxHot: null, harvestFloor: null, harvestWindow: 100 }
const recent = (recentHot: number, recentJudged: number) => ({
  ...NO_HARVEST,
  recentHot,
  recentJudged,
})

test('without a stop model nothing is enough', () => {
  assert.equal(enoughOf(NONE, recent(0, 100), 1e6), null)
})

test('so many hot pages are enough, by all runs together', () => {
  const settings = { ...NONE, maxHot: 10 }
  assert.equal(enoughOf(settings, NO_HARVEST, 9), null)
  assert.equal(enoughOf(settings, NO_HARVEST, 10), 'hot')
})

test('the harvest is low when a full window has fewer hot pages than the floor', () => {
  const settings = { ...NONE, harvestFloor: 0.05 }
  assert.equal(enoughOf(settings, recent(0, 99), 0), null, 'the window is not full')
  assert.equal(enoughOf(settings, recent(5, 100), 0), null, 'exactly the floor')
  assert.equal(enoughOf(settings, recent(4, 100), 0), 'harvest')
})

test('a floor of 0 never ends a crawl', () => {
  assert.equal(enoughOf({ ...NONE, harvestFloor: 0 }, recent(0, 100), 0), null)
})

test('the note says in words why it ended', () => {
  const settings = { maxHot: 20, harvestFloor: 0.05, harvestWindow: 500 }
  assert.equal(noteOf('hot', settings), 'it has its 20 hot pages')
  assert.equal(noteOf('hot', { ...settings, maxHot: 1 }), 'it has its 1 hot page')
  assert.equal(noteOf('harvest', settings), 'harvest fell under 5 % over the last 500 pages')
  const odd = { ...settings, harvestFloor: 0.07 }
  assert.equal(noteOf('harvest', odd), 'harvest fell under 7 % over the last 500 pages')
})

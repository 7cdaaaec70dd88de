import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMeasure, type MeasureOptions, scaled, scoreOf } from './metrics.ts'

const WORDS: MeasureOptions = { metric: 'word', dense: true }
const SHINGLES: MeasureOptions = { metric: 'shingle', dense: true }

test('words count as often as both texts have them, in any case', () => {
  const measure = createMeasure(['Red red', 'red boat', 'menu'], 'red Boat red', WORDS)
  assert.deepEqual(measure([1, 1, 1]), { hits: 3, noise: 2, missed: 0 })
  assert.deepEqual(measure([0, 1, 0]), { hits: 2, noise: 0, missed: 1 })
  assert.deepEqual(measure([0, 0, 1]), { hits: 0, noise: 1, missed: 3 })
})

test('a choice leaves nothing behind for the next', () => {
  const measure = createMeasure(['a b', 'a b'], 'a b', WORDS)
  assert.deepEqual(measure([1, 1]), measure([1, 1]))
})

test('four words in a row count in their case, over the edges of blocks', () => {
  const measure = createMeasure(
    ['one two', 'three Four', 'five'],
    'one two three Four five',
    SHINGLES,
  )
  assert.deepEqual(measure([1, 1, 1]), { hits: 2, noise: 0, missed: 0 })
  assert.deepEqual(measure([1, 0, 1]), { hits: 0, noise: 1, missed: 2 })
  assert.deepEqual(createMeasure(['one two three four'], 'one two three Four', SHINGLES)([1]), {
    hits: 0,
    noise: 1,
    missed: 1,
  })
})

test('a text shorter than four words is one piece', () => {
  const measure = createMeasure(['one two', 'one'], 'one two', SHINGLES)
  assert.deepEqual(measure([1, 0]), { hits: 1, noise: 0, missed: 0 })
  assert.deepEqual(measure([0, 1]), { hits: 0, noise: 1, missed: 1 })
  assert.deepEqual(measure([0, 0]), { hits: 0, noise: 0, missed: 1 })
})

test('scores are precision, recall and their harmonic mean', () => {
  assert.deepEqual(scoreOf({ hits: 2, noise: 2, missed: 0 }), {
    precision: 0.5,
    recall: 1,
    f1: 2 / 3,
  })
  assert.deepEqual(scoreOf({ hits: 0, noise: 3, missed: 2 }), { precision: 0, recall: 0, f1: 0 })
})

test('with nothing to find only nothing is right', () => {
  assert.equal(scoreOf(createMeasure(['a'], '', WORDS)([0])).f1, 1)
  assert.equal(scoreOf(createMeasure(['a'], '', WORDS)([1])).f1, 0)
})

test('scaled counts of a page are one in sum', () => {
  assert.deepEqual(scaled({ hits: 2, noise: 1, missed: 1 }), {
    hits: 0.5,
    noise: 0.25,
    missed: 0.25,
  })
  assert.deepEqual(scaled({ hits: 0, noise: 0, missed: 0 }), { hits: 0, noise: 0, missed: 0 })
})

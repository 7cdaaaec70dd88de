import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stratifiedFolds } from './examples.ts'
import { ScoreCounts } from './scores.ts'

test('scores are those computed by hand', () => {
  const counts = new ScoreCounts(['a', 'b'])
  for (let n = 0; n < 6; n++) counts.add('a', n < 4 ? 'a' : 'b')
  for (let n = 0; n < 4; n++) counts.add('b', n < 3 ? 'b' : 'a')
  const { texts, accuracy, macroF1, labels, confusion } = counts.scores()
  assert.deepEqual([texts, accuracy], [10, 0.7])
  assert.deepEqual(confusion, [
    [4, 2],
    [1, 3],
  ])
  assert.deepEqual(labels[0], { label: 'a', texts: 6, precision: 4 / 5, recall: 4 / 6, f1: 8 / 11 })
  assert.ok(Math.abs(macroF1 - (8 / 11 + 6 / 9) / 2) < 1e-12)
})

test('a label that nobody has and nobody was given does not count', () => {
  const counts = new ScoreCounts(['a', 'b', 'never'])
  counts.add('a', 'a')
  counts.add('b', 'b')
  assert.equal(counts.scores().macroF1, 1)
})

test('a true label that the model does not know is wrong, and shown', () => {
  const counts = new ScoreCounts(['a'])
  counts.add('new', 'a')
  const { accuracy, labels } = counts.scores()
  assert.equal(accuracy, 0)
  assert.deepEqual(
    labels.map(({ label }) => label),
    ['a', 'new'],
  )
})

test('no answers have scores too', () => {
  const { texts, accuracy, macroF1 } = new ScoreCounts(['a']).scores()
  assert.deepEqual([texts, accuracy, macroF1], [0, 0, 0])
})

test('every fold has its share of every label, and the seed decides of whom', () => {
  const labelOf = Int32Array.from({ length: 100 }, (_, at) => (at < 80 ? 0 : 1))
  const foldOf = stratifiedFolds(labelOf, 5, 3)
  for (let fold = 0; fold < 5; fold++) {
    const own = [...labelOf].filter((_, at) => foldOf[at] === fold)
    assert.deepEqual([own.length, own.filter((label) => label === 1).length], [20, 4])
  }
  assert.deepEqual(stratifiedFolds(labelOf, 5, 3), foldOf)
  assert.notDeepEqual(stratifiedFolds(labelOf, 5, 4), foldOf)
})

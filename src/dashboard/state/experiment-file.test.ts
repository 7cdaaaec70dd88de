import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresIn } from './experiment-file.ts'

test('a file that is no result of an experiment has no figures', () => {
  for (const text of ['', '{', '[]', 'null', '{"format":"jelajah-experiment"}', '{"report":3}']) {
    assert.deepEqual(figuresIn(text), [])
  }
})

test('what is broken in a file is left out', () => {
  const line = { name: 3, points: [0, 'x', 1, 2], band: 'no', end: 'last' }
  const report = { figures: [{ title: 'T', digits: 99, lines: [line, null], bars: {} }] }
  const [figure] = figuresIn(JSON.stringify({ format: 'jelajah-experiment', report }))
  assert.equal(figure?.digits, 4)
  assert.deepEqual(figure?.lines[0], { name: '', points: [0, null, 1, 2], band: [], end: null })
  assert.deepEqual(figure?.bars, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeImportance, encodeImportance, METRICS } from './importance.ts'

const NONE = { similarity: 0, backlinks: 0, pagerank: 0, location: 0 }

test('weights are read by name, a bare name weighs 1, and what is not named weighs nothing', () => {
  const cases = [
    ['similarity=1,pagerank=0.5', { similarity: 1, pagerank: 0.5 }],
    ['pagerank', { pagerank: 1 }],
    [' backlinks , location = 2 ', { backlinks: 1, location: 2 }],
    ['similarity=0,location=0.25', { location: 0.25 }],
  ] as const
  for (const [text, weights] of cases) {
    assert.deepEqual(decodeImportance(text), { ...NONE, ...weights }, text)
  }
})

test('a metric that is not known is refused with the names of all that are', () => {
  for (const text of ['pagernk', 'pagerank=1,rank=2', '', 'pagerank,', '=1']) {
    assert.throws(() => decodeImportance(text), {
      name: 'InvalidInput',
      at: '--importance',
      message: new RegExp(METRICS.join(', ')),
    })
  }
})

test('a weight that is no number, negative or too large is refused', () => {
  for (const weight of ['', 'x', '-1', '1e3', 'NaN', 'Infinity', '1000001', '0x1', '1=1']) {
    assert.throws(() => decodeImportance(`pagerank=${weight}`), /a weight from 0 to 1000000/)
  }
})

test('a metric named twice and weights that are all 0 are refused', () => {
  assert.throws(() => decodeImportance('pagerank=1,pagerank=2'), /names pagerank twice/)
  assert.throws(() => decodeImportance('pagerank=0,location=0'), /a weight above 0/)
})

test('a very long text is refused in a short message', () => {
  assert.throws(
    () => decodeImportance('x'.repeat(1_000_000)),
    (error: Error) => error.message.length < 300,
  )
})

test('weights written as text are read back as they were', () => {
  const weights = { similarity: 1, backlinks: 0, pagerank: 0.5, location: 3 }
  assert.deepEqual(decodeImportance(encodeImportance(weights)), weights)
})

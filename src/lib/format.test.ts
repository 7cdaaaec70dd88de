import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showTook } from './format.ts'

test('what took a moment took some of a second, not none', () => {
  const shown = [0, 0.04, 0.44, 0.99, 1, 59.7, 65].map(showTook)
  assert.deepEqual(shown, ['0.1s', '0.1s', '0.4s', '1.0s', '1s', '1m 00s', '1m 05s'])
})

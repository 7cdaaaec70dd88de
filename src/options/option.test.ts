import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFieldNames } from './option.ts'

const TEXTS: readonly (readonly [flags: string, fields: string])[] = [
  ['needs a topic: give --topic or --min-relevance', 'needs a topic: give topic or min_relevance'],
  ['does nothing with --host-policy fair', 'does nothing with host_policy fair'],
  ['not "--topic"', 'not "--topic"'],
  ['"a \\" --b" and --c', '"a \\" --b" and c'],
  ['one - two -- three', 'one - two -- three'],
  ['"an open quote --x', '"an open quote x'],
  ['"closed --a" "open \\" --b', '"closed --a" "open \\" b'],
]
for (const [flags, fields] of TEXTS) {
  test(`${flags} becomes ${fields}`, () => assert.equal(withFieldNames(flags), fields))
}

test('texts of any kind take a moment only', () => {
  for (const text of ['"'.repeat(500_000), '\\"'.repeat(500_000), '--'.repeat(500_000)]) {
    assert.equal(typeof withFieldNames(text), 'string')
  }
})

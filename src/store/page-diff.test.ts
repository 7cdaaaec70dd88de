import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearEqual } from './page-diff.ts'

const words = (count: number, from = 0) =>
  Array.from({ length: count }, (_, nth) => `kata${from + nth}`).join(' ')

const PAIRS: readonly (readonly [what: string, a: string, b: string, equal: boolean])[] = [
  ['the same text', 'a b c', 'a b c', true],
  ['two empty texts', '', '', true],
  ['another case and punctuation', 'One, two: three four.', 'one two three four', true],
  ['a changed word among hundreds', `${words(300)} lama`, `${words(300)} baru`, true],
  ['a fifth more text', words(100), words(120), false],
  ['nothing in common', words(50), words(50, 1000), false],
  ['the same words in another order', words(50), words(50).split(' ').reverse().join(' '), false],
  ['text and no text', words(10), '', false],
  ['short texts that differ', 'page one', 'page two', false],
]

for (const [what, a, b, equal] of PAIRS) {
  test(`${what}: ${equal ? 'near-equal' : 'not near-equal'}`, () => {
    assert.equal(nearEqual(a, b), equal)
    assert.equal(nearEqual(b, a), equal)
  })
}

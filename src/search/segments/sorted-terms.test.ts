import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import { sortedTerms } from './sorted-terms.ts'

test('terms are sorted as strings are, in any script', () => {
  const random = seededRandom(1)
  const letters = [...'aab_\u007e\u007f\u0080éж日\uffee', '\u{1f600}', "'", '0']
  const terms = new Set(['', 'a', 'international', 'internationally'])
  while (terms.size < 3000) {
    const length = 1 + Math.floor(random() * 12)
    terms.add(Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join(''))
  }
  assert.deepEqual(sortedTerms([...terms]), [...terms].sort())
})

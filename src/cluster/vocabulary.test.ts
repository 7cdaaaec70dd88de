import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Vocabulary } from './vocabulary.ts'

function word(number: number): string {
  return `w${String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}w`
}

test('terms that many texts share do not make the vocabulary grow beyond its limit', () => {
  const vocabulary = new Vocabulary({ maxCounted: 300 })
  const learn = (words: readonly string[]) =>
    vocabulary.learn({ title: '', text: words.join(' '), language: '' })
  for (let round = 0; round < 40; round++) {
    const some = Array.from({ length: 50 }, (_, at) => word(50 * round + at))
    // Each is in two texts, so that none is the only one of its text.
    for (let nth = 0; nth < 2; nth++) learn([...some, 'common'])
    assert.ok(vocabulary.counted <= 300, `${vocabulary.counted} after ${round}`)
  }
  for (let nth = 0; nth < 100; nth++) learn(['others'])
  vocabulary.close()
  const { terms } = vocabulary.vectorOf({ title: '', text: 'common', language: '' })
  assert.equal(terms.length, 1)
})

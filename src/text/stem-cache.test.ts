import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cachedStemmer } from './stem-cache.ts'
import { MAX_WORD } from './text.ts'

test('a word is stemmed once, and answers are the stemmer’s', () => {
  let calls = 0
  const stem = cachedStemmer((word) => {
    calls++
    return word.slice(0, 3)
  })
  for (let round = 0; round < 3; round++) {
    assert.equal(stem('running'), 'run')
    assert.equal(stem('a-word-that-is-long'), 'a-w')
  }
  assert.equal(calls, 2)
})

test('words in use stay while thousands pass, and memory stays bounded', () => {
  let calls = 0
  const stem = cachedStemmer((word) => {
    calls++
    return word
  }, 100)
  stem('common')
  for (let at = 0; at < 10_000; at++) {
    stem(`rare${at}`)
    if (at % 20 === 0) stem('common')
  }
  assert.equal(calls, 10_001)
  stem('rare0')
  assert.equal(calls, 10_002)
})

test('a word past all words is left as it is and not remembered', () => {
  const long = 'x'.repeat(MAX_WORD + 1)
  assert.equal(cachedStemmer(() => 'no')(long), long)
})

test('an empty stem is an answer too', () => {
  let calls = 0
  const stem = cachedStemmer(() => {
    calls++
    return ''
  })
  assert.equal(stem('s') + stem('s'), '')
  assert.equal(calls, 1)
})

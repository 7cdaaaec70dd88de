import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allStopWords, isStopWord, stopWordsFor } from './stop-words.ts'
import { tokens } from './tokens.ts'

test('English and Indonesian have lists, by any form of their tag', () => {
  assert.ok(stopWordsFor('en-GB').has('the'))
  assert.ok(stopWordsFor('id').has('yang'))
  assert.ok(stopWordsFor('in_ID').has('yang'))
  assert.equal(stopWordsFor('de').size, 0)
  assert.equal(stopWordsFor('').size, 0)
})

test('function words of both languages are stop words at once, and the user may add some', () => {
  for (const word of ['dan', 'the', 'apakah', 'itulah', 'adanya', 'walaupun', 'furthermore']) {
    assert.ok(isStopWord(word), word)
  }
  for (const word of ['makalah', 'pengguna', 'vaksin', 'vaccine'])
    assert.ok(!isStopWord(word), word)
  const words = allStopWords(['vaksin'])
  assert.ok(words.has('vaksin') && words.has('dan') && words.has('the'))
  assert.ok(!allStopWords().has('vaksin'))
})

test('every listed word is one that the tokeniser gives', () => {
  for (const language of ['en', 'id']) {
    for (const word of stopWordsFor(language)) assert.deepEqual(tokens(word), [word])
  }
})

test('topics are no stop words', () => {
  for (const word of ['health', 'news', 'time', 'people', 'world']) {
    assert.ok(!stopWordsFor('en').has(word), word)
  }
  for (const word of ['kesehatan', 'berita', 'tahun', 'orang', 'rumah']) {
    assert.ok(!stopWordsFor('id').has(word), word)
  }
})

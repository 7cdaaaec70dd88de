import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_WORDS, StemWords, urlText, wordsOf } from './words.ts'

const stems = new StemWords()

test('words are folded and cut the same way everywhere', () => {
  assert.deepEqual(wordsOf("Café ÜBER, don't; ﬁle"), ['cafe', 'uber', "don't", 'file'])
  assert.deepEqual(wordsOf('日本語'), ['日本', '本語'])
  assert.equal(wordsOf('a '.repeat(MAX_WORDS + 5)).length, MAX_WORDS)
})

test('stems carry their language and are no words of any text', () => {
  assert.deepEqual(stems.of(['crawlers', 'crawling'], 'en-GB'), ['crawler_en', 'crawl_en'])
  assert.deepEqual(stems.of(['makanan'], 'id'), ['makan_id'])
  assert.deepEqual(stems.of(['makanan'], 'ms'), ['makan_id'])
  assert.deepEqual(wordsOf('makan_id'), ['makan', 'id'])
})

test('stop words, numbers and languages without a stemmer have no stems', () => {
  assert.deepEqual(stems.of(['the', 'yang', '2024'], 'en'), [])
  assert.deepEqual(stems.of(['the', 'yang', '2024'], 'id'), [])
  assert.deepEqual(stems.of(['chats'], 'fr'), [])
})

test('words of a text whose language nothing tells have the stems of every language', () => {
  assert.deepEqual(stems.of(['makanan', 'yang'], ''), ['makanan_en', 'makan_id'])
})

test('a word stands for its stem in every language, or in the one that is asked for', () => {
  assert.deepEqual(stems.forms('makanan'), ['makanan_en', 'makan_id'])
  assert.deepEqual(stems.forms('makanan', 'id'), ['makan_id'])
  assert.deepEqual(stems.forms('makanan', 'fr'), [])
})

test('a URL is read without its scheme and with its escapes', () => {
  assert.equal(urlText('https://a.test/caf%C3%A9?q=%E6%97%A5'), 'a.test/café?q=日')
  assert.equal(urlText('http://a.test/100%'), 'a.test/100%')
  assert.equal(urlText('http://a.test/%ff'), 'a.test/%ff')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  likeness,
  shingleCounts,
  snippetCounts,
  totalOfShingles,
  totalOfSnippets,
  totalOfWords,
  wordScore,
} from './metrics.ts'
import { wordsOf } from './words.ts'

test('scripts without spaces count by character where the set says so', () => {
  assert.deepEqual(wordsOf('two_words, 日本語x', true), ['two_words', '日', '本', '語', 'x'])
  assert.deepEqual(wordsOf('two_words, 日本語x', false), ['two_words', '日本語x'])
})

test('words are compared as bags, whatever their case and order', () => {
  const { precision, recall } = wordScore('The cat and the dog', 'THE dog, the end', false)
  assert.deepEqual([precision, recall], [3 / 4, 3 / 5])
})

test('with nothing to find, only nothing is right', () => {
  assert.equal(wordScore('', '', false).f1, 1)
  assert.equal(wordScore('', 'noise', false).f1, 0)
  assert.equal(wordScore('text', '', false).f1, 0)
})

test('the score of a set by words is the mean over its pages', () => {
  const pages = [wordScore('a b', 'a b', false), wordScore('a b', '', false)]
  assert.deepEqual(totalOfWords(pages), { precision: 0.5, recall: 0.5, f1: 0.5 })
})

test('shingles keep case and order, and weigh every page the same', () => {
  assert.deepEqual(shingleCounts('a b c d e', 'x a b c d', false), {
    hits: 1 / 3,
    noise: 1 / 3,
    missed: 1 / 3,
  })
  assert.equal(shingleCounts('a b c d', 'A b c d', false).hits, 0)
  assert.equal(shingleCounts('short', 'short', false).hits, 1)
})

test('by shingles a page without output costs recall and no precision', () => {
  const pages = [shingleCounts('a b c d', 'a b c d', false), shingleCounts('a b c d', '', false)]
  const { precision, recall } = totalOfShingles(pages)
  assert.deepEqual([precision, recall], [1, 0.5])
})

test('snippets are counted over all pages, whatever the spaces between words', () => {
  const pages = [
    snippetCounts(['one  two', 'three'], ['menu', 'footer'], 'one\ntwo menu'),
    snippetCounts(['four'], [], 'four'),
  ]
  const { precision, recall } = totalOfSnippets(pages)
  assert.deepEqual([precision, recall], [2 / 3, 2 / 3])
})

test('titles that differ in one word of many are alike', () => {
  assert.ok(likeness('A long title of a page', 'A long title of the page') > 0.8)
  assert.ok(likeness('A title', 'Something else') < 0.5)
})

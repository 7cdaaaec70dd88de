import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTermReader } from '../../test/support/term-reader.ts'
import { TermReader } from './terms.ts'
import { hashText } from './text.ts'

test('terms are stems without stop words, in their order', () => {
  const terms = createTermReader('en').read('The Hospitals are running, hospital!')
  assert.deepEqual(terms, [hashText('hospit'), hashText('run'), hashText('hospit')])
})

test('reading twice gives the same, from the rules or from memory', () => {
  const reader = createTermReader('id')
  const text = 'Kesehatan anak-anak di Indonesia: “dokter’s” ﬁlm Ａ kesehatan'
  assert.deepEqual(reader.read(text), reader.read(text))
  assert.deepEqual(reader.read(text), createTermReader('id').read(text))
})

test('counts say how often each term occurs, and may be added to', () => {
  const reader = createTermReader('en')
  const counts = reader.count('virus and viruses')
  reader.count('virus', counts)
  assert.equal(counts.get(reader.termOf('virus')), 3)
  assert.equal(counts.size, 1)
  assert.equal(reader.termOf('the'), 0)
})

test('other stop words can be given', () => {
  const reader = createTermReader('en', new Set(['virus']))
  assert.equal(reader.read('the virus').length, 1)
})

test('a word is never lost because nothing is left of it', () => {
  const reader = new TermReader({ stem: () => '', stopWords: new Set() })
  assert.deepEqual(reader.read('s'), [hashText('s')])
})

test('more words than there is room for are read right, and a text has an end', () => {
  const reader = new TermReader({ stem: (word) => word, stopWords: new Set(), maxTerms: 90_000 })
  let text = ''
  for (let at = 0; at < 100_000; at++) text += `w${at} `
  const terms = reader.read(text)
  assert.equal(terms.length, 90_000)
  assert.equal(terms[89_999], hashText('w89999'))
  assert.deepEqual(reader.read('w5 w89999'), [hashText('w5'), hashText('w89999')])
})

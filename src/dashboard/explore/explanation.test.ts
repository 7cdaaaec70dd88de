import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExplanation } from './explanation.ts'

test('the story of a URL is read as the server tells it', () => {
  const told = {
    known: true,
    state: 'stored',
    reason: '',
    path: ['http://a.test/b', 'http://a.test/'],
    via: 'link',
    ordering: 'best-first',
    score: 0.123456,
    score_parts: { parent: 0.5, anchor: 0.0123456 },
    tries: 1,
    next_at: null,
    ahead: null,
  }
  assert.deepEqual(readExplanation(told), {
    state: 'stored',
    reason: '',
    path: ['http://a.test/b', 'http://a.test/'],
    via: 'link',
    ordering: 'best-first',
    score: 0.123456,
    scoreParts: [
      ['parent', '0.5'],
      ['anchor', '0.0123'],
    ],
    tries: 1,
    nextAt: null,
    ahead: null,
  })
})

test('a URL that the crawl does not know has no story', () => {
  assert.equal(readExplanation({ known: false }), null)
  assert.equal(readExplanation({}), null)
})

test('fields that are missing or odd are empty', () => {
  const story = readExplanation({ known: true, path: [1, {}], score: 'high', score_parts: 'x' })
  assert.equal(story?.score, null)
  assert.deepEqual(story?.path, ['', ''])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEAD_SHARE, SENTENCE_HEAD_SHARE } from '../page-columns.ts'
import { idfOf, MOST_WORTH, worthOf } from './bm25.ts'

const COUNTS = [0, 1, 2, 7, 300]
const HEADS = [0, 6, 10, 26, 1000]
const NORMS = [0.31, 1.2, 9]

test('no search gives a word more than blocks say, whatever its share of the head', () => {
  for (const text of COUNTS) {
    for (const head of HEADS.filter((each) => text + each > 0)) {
      for (const norm of NORMS) {
        const most = worthOf(text, head, norm, HEAD_SHARE)
        const inSentence = worthOf(text, head, norm, SENTENCE_HEAD_SHARE)
        assert.ok(inSentence <= most && most <= MOST_WORTH)
        // Pages grew by half on average since a block was written.
        assert.ok(worthOf(text, head, norm / 1.5, HEAD_SHARE) <= most * 1.5)
      }
    }
  }
})

test('a word in the title counts in the text of a page, and more than there', () => {
  for (const norm of NORMS) {
    const inTitle = worthOf(3, 10, norm, SENTENCE_HEAD_SHARE)
    assert.ok(inTitle > worthOf(4, 0, norm, SENTENCE_HEAD_SHARE))
  }
})

test('a word that most pages have still tells a little, and less than a rare one', () => {
  const all = [1, 40, 60, 100].map((having) => idfOf(100, having))
  assert.deepEqual(
    all.toSorted((a, b) => b - a),
    all,
  )
  assert.ok(all.every((idf) => idf > 0))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermTable } from '../text/term-table.ts'
import { Mentions } from './mentions.ts'

test('a keyword of several terms counts where they follow each other, single ones anywhere', () => {
  const mentions = new Mentions([[1], [2, 3], [2, 3, 4]])
  assert.equal(mentions.inTerms([1, 2, 3, 9, 3, 2, 1]), 3)
  assert.equal(mentions.inTerms([2, 3, 4]), 2)
  assert.equal(mentions.inTerms([2, 3]), 1)
  assert.equal(mentions.inTerms([]), 0)
})

test('keywords of one term are counted from a table alone', () => {
  const counts = new TermTable()
  counts.set(1, 4)
  counts.set(2, 5)
  assert.equal(new Mentions([[1], [2, 3]]).inCounts(counts), 4)
})

test('whoever asks is told which of the longer keywords stands there', () => {
  const found: number[] = []
  new Mentions([[5], [2, 3], [7, 7]]).longerIn([7, 7, 7, 2, 3], (at) => found.push(at))
  assert.deepEqual(found, [2, 2, 1])
})
